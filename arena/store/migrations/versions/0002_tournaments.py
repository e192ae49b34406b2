# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments, which match belongs to which, and the operators that may order them over the API."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "tournament",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
    )
    op.create_index("ix_tournament_status_id", "tournament", ["status", "id"])
    op.create_table(
        "tournament_event",
        sa.Column("tournament_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_tournament_event_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_event")),
    )
    op.create_table(
        "operator",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_operator")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_operator_token_hash")),
    )
    op.add_column("match", sa.Column("tournament", sa.BigInteger(), nullable=True))
    op.add_column("match", sa.Column("round", sa.Text(), nullable=True))
    op.add_column("match", sa.Column("adjudication", sa.Text(), nullable=True))
    some = sa.text("tournament IS NOT NULL")
    op.create_index("ix_match_tournament_id", "match", ["tournament", "id"], sqlite_where=some, postgresql_where=some)
