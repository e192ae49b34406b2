# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of accounts, of what signs them in, and of the bots that they own."""

from sqlalchemy import BigInteger, Double, Text
from sqlmodel import Field

from arena.store.tables import Base, key, plain, reference


class Account(Base, table=True):
    """An account.

    ``skeleton`` is the same for names that look alike. The row of a deleted account stays, without its name.
    """

    id: int | None = Field(default=None, sa_column=key())
    name: str = Field(sa_type=Text)
    skeleton: str = Field(sa_type=Text, unique=True)
    password_hash: str | None = Field(default=None, sa_type=Text)
    role: str = Field(sa_type=Text)
    email: str = Field(default="", sa_type=Text)
    email_confirmed: float | None = Field(default=None, sa_type=Double)
    created: float = Field(sa_type=Double)
    disabled: float | None = Field(default=None, sa_type=Double)
    deleted: float | None = Field(default=None, sa_type=Double)


class AccountToken(Base, table=True):
    """A token of an account; ``scopes`` are words."""

    __tablename__ = "account_token"

    id: int | None = Field(default=None, sa_column=key())
    account_id: int = Field(sa_column=reference("account.id", index=True))
    label: str = Field(sa_type=Text)
    token_hash: str = Field(sa_type=Text, unique=True)
    scopes: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)
    last_used: float | None = Field(default=None, sa_type=Double)
    revoked: float | None = Field(default=None, sa_type=Double)


class AccountSession(Base, table=True):
    """A session of a browser."""

    __tablename__ = "account_session"

    id: int | None = Field(default=None, sa_column=key())
    account_id: int = Field(sa_column=reference("account.id", index=True))
    secret_hash: str = Field(sa_type=Text, unique=True)
    created: float = Field(sa_type=Double)
    last_seen: float = Field(sa_type=Double)
    address: str = Field(sa_type=Text)
    agent: str = Field(sa_type=Text)


class AccountCode(Base, table=True):
    """A one-time code: an invitation to an account of a role, the way to a new password of an account, or the
    confirmation of its e-mail address.
    """

    __tablename__ = "account_code"

    id: int | None = Field(default=None, sa_column=key())
    code_hash: str = Field(sa_type=Text, unique=True)
    kind: str = Field(sa_type=Text)
    account_id: int | None = Field(default=None, sa_type=BigInteger)
    role: str = Field(sa_type=Text)
    created: float = Field(sa_type=Double)
    expires: float = Field(sa_type=Double)
    used: float | None = Field(default=None, sa_type=Double)
    email: str | None = Field(default=None, sa_type=Text)


class SecondFactor(Base, table=True):
    """The secret of an account's authenticator app."""

    __tablename__ = "second_factor"

    account_id: int = Field(sa_column=reference("account.id", primary_key=True))
    secret: str = Field(sa_type=Text)
    confirmed: float | None = Field(default=None, sa_type=Double)
    last_step: int = Field(sa_type=BigInteger)


class OwnedBot(Base, table=True):
    """The account of a bot; only administrators can change a bot without one."""

    __tablename__ = "owned_bot"

    bot_id: int = Field(sa_column=reference("bot.id", primary_key=True))
    account_id: int = Field(sa_column=reference("account.id", index=True))


accounts = plain(Account)
tokens = plain(AccountToken)
sessions = plain(AccountSession)
codes = plain(AccountCode)
second_factors = plain(SecondFactor)
owned_bots = plain(OwnedBot)

TABLES = (accounts, tokens, sessions, codes, second_factors, owned_bots)
