# SPDX-License-Identifier: GPL-3.0-or-later
"""Endpoints by which administrators manage accounts and invitations."""

from typing import Annotated

from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.access import ADMINISTRATOR
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.api.signing import DoneAnswer, Empty
from arena.features.accounts.codes import hash_code, make_code
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.roles import Role
from arena.features.accounts.rows import Account
from web.api.endpoint import Answer, Endpoint, One, OnePage

DAY = 86_400.0


class ListedAccount(Answer, frozen=True):
    """An account in a list."""

    id: int
    name: str
    """Name with which the account signs in; the `owner` of its bots."""
    role: Role
    """owner: manages its own bots; organiser: also tournaments; administrator: also accounts and the server."""
    email: str
    """E-mail address; empty: none is known."""
    created: float
    disabled: float | None
    """Time at which the account was disabled; null: it is not disabled."""
    bots: int
    """Number of its bots, without removed ones."""


class AccountsAnswer(Answer, frozen=True):
    """A page of accounts, in the order they were made; deleted ones are left out."""

    items: list[ListedAccount]
    next: str | None


class RoleRequest(Struct, frozen=True):
    """Another role."""

    role: Role
    """The role of the account from now on: owner, organiser or administrator."""


class DisableRequest(Struct, frozen=True):
    """Whether the account is disabled from now on."""

    disabled: bool
    """true: disable the account, which ends its sessions; false: enable it again."""


class CodeAnswer(Answer, frozen=True):
    """A one-time code."""

    code: str
    """The one-time code. It is not shown again."""
    expires: float
    """Unix time in seconds from which the code is refused."""


class InvitationRequest(Struct, frozen=True):
    """A new invitation."""

    role: Role = "owner"
    """The role of the account that will sign up with the code."""
    days: Annotated[float, Meta(gt=0, le=365)] = 7.0
    """Days for which the code is valid."""


class InvitationAnswer(Answer, frozen=True):
    """An invitation that can be used; its code is not shown."""

    id: int
    role: Role
    """The role of the account that signs up with this invitation."""
    created: float
    expires: float
    """Unix time in seconds from which the code is refused."""


class InvitationsAnswer(Answer, frozen=True):
    """All invitations that can be used, the newest first."""

    items: list[InvitationAnswer]


class NewInvitationAnswer(InvitationAnswer, frozen=True):
    """A new invitation."""

    code: str
    """The one-time code. It is not shown again."""


async def list_accounts(arena: Arena, account: Account, query: OnePage) -> AccountsAnswer:
    """List the accounts."""
    part = arena.part(AccountsPart)
    page = await part.accounts.page(after=query.after, limit=query.limit)
    bots = await part.ownership.counts([row.id for row in page.items])
    items = [ListedAccount.of(row, bots=bots.get(row.id, 0)) for row in page.items]
    return AccountsAnswer(items=items, next=page.next)


async def set_role(arena: Arena, account: Account, query: One, body: RoleRequest) -> DoneAnswer:
    """Give an account another role; its sessions and tokens have the rights of the new one at once."""
    with refusals():
        await arena.part(AccountsPart).accounts.set_role(query.id, body.role)
    return DoneAnswer()


async def disable_account(arena: Arena, account: Account, query: One, body: DisableRequest) -> DoneAnswer:
    """Disable an account, with its sessions, its tokens and the tokens of its bots; or enable it again."""
    with refusals():
        await arena.part(AccountsPart).accounts.set_disabled(query.id, body.disabled)
    await arena.part(AccountsPart).tell_change()
    return DoneAnswer()


async def make_reset_code(arena: Arena, account: Account, query: One, body: Empty) -> CodeAnswer:
    """Make a one-time code with which the owner of an account sets a new password within a day."""
    code = make_code()
    made = await arena.part(AccountsPart).codes.reset(hash_code(code), query.id, DAY)
    return CodeAnswer(code=code, expires=made.expires)


async def list_invitations(arena: Arena, account: Account) -> InvitationsAnswer:
    """List the invitations that can be used."""
    rows = await arena.part(AccountsPart).codes.invitations()
    return InvitationsAnswer(items=[InvitationAnswer.of(row) for row in rows])


async def invite(arena: Arena, account: Account, body: InvitationRequest) -> NewInvitationAnswer:
    """Make an invitation: a one-time code for a new account."""
    code = make_code()
    made = await arena.part(AccountsPart).codes.invite(hash_code(code), body.role, body.days * DAY, by=account.id)
    return NewInvitationAnswer.of(made, code=code)


async def revoke_invitation(arena: Arena, account: Account, query: One, body: Empty) -> DoneAnswer:
    """Revoke an invitation."""
    await arena.part(AccountsPart).codes.revoke_invitation(query.id)
    return DoneAnswer()


ENDPOINTS = (
    Endpoint("GET", "/api/v1/accounts", list_accounts, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("POST", "/api/v1/accounts/{id}/role", set_role, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("POST", "/api/v1/accounts/{id}/disable", disable_account, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("POST", "/api/v1/accounts/{id}/reset", make_reset_code, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("GET", "/api/v1/invitations", list_invitations, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("POST", "/api/v1/invitations", invite, access=ADMINISTRATOR, errors=ERRORS),
    Endpoint("POST", "/api/v1/invitations/{id}/revoke", revoke_invitation, access=ADMINISTRATOR, errors=ERRORS),
)
