# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded versions of bots, and the error output of their matches."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "upload",
        sa.Column("id", KEY, nullable=False),
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("stored", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("queued", sa.Double(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_upload_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
    )
    op.create_index("ix_upload_bot_id_number", "upload", ["bot_id", "number"], unique=True)
    op.create_index("ix_upload_state_id", "upload", ["state", "id"])
    op.create_index("ix_upload_account_id_created", "upload", ["account_id", "created"])
    op.create_table(
        "error_output",
        sa.Column("upload_id", KEY, nullable=False),
        sa.Column("match_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["upload_id"], ["upload.id"], name=op.f("fk_error_output_upload_id")),
        sa.PrimaryKeyConstraint("upload_id", "match_id", name=op.f("pk_error_output")),
    )
