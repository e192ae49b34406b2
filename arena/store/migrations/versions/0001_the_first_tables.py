# SPDX-License-Identifier: GPL-3.0-or-later
"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "bot",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("removed", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_bot_token_hash")),
    )
    op.create_index("ix_bot_name_folded", "bot", [sa.text("lower(name)")], unique=True)
    op.create_table(
        "version",
        sa.Column("id", KEY, nullable=False),
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_version_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
    )
    op.create_index("ix_version_bot_id_label", "version", ["bot_id", "label"], unique=True)
    op.create_table(
        "match",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("time_class", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("start", sa.Text(), nullable=True),
        sa.Column("opening", sa.Text(), nullable=False),
        sa.Column("pair", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("started", sa.Double(), nullable=False),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("termination", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=True),
        sa.Column("pruned", sa.Boolean(), nullable=False),
        sa.CheckConstraint("(status = 'finished') = (result IS NOT NULL)", name=op.f("ck_match_finished_with_result")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
    )
    op.create_index("ix_match_status_id", "match", ["status", "id"])
    op.create_index("ix_match_game_status_id", "match", ["game", "status", "id"])
    op.create_index("ix_match_pruned_finished", "match", ["pruned", "finished"])
    op.create_table(
        "player",
        sa.Column("match_id", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("version_id", KEY, nullable=False),
        sa.Column("live", sa.Boolean(), nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=False),
        sa.Column("rating_after", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_player_bot_id")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_player_match_id")),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_player_version_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_player")),
    )
    op.create_index("ix_player_bot_id_live_match_id", "player", ["bot_id", "live", "match_id"])
    op.create_table(
        "event",
        sa.Column("match_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_event_match_id")),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_event")),
    )
    op.create_table(
        "rating",
        sa.Column("version_id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("time_class", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("last_change", sa.Double(), nullable=False),
        sa.Column("last_played", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_rating_version_id")),
        sa.PrimaryKeyConstraint("version_id", "game", "time_class", name=op.f("pk_rating")),
    )
    op.create_index("ix_rating_leaderboard", "rating", ["game", "time_class", sa.text("rating DESC"), "version_id"])
