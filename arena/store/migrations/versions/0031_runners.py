# SPDX-License-Identifier: GPL-3.0-or-later
"""Runners, and the times at which each hosted a bot."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "runner",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runner")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_runner_token_hash")),
    )
    op.create_table(
        "hosted_time",
        sa.Column("id", KEY, nullable=False),
        sa.Column("runner_id", KEY, nullable=False),
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("speed", sa.Double(), nullable=False),
        sa.Column("cores", sa.BigInteger(), nullable=False),
        sa.Column("began", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["runner_id"], ["runner.id"], name=op.f("fk_hosted_time_runner_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_hosted_time_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hosted_time")),
    )
    op.create_index("ix_hosted_time_runner_id", "hosted_time", ["runner_id"])
    op.create_index("ix_hosted_time_bot_id_began", "hosted_time", ["bot_id", "began"])
    op.create_index("ix_hosted_time_ended", "hosted_time", ["ended"])
