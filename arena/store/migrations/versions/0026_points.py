# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of both seats of matches of games that are not zero-sum."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the columns: until now all games were zero-sum."""
    op.add_column("match", sa.Column("points_first", sa.Double(), nullable=True))
    op.add_column("match", sa.Column("points_second", sa.Double(), nullable=True))
