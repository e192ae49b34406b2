# SPDX-License-Identifier: GPL-3.0-or-later
"""Endpoints of one's own account: its limits, password, sessions, tokens, bots and notices."""

from typing import Annotated

from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.features.accounts.access import MANAGE, SIGNED_IN, check_scope, set_cookie
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.api.signing import DoneAnswer, Empty, Secret
from arena.features.accounts.part import AccountsPart, Notice
from arena.features.accounts.roles import SCOPES, Role, Scope
from arena.features.accounts.rows import Account
from arena.store.acting import Action, acting
from web.api.bots import BotAnswer, describe
from web.api.endpoint import Answer, Endpoint, One
from web.clients import client_of
from web.errors import BadRequest, Forbidden


class AccountAnswer(Answer, frozen=True):
    """One's own account."""

    id: int
    name: str
    """Name with which the account signs in; the `owner` of its bots."""
    role: Role
    """owner: manages its own bots; organiser: also tournaments; administrator: also accounts and the server."""
    email: str
    """E-mail address; empty: none is known."""
    email_confirmed: float | None
    """When its owner confirmed the address; null: it is not confirmed."""
    mail: bool
    """Whether the arena sends mails."""
    created: float
    scopes: list[Scope]
    """Scopes of this request: with a session, all scopes of the account's role; with a token, the token's scopes."""
    has_password: bool
    """Whether the account signs in with a password; requests that ask for a password then need it."""
    second_factor: bool
    """Whether signing in takes a code of an authenticator app."""
    needs_second_factor: bool
    """Whether this session has the rights of its role only with a second factor."""
    limits: dict[str, float | None]
    """Limits by name, such as bots; null: no limit."""
    usage: dict[str, float]
    """How much of each limit is used."""


class PasswordRequest(Struct, frozen=True):
    """The old password ("" where the account has none) and the new one."""

    old: Secret
    """The password until now; empty where the account has none."""
    new: Secret
    """The password from now on. Weak passwords are refused."""


class DeletionRequest(Struct, frozen=True):
    """The password of the account ("" where it has none)."""

    password: Secret
    """The password of the account, as proof that its owner sends the request; empty where it has none."""


class SessionAnswer(Answer, frozen=True):
    """A session."""

    id: int
    created: float
    last_seen: float
    """Time of the last request of the session, as Unix time in seconds."""
    address: str
    """Client address of the sign-in."""
    agent: str
    """Name of the browser, from its header `User-Agent`."""
    current: bool
    """Whether this request belongs to the session."""


class SessionsAnswer(Answer, frozen=True):
    """All sessions of the account, the newest first."""

    items: list[SessionAnswer]


class TokenRequest(Struct, frozen=True):
    """A new token."""

    label: Annotated[str, Meta(max_length=100)]
    """Name of the token, to tell it from others."""
    scopes: list[Scope]
    """What a program with the token may do; none that the role of the account does not have."""


class TokenAnswer(Answer, frozen=True):
    """A token, which is not shown."""

    id: int
    label: str
    """What its owner calls the token, to tell it from others."""
    scopes: list[Scope]
    """What a program with the token may do; never more than the role of the account."""
    created: float
    last_used: float | None
    """Time of the last request with the token, as Unix time in seconds; null: never used."""


class TokensAnswer(Answer, frozen=True):
    """All tokens of the account."""

    items: list[TokenAnswer]


class NewTokenAnswer(TokenAnswer, frozen=True):
    """A new token."""

    token: str
    """The token. It is not shown again."""


class OwnBotsAnswer(Answer, frozen=True):
    """The bots of the account."""

    items: list[BotAnswer]


class NoticesAnswer(Answer, frozen=True):
    """The notices to the account, the newest first."""

    items: list[Notice]


async def get_account(arena: Arena, account: Account) -> AccountAnswer:
    """Describe one's own account, with its limits."""
    part = arena.part(AccountsPart)
    row = await part.accounts.get(account.id)
    quotas = await part.quota(account)
    return AccountAnswer.of(
        row,
        scopes=_ordered(account.scopes),
        mail=part.mailer.on,
        second_factor=await part.second_factors.is_on(account.id),
        needs_second_factor=part.lacks_second_factor(account),
        has_password=row.password_hash is not None,
        limits={name: quota.limit for name, quota in quotas.items()},
        usage={name: quota.used for name, quota in quotas.items()},
    )


async def change_password(arena: Arena, request: web.Request, account: Account, body: PasswordRequest) -> DoneAnswer:
    """Change the password, and end all other sessions."""
    part = arena.part(AccountsPart)
    with refusals():
        was = await check_own(part, request, account, body.old)
        await part.passwords.check(body.new, account.name)
        password_hash = await part.passwords.hash(body.new)
        with acting(Action(account.name, client_of(request).address, "POST /api/v1/account/password")):
            await part.accounts.set_password(account.id, password_hash, keep=account.session, was=was)
        part.tell_owner(await part.accounts.get(account.id), "The password of your account has changed")
    return DoneAnswer()


async def delete_account(arena: Arena, request: web.Request, account: Account, body: DeletionRequest) -> DoneAnswer:
    """Delete the account and remove its bots; matches and ratings stay, without its name."""
    part = arena.part(AccountsPart)
    with refusals():
        await check_own(part, request, account, body.password)
        with acting(Action(account.name, client_of(request).address, "POST /api/v1/account/delete")):
            await part.accounts.delete(account.id)
            await part.tell_change()
    set_cookie(request, "", 0.0)
    return DoneAnswer()


async def check_own(part: AccountsPart, request: web.Request, account: Account, password: str) -> str | None:
    """Return the stored hash of a password. Raises Forbidden where the password is not the account's, or the account
    has one and it is not given.
    """
    row = await part.accounts.get(account.id)
    if row.password_hash is None and not password:
        return None
    with part.guesses.attempt(client_of(request).key, account.name):
        if not await part.passwords.matches(row.password_hash, password):
            raise Forbidden("the password is wrong")
    return row.password_hash


async def list_sessions(arena: Arena, account: Account) -> SessionsAnswer:
    """List the sessions of one's account."""
    part = arena.part(AccountsPart)
    rows = await part.sessions.of(account.id, part.session_limits)
    return SessionsAnswer(items=[SessionAnswer.of(row, current=row.id == account.session) for row in rows])


async def revoke_session(arena: Arena, account: Account, query: One, body: Empty) -> DoneAnswer:
    """End a session of one's account."""
    await arena.part(AccountsPart).sessions.end(account.id, query.id)
    return DoneAnswer()


async def list_tokens(arena: Arena, account: Account) -> TokensAnswer:
    """List the tokens of one's account that are not revoked."""
    rows = await arena.part(AccountsPart).tokens.of(account.id)
    return TokensAnswer(items=[TokenAnswer.of(row, scopes=_ordered(row.scopes)) for row in rows])


async def make_account_token(arena: Arena, account: Account, body: TokenRequest) -> NewTokenAnswer:
    """Make a token of one's account."""
    if not body.scopes:
        raise BadRequest(f"a token needs a scope: {', '.join(_ordered(account.scopes))}")
    for scope in body.scopes:
        check_scope(account, scope)
    part, token = arena.part(AccountsPart), make_token()
    with refusals():
        row = await part.tokens.add(
            account.id, body.label, hash_token(token), frozenset(body.scopes), part.settings.tokens_per_account
        )
    return NewTokenAnswer.of(row, scopes=_ordered(row.scopes), token=token)


async def revoke_token(arena: Arena, account: Account, query: One, body: Empty) -> DoneAnswer:
    """Revoke a token of one's account."""
    await arena.part(AccountsPart).tokens.revoke(account.id, query.id)
    return DoneAnswer()


async def list_own_bots(arena: Arena, account: Account) -> OwnBotsAnswer:
    """List the bots of one's account."""
    bots = await arena.part(AccountsPart).ownership.bots(account.id)
    return OwnBotsAnswer(items=[describe(arena, bot) for bot in bots])


async def list_notices(arena: Arena, account: Account) -> NoticesAnswer:
    """List the notices about the bots of one's account."""
    return NoticesAnswer(items=await arena.part(AccountsPart).notices_of(account))


def _ordered(scopes: frozenset[Scope]) -> list[Scope]:
    return [scope for scope in SCOPES if scope in scopes]


ENDPOINTS = (
    Endpoint("GET", "/api/v1/account", get_account, access=SIGNED_IN),
    Endpoint("POST", "/api/v1/account/password", change_password, access=MANAGE, audited=False, errors=ERRORS),
    Endpoint("POST", "/api/v1/account/delete", delete_account, access=MANAGE, audited=False, errors=ERRORS),
    Endpoint("GET", "/api/v1/account/sessions", list_sessions, access=MANAGE, errors=ERRORS),
    Endpoint("POST", "/api/v1/account/sessions/{id}/revoke", revoke_session, access=MANAGE, errors=ERRORS),
    Endpoint("GET", "/api/v1/account/tokens", list_tokens, access=MANAGE, errors=ERRORS),
    Endpoint("POST", "/api/v1/account/tokens", make_account_token, access=MANAGE, errors=ERRORS),
    Endpoint("POST", "/api/v1/account/tokens/{id}/revoke", revoke_token, access=MANAGE, errors=ERRORS),
    Endpoint("GET", "/api/v1/account/bots", list_own_bots, access=SIGNED_IN),
    Endpoint("GET", "/api/v1/account/notices", list_notices, access=SIGNED_IN),
)
