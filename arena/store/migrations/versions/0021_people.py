# SPDX-License-Identifier: GPL-3.0-or-later
"""People who play, and their ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "person",
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("account_id", KEY, nullable=True),
        sa.Column("secret_hash", sa.Text(), nullable=True),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_person_bot_id")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_person_account_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_person")),
        sa.UniqueConstraint("account_id", name=op.f("uq_person_account_id")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_person_secret_hash")),
    )
    op.create_table(
        "person_rating",
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("time_class", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("last_played", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_person_rating_bot_id")),
        sa.PrimaryKeyConstraint("bot_id", "game", "time_class", name=op.f("pk_person_rating")),
    )
    op.create_table(
        "person_result",
        sa.Column("match_id", KEY, nullable=False),
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.Column("after", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_person_result_match_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_person_result_bot_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_person_result")),
    )
    op.create_index("ix_person_result_bot_id", "person_result", ["bot_id"])
