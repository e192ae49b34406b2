# SPDX-License-Identifier: GPL-3.0-or-later
"""Identification of the account that sent a request, and of its rights.

A request shows a token in the header Authorization, or the cookie of a session. A browser adds the cookie to every
request to the arena, even to those that pages of other sites send. Therefore a request with a cookie that changes
something must come from a page of the arena.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from http.cookies import SimpleCookie

from aiohttp import web

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.roles import Scope, scopes_of
from arena.features.accounts.rows import Account
from arena.store.rows import BotRow
from web.api.access import Access, shown_token
from web.clients import client_of
from web.errors import Forbidden, NotAllowed, NotFound, RequestError
from web.keys import ANSWER_HEADERS, ARENA
from web.prefix import cookie_name, cookie_path
from web.security import check_own_page

COOKIE = "arena_session"
"""The name of the cookie with the secret of a session. Where the client uses HTTPS, it begins with ``__Host-``:
browsers take a cookie of such a name only from this host, by HTTPS, so neither another site below the same domain nor
somebody on the network can plant one.
"""
HINT = "arena_signed_in"
"""The name of the cookie that tells the scripts of pages that there is a session; it holds no secret."""

READING = ("GET", "HEAD", "OPTIONS")
"""Methods of requests that change nothing."""

BODIES = ("application/json", "application/octet-stream")
"""Types of bodies that a session may send."""

_FOUND = web.RequestKey("account", list[Account | None])


async def identify(request: web.Request) -> Account | None:
    """Return the account that sent a request; None where it is none. The answer is never cached then.

    Raises RequestError for a request that a cookie authorises, changes something, and comes from another site's page.
    """
    known = request.get(_FOUND)
    if known is None:
        known = request[_FOUND] = [await _identify(request)]
    return known[0]


async def _identify(request: web.Request) -> Account | None:
    part = request.app[ARENA].part(AccountsPart)
    if "Authorization" in request.headers:
        token = shown_token(request)
        return await part.tokens.identify(hash_token(token)) if token else None
    secret = _shown_secret(request)
    if not secret:
        return None
    add_header(request, "Cache-Control", "no-store")
    account = await part.sessions.identify(hash_token(secret), part.session_limits)
    if account is not None and request.method not in READING:
        check_own_page(request)
        _check_type(request)
    return None if account is None else part.rights(account)


def _check_type(request: web.Request) -> None:
    """Raise RequestError for a body of a type that forms of other sites can send."""
    if request.content_type not in BODIES:
        raise RequestError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "unsupported-type",
            f"the Content-Type of the body must be {' or '.join(BODIES)} (got {request.content_type[:60]!r})",
        )


def _shown_secret(request: web.Request) -> str:
    """Return the secret of a session that a request shows; "" for none.

    A browser that sends the cookie twice got one of them from another site below the same domain, perhaps with an
    attacker's session: then none counts.
    """
    name = cookie_name(request, COOKIE)
    shown = [
        pair
        for line in request.headers.getall("Cookie", ())
        for pair in line.split(";")
        if pair.split("=")[0].strip() == name
    ]
    secret = request.cookies.get(name, "") if len(shown) == 1 else ""
    return secret if secret.isascii() else ""


def check_page(request: web.Request) -> None:
    """Raise RequestError where a page of another site sent a request, which needs no session.

    Programs other than browsers name no page.
    """
    if "Origin" in request.headers or "Sec-Fetch-Site" in request.headers:
        check_own_page(request)


def add_header(request: web.Request, name: str, value: str) -> None:
    """Add a header to the answer of a request."""
    request.setdefault(ANSWER_HEADERS, []).append((name, value))


def set_cookie(request: web.Request, secret: str, lasts: float) -> None:
    """Set the cookie with the secret of a session; "" deletes it. Scripts do not see it, nor do other sites send it.

    Beside it, scripts see that there is a session, so that only then they ask for the account.
    """
    cookie: SimpleCookie = SimpleCookie()
    name = cookie_name(request, COOKIE)
    cookie[name], cookie[HINT] = secret, "1" if secret else ""
    cookie[name]["httponly"] = True
    for morsel in cookie.values():
        morsel["path"] = cookie_path(request)
        morsel["samesite"] = "Strict"
        morsel["max-age"] = int(lasts) if secret else 0
        if client_of(request).scheme == "https":
            morsel["secure"] = True
        add_header(request, "Set-Cookie", morsel.OutputString())


async def signed_in(request: web.Request) -> Account:
    """Return the account that sent a request, by a session or by any token of it. Raises NotAllowed."""
    account = await identify(request)
    if account is None:
        raise NotAllowed("sign in, or send a token of your account in the header Authorization: Bearer TOKEN")
    return account


def _scope(scope: Scope) -> Callable[[web.Request], Awaitable[Account]]:
    """Return the function that admits accounts with a scope."""

    async def admit(request: web.Request) -> Account:
        account = await signed_in(request)
        check_scope(account, scope)
        return account

    return admit


def check_scope(account: Account, scope: Scope) -> None:
    """Raise Forbidden where an account, or its token, does not have a scope."""
    if scope not in account.scopes:
        whose = "this token has" if scope in scopes_of(account.role) else f"accounts with the role {account.role} have"
        raise Forbidden(f"{whose} no right to {scope}")


async def _manages(request: web.Request) -> Account:
    """Return the account of a session, or of a token that may do all that its account may. Raises NotAllowed."""
    account = await signed_in(request)
    if account.session is None and account.scopes != scopes_of(account.role):
        raise Forbidden("this needs a session, or a token with all scopes of your account")
    return account


def _name(account: Account) -> str:
    return account.name


SIGNED_IN = Access("account", signed_in, _name, cookie=COOKIE)
"""Sessions, and tokens with any scope."""
PLAY = Access("account", _scope("play"), _name, cookie=COOKIE)
SUBMIT = Access("account", _scope("submit"), _name, cookie=COOKIE)
ADMINISTRATOR = Access("account", _scope("administer"), _name, cookie=COOKIE)
MANAGE = Access("account", _manages, _name, cookie=COOKIE)
"""Sessions, and tokens with all scopes of their accounts: a lesser token cannot gain rights, or lock its owner out."""


async def authorise(request: web.Request) -> str | None:
    """Return the name of an organiser or administrator that sent a request, as an operator's; None for no account.

    Raises Forbidden for accounts and tokens that may not organise.
    """
    account = await identify(request)
    if account is None:
        return None
    check_scope(account, "organise")
    return account.name


async def may_change(arena: Arena, account: Account, bot_id: int) -> bool:
    """Tell whether a bot is the account's, or the account an administrator that uses this right."""
    return "administer" in account.scopes or await arena.part(AccountsPart).ownership.owner(bot_id) == account.id


async def changeable(arena: Arena, account: Account, bot_id: int) -> BotRow:
    """Return a bot that an account may change. Raises NotFound, and Forbidden for another's bot."""
    bot = await arena.store.bots.get(bot_id)
    if bot is None or bot.removed is not None:
        raise NotFound(f"no bot has the number {bot_id}")
    if not await may_change(arena, account, bot_id):
        raise Forbidden(f"{bot.name} is not your bot")
    return bot
