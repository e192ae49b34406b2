# SPDX-License-Identifier: GPL-3.0-or-later
"""Orders of the REST API: what only an operator may have done, or a bot may say. The rest reads, and is open to all."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.connections.tokens import hash_token
from arena.store.acting import Action, acting
from arena.store.rows import BotRow
from web.api.route import PREFIX, Query, Route, read
from web.bodies import read_body
from web.errors import BadRequest, Refused
from web.keys import ARENA, AUTHORISERS
from web.peers import peer_of

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
    query: type[Any]
    body: type[Any]
    answer: type[Any]
    carry_out: Callable[..., Awaitable[Any]]
    who: str
    """Whose token it takes."""
    errors: Mapping[int, str] = MappingProxyType({})
    """What else it may be refused for, by status."""

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

    async def admit(self, arena: Arena, request: web.Request) -> Any:
        """Return who sent a request, by its token. Raises NotAllowed."""
        raise NotImplementedError

    async def obey(self, arena: Arena, author: Any, request: web.Request) -> Struct:
        """Read the rest of a request, do what it says and return the answer. Raises Refused."""
        raise NotImplementedError

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request. Its token is looked at before a byte of its body is read."""
        arena = request.app[ARENA]
        answer = await self.obey(arena, await self.admit(arena, request), request)
        return web.Response(body=msgspec.json.encode(answer), content_type="application/json", charset="utf-8")


@dataclass(frozen=True)
class Order(Described, Generic[Q, B, A]):
    """POST ``path`` with a body: ``carry_out`` does it; raises Refused where that cannot be."""

    path: str
    """Below /api/v1; parameters stand in braces."""
    query: type[Q]
    body: type[B]
    answer: type[A]
    carry_out: Callable[[Arena, Q, B], Awaitable[A]]
    routine: bool = False
    """Whether it is a report that comes all the time, which the audit log leaves out."""
    who = "operator"

    async def admit(self, arena: Arena, request: web.Request) -> str:
        """Let operators in; return the name. Raises NotAllowed."""
        return await check_operator(arena, request)

    async def obey(self, arena: Arena, author: str, request: web.Request) -> A:
        """Carry it out, and write it to the audit log. Raises Refused."""
        query, body = read(self.query, request), await decoded(request, self.body)
        if self.routine or author in arena.operators:
            return await self.carry_out(arena, query, body)
        details = {**msgspec.to_builtins(query), "body": msgspec.to_builtins(body)}
        with acting(Action(author, peer_of(request).address, f"POST {self.pattern}", details)) as action:
            answer = await self.carry_out(arena, query, body)
        await arena.store.audit_log.complete(action)
        return answer


@dataclass(frozen=True)
class Inspection(Route[Q, A]):
    """GET ``path`` by an operator: what is not for everybody."""

    cache: str = "no-store"
    who = "operator"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request, if it comes from an operator."""
        await check_operator(request.app[ARENA], request)
        return await super().handle(request)


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

    async def admit(self, arena: Arena, request: web.Request) -> BotRow:
        """Let bots in. Raises NotAllowed."""
        bot = await arena.store.bots.by_token(hash_token(token_of(request, "a bot's")))
        if bot is None:
            raise NotAllowed("the token is no bot's")
        return bot

    async def obey(self, arena: Arena, author: BotRow, request: web.Request) -> A:
        """Keep what it says. Raises Refused."""
        return await self.carry_out(arena, author, read(self.query, request), await decoded(request, self.body))


async def decoded(request: web.Request, kind: type[B]) -> B:
    """Return what is in a body of JSON. Raises Refused."""
    body = await read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BadRequest(f"the body is not what it should be: {error}") from None


def token_of(request: web.Request, whose: str) -> str:
    """Return the token that a request shows. Raises NotAllowed where it shows none."""
    token = shown_token(request)
    if not token:
        raise NotAllowed(f"this takes {whose} token: Authorization: Bearer TOKEN")
    return token


def shown_token(request: web.BaseRequest) -> str:
    """Return the token that a request shows, "" where it shows none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME.lower() and token.isascii() else ""


async def check_operator(arena: Arena, request: web.Request) -> str:
    """Return the name of the operator that sent a request: by its token, or as a feature authorises it.

    Raises NotAllowed.
    """
    token = shown_token(request)
    name = await arena.store.operators.by_token(hash_token(token)) if token else None
    for authorise in request.app[AUTHORISERS]:
        name = name or await authorise(request)
    if name is None:
        token_of(request, "an operator's")
        raise NotAllowed("the token is no operator's")
    return name


AnyOrder = Described
"""Whatever carries out a POST of the REST API."""
