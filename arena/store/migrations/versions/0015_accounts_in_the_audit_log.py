# SPDX-License-Identifier: GPL-3.0-or-later
"""The audit log names the account that acted in the column ``account``."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Go one step on."""
    op.alter_column("audit_log", "who", new_column_name="account")
