# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models that bots report about each other."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "portrait",
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("author_id", KEY, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_portrait_bot_id")),
        sa.ForeignKeyConstraint(["author_id"], ["bot.id"], name=op.f("fk_portrait_author_id")),
        sa.PrimaryKeyConstraint("bot_id", "game", "author_id", name=op.f("pk_portrait")),
    )
