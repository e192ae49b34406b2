# SPDX-License-Identifier: GPL-3.0-or-later
"""Quarantines of bots."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "quarantine",
        sa.Column("id", KEY, nullable=False),
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("version_id", KEY, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("matches", sa.Text(), nullable=False),
        sa.Column("began", sa.Double(), nullable=False),
        sa.Column("lifted", sa.Double(), nullable=True),
        sa.Column("how", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_quarantine_bot_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_quarantine_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quarantine")),
    )
    op.create_index("ix_quarantine_bot_id", "quarantine", ["bot_id"])
    op.create_index("ix_quarantine_lifted", "quarantine", ["lifted"])
