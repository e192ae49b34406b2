# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts with tokens, sessions and one-time codes, and the bots that they own; operators become accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go one step on."""
    account = op.create_table(
        "account",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("skeleton", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("disabled", sa.Double(), nullable=True),
        sa.Column("deleted", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("skeleton", name=op.f("uq_account_skeleton")),
    )
    token = op.create_table(
        "account_token",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account_id", KEY, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("last_used", sa.Double(), nullable=True),
        sa.Column("revoked", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_token_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_account_token_token_hash")),
    )
    op.create_index("ix_account_token_account_id", "account_token", ["account_id"])
    op.create_table(
        "account_session",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account_id", KEY, nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("last_seen", sa.Double(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_session_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_session")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_account_session_secret_hash")),
    )
    op.create_index("ix_account_session_account_id", "account_session", ["account_id"])
    op.create_table(
        "account_code",
        sa.Column("id", KEY, nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_code")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_account_code_code_hash")),
    )
    op.create_table(
        "owned_bot",
        sa.Column("bot_id", KEY, nullable=False),
        sa.Column("account_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_owned_bot_bot_id")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_owned_bot_account_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_owned_bot")),
    )
    op.create_index("ix_owned_bot_account_id", "owned_bot", ["account_id"])
    _take_over_operators(account, token)
    op.drop_table("operator")


def _take_over_operators(account: sa.Table, token: sa.Table) -> None:
    """Make an account of each operator, with its token. Operators' names may look alike: the later get a number."""
    connection = op.get_bind()
    operator = sa.table("operator", *map(sa.column, ("name", "token_hash", "created")))
    taken: set[str] = set()
    for name, token_hash, created in connection.execute(
        sa.select(operator.c.name, operator.c.token_hash, operator.c.created).order_by(operator.c.created)
    ).all():
        if name in ("the breeder", "the verifier"):
            continue  # processes of the arena, which get a token at each start
        free, number = name, 1
        while _skeleton(free) in taken:
            number += 1
            free = f"{name}-{number}"
        taken.add(_skeleton(free))
        row = {"name": free, "skeleton": _skeleton(free), "role": "organiser", "email": "", "created": created}
        (number,) = connection.execute(sa.insert(account).values(row).returning(account.c.id)).one()
        row = {"account_id": number, "label": "operator", "token_hash": token_hash, "created": created}
        connection.execute(sa.insert(token).values(row | {"scopes": "organise"}))


def _skeleton(name: str) -> str:
    return name.lower().translate(str.maketrans("01i._+", "oll---"))
