# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations that are bred, their generations, and the genomes of bots that were bred."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "population",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_population")),
        sa.UniqueConstraint("name", name=op.f("uq_population_name")),
    )
    op.create_table(
        "generation",
        sa.Column("population_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["population_id"], ["population.id"], name=op.f("fk_generation_population_id")),
        sa.PrimaryKeyConstraint("population_id", "number", name=op.f("pk_generation")),
    )
    op.create_table(
        "genome",
        sa.Column("version_id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"], name=op.f("fk_genome_version_id")),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_genome")),
    )
