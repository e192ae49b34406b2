# SPDX-License-Identifier: GPL-3.0-or-later
"""Confirmed e-mail addresses of accounts, and the codes that confirm them."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Go one step on: earlier addresses are not confirmed."""
    op.add_column("account", sa.Column("email_confirmed", sa.Double(), nullable=True))
    op.add_column("account_code", sa.Column("email", sa.Text(), nullable=True))
