# SPDX-License-Identifier: GPL-3.0-or-later
"""People who allow bots to learn from their games."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "person_consent",
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_person_consent_bot_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_person_consent")),
    )
