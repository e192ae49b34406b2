# SPDX-License-Identifier: GPL-3.0-or-later
"""Payoffs of games in which a win may count several points, and matches with mirrored dice."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the columns: until now each win counted one point, and no dice were mirrored."""
    op.add_column("match", sa.Column("payoff", sa.Double(), nullable=False, server_default="1"))
    op.add_column("match", sa.Column("mirrored_dice", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("rating", sa.Column("payoff_sum", sa.Double(), nullable=False, server_default="0"))
    op.add_column("rating", sa.Column("payoff_squares", sa.Double(), nullable=False, server_default="0"))
    op.execute("UPDATE rating SET payoff_sum = wins - losses, payoff_squares = wins + losses")
