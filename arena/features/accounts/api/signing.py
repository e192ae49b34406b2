# SPDX-License-Identifier: GPL-3.0-or-later
"""Endpoints that sign up, sign in and sign out, and that set a new password by a one-time code."""

import secrets
from typing import Annotated, Self

import structlog
from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.features.accounts.access import add_header, check_page, identify, set_cookie
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.codes import hash_code
from arena.features.accounts.mail import check_address
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.roles import Role, check_name
from arena.features.accounts.rows import AccountRow, BadCode, UnknownAccount, UnknownCredential
from arena.features.accounts.totp import step_of
from arena.protocol.terminal import plain_line
from arena.store.acting import Action, acting
from web.api.endpoint import Answer, Endpoint
from web.clients import Client, client_of
from web.errors import Forbidden, NotAllowed, RequestError

Name = Annotated[str, Meta(max_length=100)]
Secret = Annotated[str, Meta(max_length=1000)]

WRONG = "the name or the password is wrong"

log = structlog.get_logger("arena.accounts")


class SignUpRequest(Struct, frozen=True):
    """A new account."""

    name: Name
    """Name of the account, not used by another one."""
    password: Secret
    """The password. Weak passwords are refused."""
    code: Secret = ""
    """One-time code of an invitation, or of the first administrator."""
    email: Annotated[str, Meta(max_length=200)] = ""
    """Address for mails about the account, such as a new password; empty: none."""


class SignInRequest(Struct, frozen=True):
    """The name of an account and its password."""

    name: Name
    """Name of the account."""
    password: Secret
    """Password of the account."""
    code: Secret = ""
    """The code of the authenticator app, or a recovery code, where the account has a second factor."""


class ResetRequest(Struct, frozen=True):
    """A one-time code from an administrator or a mail, and the new password."""

    code: Secret
    """The one-time code; it works once, until it expires."""
    password: Secret
    """The new password. Weak passwords are refused."""


class Empty(Struct, frozen=True):
    """No parameters."""


class AccountSummary(Answer, frozen=True):
    """An account."""

    id: int
    name: str
    """Name with which the account signs in; the `owner` of its bots."""
    role: Role
    """owner: manages its own bots; organiser: also tournaments; administrator: also accounts and the server."""


class SignedInAnswer(Answer, frozen=True):
    """The account of the session that begins; its cookie comes with the answer."""

    account: AccountSummary
    """The account that has signed in."""

    @classmethod
    def with_account(cls, row: AccountRow) -> Self:
        """Return the answer for an account."""
        return cls(account=AccountSummary(id=row.id, name=row.name, role=row.role))


class DoneAnswer(Answer, frozen=True):
    """The change is made."""


async def sign_up(arena: Arena, request: web.Request, body: SignUpRequest) -> SignedInAnswer:
    """Make an account, and sign in."""
    check_page(request)
    part, client = arena.part(AccountsPart), client_of(request)
    with refusals():
        check_name(body.name)
        email = check_address(body.email) if body.email.strip() else ""
        first = await _check_code(part, client.key, body.code)
        with part.sign_ups.take(client.key):
            await part.passwords.check(body.password, body.name)
        password_hash = await part.passwords.hash(body.password)
        with acting(Action(body.name, client.address, "POST /api/v1/accounts")):
            if first:
                row = await part.accounts.add_first(body.name, password_hash, email)
                part.first_code = ""
            else:
                code = hash_code(body.code) if body.code else ""
                row = await part.accounts.add(
                    body.name, "owner", password_hash=password_hash, email=email, code_hash=code
                )
        if email and part.mailer.on:
            await part.change_email(row, email)
    await _begin(part, request, row)
    return SignedInAnswer.with_account(row)


async def _check_code(part: AccountsPart, address: str, code: str) -> bool:
    """Return whether a code is the first administrator's. Raises Forbidden, BadCode and Limited."""
    if not code:
        if part.sign_up != "open":
            raise Forbidden("this arena takes no new accounts without a one-time code; ask an administrator for one")
        return False
    with part.guesses.attempt(address):
        if part.is_first_code(code):
            return True
        if part.sign_up == "closed":
            raise Forbidden("this arena takes no new accounts; ask an administrator")
        await part.codes.check_invitation(hash_code(code))
    return False


async def sign_in(arena: Arena, request: web.Request, body: SignInRequest) -> SignedInAnswer:
    """Begin a session of an account."""
    check_page(request)
    part, client = arena.part(AccountsPart), client_of(request)
    with refusals(), part.guesses.attempt(client.key, body.name):
        row = await part.accounts.named(body.name)
        known = row.password_hash if row is not None and row.active else None
        if not await part.passwords.matches(known, body.password) or row is None:
            log.warning("sign-in refused", account=plain_line(body.name), address=client.address)
            raise NotAllowed(WRONG)
    await _check_second_factor(part, client, row, body.code)
    with acting(Action(row.name, client.address, "POST /api/v1/sessions")):
        try:
            await _begin(part, request, row)
        except (UnknownAccount, UnknownCredential):  # changed or deleted while the password was checked
            raise NotAllowed(WRONG) from None
    return SignedInAnswer.with_account(row)


async def _check_second_factor(part: AccountsPart, client: Client, row: AccountRow, code: str) -> None:
    """Raise RequestError where an account has a second factor and the code is not right. A code counts once."""
    found = await part.second_factors.get(row.id)
    if found is None or found.confirmed is None:
        return
    if not code:
        raise RequestError(401, "second-factor", "enter the code of your authenticator app, or a recovery code")
    with refusals(), part.guesses.attempt(client.key, row.name):
        step = step_of(found.secret, code, part.now())
        if step is not None and await part.second_factors.use_step(row.id, step):
            return
        try:
            await part.second_factors.use_recovery(row.id, hash_code(code))
        except BadCode:
            log.warning("second factor refused", account=row.name, address=client.address)
            raise RequestError(401, "second-factor", "the code is wrong, or was used already") from None


async def _begin(part: AccountsPart, request: web.Request, row: AccountRow) -> None:
    """Begin a session with a secret of its own, and end the one that the browser had."""
    before = await identify(request)
    if before is not None and before.session is not None:
        await part.sessions.end(before.id, before.session)
    secret = secrets.token_urlsafe(32)
    agent = request.headers.get("User-Agent", "")
    await part.sessions.begin(
        row.id,
        hash_token(secret),
        client_of(request).address,
        agent,
        part.session_limits,
        password_hash=row.password_hash or "",
    )
    set_cookie(request, secret, part.session_limits.time)
    add_header(request, "Cache-Control", "no-store")


async def sign_out(arena: Arena, request: web.Request, body: Empty) -> DoneAnswer:
    """End the session of the browser, if it has one."""
    check_page(request)
    account = await identify(request)
    if account is not None and account.session is not None:
        with acting(Action(account.name, client_of(request).address, "POST /api/v1/sessions/end")):
            await arena.part(AccountsPart).sessions.end(account.id, account.session)
    set_cookie(request, "", 0.0)
    return DoneAnswer()


async def reset_password(arena: Arena, request: web.Request, body: ResetRequest) -> DoneAnswer:
    """Set a new password by a one-time code, and end all sessions of the account."""
    check_page(request)
    part, client = arena.part(AccountsPart), client_of(request)
    with refusals(), part.guesses.attempt(client.key):
        row = await part.accounts.get(await part.codes.check(hash_code(body.code), "reset"))
        await part.passwords.check(body.password, row.name)
        password_hash = await part.passwords.hash(body.password)
        with acting(Action(row.name, client.address, "POST /api/v1/password-resets")):
            await part.accounts.reset_password(hash_code(body.code), password_hash)
    part.tell_owner(row, "The password of your account has changed")
    return DoneAnswer()


ENDPOINTS = (
    Endpoint("POST", "/api/v1/accounts", sign_up, errors=ERRORS),
    Endpoint(
        "POST",
        "/api/v1/sessions",
        sign_in,
        errors={
            **ERRORS,
            401: "The name, the password or the code is wrong, or a code is needed.",
        },
    ),
    Endpoint("POST", "/api/v1/sessions/end", sign_out, errors=ERRORS),
    Endpoint("POST", "/api/v1/password-resets", reset_password, errors=ERRORS),
)
