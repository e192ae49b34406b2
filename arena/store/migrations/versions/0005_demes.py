# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands on volunteers' machines, their history, the verifications of their claims, and migrations of genomes."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "deme",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("joined", sa.Text(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=True),
        sa.Column("reports", sa.BigInteger(), nullable=False),
        sa.Column("repeated", sa.BigInteger(), nullable=False),
        sa.Column("refusals", sa.Text(), nullable=False),
        sa.Column("quarantined", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("pardons", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deme")),
        sa.UniqueConstraint("name", name=op.f("uq_deme_name")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_deme_token_hash")),
    )
    op.create_table(
        "deme_point",
        sa.Column("deme_id", KEY, nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["deme_id"], ["deme.id"], name=op.f("fk_deme_point_deme_id")),
        sa.PrimaryKeyConstraint("deme_id", "generation", name=op.f("pk_deme_point")),
    )
    op.create_table(
        "exam",
        sa.Column("id", KEY, nullable=False),
        sa.Column("deme_id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["deme_id"], ["deme.id"], name=op.f("fk_exam_deme_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam")),
    )
    op.create_index("ix_exam_deme_id_id", "exam", ["deme_id", "id"])
    op.create_table(
        "mating",
        sa.Column("id", KEY, nullable=False),
        sa.Column("exam_id", KEY, nullable=False),
        sa.Column("giver_id", KEY, nullable=False),
        sa.Column("taker_id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("offered", sa.Double(), nullable=False),
        sa.Column("arrived", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["exam_id"], ["exam.id"], name=op.f("fk_mating_exam_id")),
        sa.ForeignKeyConstraint(["giver_id"], ["deme.id"], name=op.f("fk_mating_giver_id")),
        sa.ForeignKeyConstraint(["taker_id"], ["deme.id"], name=op.f("fk_mating_taker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mating")),
    )
    op.create_index("ix_mating_taker_id_id", "mating", ["taker_id", "id"])
    op.create_index("ix_mating_giver_id_id", "mating", ["giver_id", "id"])
