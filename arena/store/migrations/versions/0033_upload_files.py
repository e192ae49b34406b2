# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded files in PostgreSQL, each in parts. With SQLite they are in a folder."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Go one step on. A server moves the files of its folder at its next start."""
    op.create_table(
        "upload_file",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", "language", name=op.f("pk_upload_file")),
    )
    op.create_table(
        "upload_part",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", "language", "number", name=op.f("pk_upload_part")),
    )
