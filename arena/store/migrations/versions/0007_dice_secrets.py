# SPDX-License-Identifier: GPL-3.0-or-later
"""What a match keeps back while it goes on: the secret of its dice, its players, and what they report."""

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
