# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the records of accounts, and the errors for records that do not exist."""

from typing import NamedTuple

from msgspec import Struct

from arena.features.accounts.roles import Role, Scope
from arena.store.errors import StoreRejected, Unknown


class Account(Struct, frozen=True):
    """The account that sent a request, with what the request may do."""

    id: int
    name: str
    role: Role
    scopes: frozenset[Scope]
    """All of the role's for a session; a token may have fewer."""
    session: int | None = None
    """The number of the session; None for a token."""
    second_factor: bool = False
    """Whether a session needed a second factor."""


class AccountRow(NamedTuple):
    """A stored account."""

    id: int
    name: str
    password_hash: str | None
    role: Role
    email: str
    email_confirmed: float | None
    created: float
    disabled: float | None
    deleted: float | None

    @property
    def active(self) -> bool:
        """Whether it may sign in."""
        return self.disabled is None and self.deleted is None

    @property
    def mail_address(self) -> str:
        """The address that the owner has confirmed; "" for none."""
        return self.email if self.email_confirmed is not None else ""


class TokenRow(NamedTuple):
    """A token of an account."""

    id: int
    account_id: int
    label: str
    scopes: frozenset[Scope]
    created: float
    last_used: float | None
    revoked: float | None


class SessionRow(NamedTuple):
    """A session of a browser."""

    id: int
    account_id: int
    created: float
    last_seen: float
    address: str
    agent: str


class CodeRow(NamedTuple):
    """A one-time code: an ``invitation``, a ``reset`` of a password, the confirmation of an ``email`` address, or a
    ``recovery`` code, which replaces a code of an authenticator app.
    """

    id: int
    kind: str
    account_id: int | None
    role: Role
    created: float
    expires: float
    used: float | None


class UnknownAccount(Unknown):
    """No account has that number or name."""


class UnknownCredential(Unknown):
    """The account has no token or session of that number, or there is no such invitation."""


class BadCode(StoreRejected):
    """The one-time code does not exist, was used, or is too old."""


class SecondFactorOn(StoreRejected):
    """The account has a second factor already."""


class TooMany(StoreRejected):
    """The account has as many bots or tokens as it may have."""


class LastAdministrator(StoreRejected):
    """The change would leave the arena without an administrator."""
