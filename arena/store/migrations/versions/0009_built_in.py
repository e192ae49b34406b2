# SPDX-License-Identifier: GPL-3.0-or-later
"""The kind of a built-in bot is "built-in", and so begins the name of the population that the server evolves."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Go one step on: the kind was "house", the name "house, SCHEMA"."""
    op.execute("UPDATE bot SET kind = 'built-in' WHERE kind = 'house'")
    # the owner of a population's bots has its name
    op.execute(
        "UPDATE bot SET owner = 'population built-in, ' || substr(owner, 19) "
        "WHERE substr(owner, 1, 18) = 'population house, '"
    )
    # the settings, JSON as the server writes it, start with the same name; ``\\:`` is no parameter
    op.execute(
        """UPDATE population SET name = 'built-in, ' || substr(name, 8), """
        """config = '{"name"\\:"built-in, ' || substr(config, 17) """
        """WHERE substr(name, 1, 7) = 'house, ' AND substr(config, 1, 16) = '{"name"\\:"house, '"""
    )
