# SPDX-License-Identifier: GPL-3.0-or-later
"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Go one step on."""
    ${upgrades if upgrades else "pass"}
