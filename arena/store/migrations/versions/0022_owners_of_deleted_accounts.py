# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots of deleted accounts get the account's number as a part of their owner."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Go one step on."""
    op.execute(
        "UPDATE bot SET owner = 'deleted account ' || "
        "(SELECT CAST(account_id AS TEXT) FROM owned_bot WHERE owned_bot.bot_id = bot.id) "
        "WHERE owner = 'deleted account' AND id IN (SELECT bot_id FROM owned_bot)"
    )
