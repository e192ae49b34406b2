# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches whose deal or rolls stay hidden after their end, because another match has the same."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Add the column; mirrored dice of tournaments that go on stay secret."""
    op.add_column("match", sa.Column("sealed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(
        sa.text(
            "UPDATE match SET sealed = true WHERE mirrored_dice "
            "AND tournament IN (SELECT id FROM tournament WHERE ended IS NULL)"
        )
    )
