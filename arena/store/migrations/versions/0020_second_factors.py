# SPDX-License-Identifier: GPL-3.0-or-later
"""Second factors of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    op.create_table(
        "second_factor",
        sa.Column("account_id", KEY, nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("confirmed", sa.Double(), nullable=True),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_second_factor_account_id")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_second_factor")),
    )
