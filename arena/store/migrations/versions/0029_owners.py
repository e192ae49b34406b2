# SPDX-License-Identifier: GPL-3.0-or-later
"""The server that referees a match, where several servers are one arena, and the number of the referee."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Add the columns; a single server has no owner and epoch 0."""
    op.add_column("match", sa.Column("owner", sa.BigInteger(), nullable=True))
    op.add_column("match", sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))
