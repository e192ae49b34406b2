# SPDX-License-Identifier: GPL-3.0-or-later
"""Authorisation of requests: for everybody, for operators, for bots with their own token."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from aiohttp import web

from arena.connections.admission import hash_token
from arena.store.rows import BotRow
from web.clients import client_of
from web.errors import SCHEME, NotAllowed
from web.keys import ARENA, AUTHORISERS

S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class Access(Generic[S]):
    """The requests that an endpoint admits."""

    kind: str
    """Kind of token, as the OpenAPI document names it; "" for everybody."""
    admit: Callable[[web.Request], Awaitable[S]]
    """Return the sender of a request, such as the name of an operator. Raises NotAllowed."""
    actor: Callable[[S], str] | None = None
    """Return the name of a sender for the audit log; None where the log has no requests of such senders."""
    forbids: bool = False
    """Whether a sender that a feature knows, and that is not admitted, is answered with status 403."""
    cookie: str = ""
    """The name of the cookie that a browser may show instead of a token; "" for none."""


async def check_operator(request: web.Request) -> str:
    """Return the name of the operator that sent a request: a process of the arena by its token, or an account that a
    feature authorises. Raises NotAllowed, and Forbidden if a feature knows the sender and it is no operator.
    """
    token = shown_token(request)
    name = request.app[ARENA].store.operators.by_token(hash_token(token)) if token else None
    for authorise in request.app[AUTHORISERS]:
        name = name or await authorise(request)
    if name is None:
        token_of(request, "an operator's")
        raise NotAllowed("this token does not belong to an operator")
    return name


async def find_bot(request: web.Request) -> BotRow:
    """Return the bot that sent a request, by its token. Raises NotAllowed."""
    bot = await request.app[ARENA].store.bots.by_token(hash_token(token_of(request, "a bot's")))
    if bot is None:
        raise NotAllowed("this token does not belong to a bot")
    return bot


async def _admit_all(request: web.Request) -> None:
    """Admit every request."""


async def _check_near(request: web.Request) -> None:
    """Admit clients on this machine, and operators. Raises NotAllowed."""
    if not client_of(request).loopback:
        await check_operator(request)


EVERYBODY = Access("", _admit_all)
OPERATOR = Access("operator", check_operator, str, forbids=True)
BOT = Access("bot", find_bot)
NEAR = Access("operator", _check_near, forbids=True)
"""Clients on this machine, and operators."""


def token_of(request: web.Request, whose: str) -> str:
    """Return the token of a request. Raises NotAllowed if it has none."""
    token = shown_token(request)
    if not token:
        raise NotAllowed(f"this request needs {whose} token in the header Authorization: Bearer TOKEN")
    return token


def shown_token(request: web.BaseRequest) -> str:
    """Return the token of a request, or ""."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME.lower() and token.isascii() else ""
