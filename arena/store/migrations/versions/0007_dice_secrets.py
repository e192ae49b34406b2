# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns for data that is hidden during a match: the secret of the dice, the players, and their search info."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Go one step on. Matches of before roll their dice by their seed."""
    op.add_column("match", sa.Column("dice_secret", sa.Text(), nullable=True))
    op.add_column("match", sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("match", sa.Column("info_release", sa.Text(), nullable=False, server_default="delayed"))
    live = """UPDATE "match" SET {} WHERE status = 'live' AND tournament IN (SELECT id FROM tournament{})"""
    op.execute(live.format("info_release = 'end'", ""))
    # how the description of a tournament is written; in a name the quotes would be escaped
    op.execute(live.format("anonymous = true", """ WHERE config LIKE '%"anonymous"\\:true%'"""))
