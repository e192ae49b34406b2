# SPDX-License-Identifier: GPL-3.0-or-later
"""The epoch of the server that owns the database, and the audit log of operators' actions."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    server = op.create_table(
        "server",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.BigInteger(), nullable=False),
        sa.Column("inode", sa.Text(), nullable=False),
        sa.Column("claimed", sa.Double(), nullable=True),
        sa.Column("released", sa.Double(), nullable=True),
        sa.Column("probed", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server")),
    )
    op.bulk_insert(server, [{"id": 1, "epoch": 0, "version": "", "host": "", "pid": 0, "inode": ""}])
    op.create_table(
        "audit_log",
        sa.Column("id", KEY, nullable=False),
        sa.Column("time", sa.Double(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index("ix_audit_log_time", "audit_log", ["time"])
