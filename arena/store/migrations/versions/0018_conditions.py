# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions of matches by instructions, from which they can be replayed."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Go one step on."""
    op.add_column("match", sa.Column("conditions", sa.Text(), nullable=True))
