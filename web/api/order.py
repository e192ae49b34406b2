# SPDX-License-Identifier: GPL-3.0-or-later
"""Orders of the REST API: what only an operator may have done, or a bot may say. The rest reads, and is open to all."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.store.rows import BotRow
from arena.tokens import hash_token
from web.api.route import PREFIX, Query, read
from web.errors import BadRequest, Refused
from web.keys import ARENA

Q = TypeVar("Q", bound=Query)
B = TypeVar("B", bound=Struct)
A = TypeVar("A", bound=Struct)

SCHEME = "Bearer"


class NotAllowed(Refused):
    """Whoever asks may not have that done."""

    def __init__(self, message: str) -> None:
        super().__init__(401, "not-allowed", message, {"WWW-Authenticate": SCHEME})


class Conflicting(Refused):
    """It does not fit how things stand."""

    def __init__(self, message: str) -> None:
        super().__init__(409, "conflict", message)


class NoChoice(Query, frozen=True):
    """Nothing to choose."""


class Described:
    """What a document says of a path and of what carries it out."""

    path: str
    carry_out: Callable[..., Awaitable[Any]]
    who: str
    """Whose token it takes."""

    @property
    def name(self) -> str:
        """What clients made from the OpenAPI document call it."""
        return self.carry_out.__name__

    @property
    def summary(self) -> str:
        """One line for people."""
        return (self.carry_out.__doc__ or "").partition("\n")[0]

    @property
    def pattern(self) -> str:
        """The path as aiohttp reads it."""
        return PREFIX + self.path


@dataclass(frozen=True)
class Order(Described, Generic[Q, B, A]):
    """POST ``path`` with a body: ``carry_out`` does it; raises Refused where that cannot be."""

    path: str
    """Below /api/v1; parameters stand in braces."""
    query: type[Q]
    body: type[B]
    answer: type[A]
    carry_out: Callable[[Arena, Q, B], Awaitable[A]]
    who = "operator"

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request, if it comes from an operator."""
        arena = request.app[ARENA]
        await _check_operator(arena, request)
        answer = await self.carry_out(arena, read(self.query, request), await _body(request, self.body))
        return answered(answer)


@dataclass(frozen=True)
class Testimony(Described, Generic[Q, B, A]):
    """POST ``path`` with a body by a bot, with its own token: ``carry_out`` keeps what that bot says."""

    path: str
    """Below /api/v1; parameters stand in braces."""
    query: type[Q]
    body: type[B]
    answer: type[A]
    carry_out: Callable[[Arena, BotRow, Q, B], Awaitable[A]]
    who = "bot"

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request, if it comes from a bot."""
        arena = request.app[ARENA]
        bot = await arena.store.bots.by_token(hash_token(token_of(request, "a bot's")))
        if bot is None:
            raise NotAllowed("the token is no bot's")
        answer = await self.carry_out(arena, bot, read(self.query, request), await _body(request, self.body))
        return answered(answer)


def answered(answer: Struct) -> web.Response:
    """Return what says that it is done."""
    return web.Response(body=msgspec.json.encode(answer), content_type="application/json", charset="utf-8")


async def _body(request: web.Request, kind: type[B]) -> B:
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise BadRequest(f"the body is not what it should be: {error}") from None


def token_of(request: web.Request, whose: str) -> str:
    """Return the token that a request shows. Raises NotAllowed where it shows none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != SCHEME.lower() or not token:
        raise NotAllowed(f"this takes {whose} token: Authorization: Bearer TOKEN")
    return token.strip()


async def _check_operator(arena: Arena, request: web.Request) -> None:
    """Raise NotAllowed when the request shows no operator's token."""
    if not await arena.store.operators.has(hash_token(token_of(request, "an operator's"))):
        raise NotAllowed("the token is no operator's")
