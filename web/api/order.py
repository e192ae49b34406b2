# SPDX-License-Identifier: GPL-3.0-or-later
"""POST routes of the REST API, for operators and bots with a token; and GET routes for operators."""

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
from web.clients import client_of
from web.errors import BadRequest, RequestError
from web.keys import ARENA, AUTHORISERS

Q = TypeVar("Q", bound=Query)
B = TypeVar("B", bound=Struct)
A = TypeVar("A", bound=Struct)

SCHEME = "Bearer"


class NotAllowed(RequestError):
    """The request has no valid token."""

    def __init__(self, message: str) -> None:
        super().__init__(401, "not-allowed", message, {"WWW-Authenticate": SCHEME})


class Conflicting(RequestError):
    """The request conflicts with the current state."""

    def __init__(self, message: str) -> None:
        super().__init__(409, "conflict", message)


class NoChoice(Query, frozen=True):
    """No parameters."""


class PostRoute:
    """Base of all POST routes."""

    path: str
    query: type[Any]
    body: type[Any]
    answer: type[Any]
    carry_out: Callable[..., Awaitable[Any]]
    who: str
    """Kind of token, such as operator or bot."""
    errors: Mapping[int, str] = MappingProxyType({})
    """What else it may be refused for, by status."""

    @property
    def name(self) -> str:
        """Operation name in the OpenAPI document."""
        return self.carry_out.__name__

    @property
    def summary(self) -> str:
        """One-line description."""
        return (self.carry_out.__doc__ or "").partition("\n")[0]

    @property
    def pattern(self) -> str:
        """The path in aiohttp's syntax."""
        return PREFIX + self.path

    async def admit(self, arena: Arena, request: web.Request) -> Any:
        """Return the sender of a request by its token. Raises NotAllowed."""
        raise NotImplementedError

    async def obey(self, arena: Arena, author: Any, request: web.Request) -> Struct:
        """Read the rest of a request, carry it out and return the answer. Raises RequestError."""
        raise NotImplementedError

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request. The token is checked before the body is read."""
        arena = request.app[ARENA]
        answer = await self.obey(arena, await self.admit(arena, request), request)
        return web.Response(body=msgspec.json.encode(answer), content_type="application/json", charset="utf-8")


@dataclass(frozen=True)
class OperatorPost(PostRoute, Generic[Q, B, A]):
    """POST ``path`` by an operator: ``carry_out`` executes it, or raises RequestError."""

    path: str
    """Path below /api/v1, with parameters in braces."""
    query: type[Q]
    body: type[B]
    answer: type[A]
    carry_out: Callable[[Arena, Q, B], Awaitable[A]]
    routine: bool = False
    """Whether the route is called so often that the audit log omits it."""
    who = "operator"

    async def admit(self, arena: Arena, request: web.Request) -> str:
        """Return the name of the operator. Raises NotAllowed."""
        return await check_operator(arena, request)

    async def obey(self, arena: Arena, author: str, request: web.Request) -> A:
        """Carry out the request and write it to the audit log. Raises RequestError."""
        query, body = read(self.query, request), await decoded(request, self.body)
        if self.routine or author in arena.operators:
            return await self.carry_out(arena, query, body)
        details = {**msgspec.to_builtins(query), "body": msgspec.to_builtins(body)}
        with acting(Action(author, client_of(request).address, f"POST {self.pattern}", details)) as action:
            answer = await self.carry_out(arena, query, body)
        await arena.store.audit_log.complete(action)
        return answer


@dataclass(frozen=True)
class OperatorGet(Route[Q, A]):
    """GET ``path`` by an operator."""

    cache: str = "no-store"
    who = "operator"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request of an operator."""
        await check_operator(request.app[ARENA], request)
        return await super().handle(request)


@dataclass(frozen=True)
class BotPost(PostRoute, Generic[Q, B, A]):
    """POST ``path`` by a bot with its own token: ``carry_out`` stores the data of the bot."""

    path: str
    """Path below /api/v1, with parameters in braces."""
    query: type[Q]
    body: type[B]
    answer: type[A]
    carry_out: Callable[[Arena, BotRow, Q, B], Awaitable[A]]
    who = "bot"

    async def admit(self, arena: Arena, request: web.Request) -> BotRow:
        """Return the bot of the token. Raises NotAllowed."""
        bot = await arena.store.bots.by_token(hash_token(token_of(request, "a bot's")))
        if bot is None:
            raise NotAllowed("this token does not belong to a bot")
        return bot

    async def obey(self, arena: Arena, author: BotRow, request: web.Request) -> A:
        """Store the data of the bot. Raises RequestError."""
        return await self.carry_out(arena, author, read(self.query, request), await decoded(request, self.body))


async def decoded(request: web.Request, kind: type[B]) -> B:
    """Return the decoded JSON body. Raises RequestError."""
    body = await read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BadRequest(f"the body is not valid: {error}") from None


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
        raise NotAllowed("this token does not belong to an operator")
    return name


AnyPostRoute = PostRoute
"""The function that carries out a POST of the REST API."""
