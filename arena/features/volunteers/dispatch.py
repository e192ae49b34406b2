# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes of the REST API for islands on volunteers' machines, each with its own token."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Generic, TypeVar

from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.connections.tokens import hash_token
from arena.features.volunteers.checking import Reason, Unacceptable
from arena.features.volunteers.deme import Deme
from arena.features.volunteers.exchange import Exchange, Stranger
from arena.protocol.exchange import MAX_REPORT
from web.api.order import NotAllowed, PostRoute, token_of
from web.api.route import Query, read
from web.bodies import BadBody, TooLarge, read_body
from web.errors import RequestError

Q = TypeVar("Q", bound=Query)
B = TypeVar("B", bound=Struct)
A = TypeVar("A", bound=Struct)

STATUS: dict[Reason, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "genome": HTTPStatus.BAD_REQUEST,
    "statistics": HTTPStatus.BAD_REQUEST,
    "forged": HTTPStatus.FORBIDDEN,
    "game": HTTPStatus.CONFLICT,
    "order": HTTPStatus.CONFLICT,
    "run": HTTPStatus.CONFLICT,
    "too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "version": HTTPStatus.UPGRADE_REQUIRED,
    "too-soon": HTTPStatus.TOO_MANY_REQUESTS,
}


@dataclass(frozen=True)
class Dispatch(PostRoute, Generic[Q, B, A]):
    """POST ``path`` with a body from an island, with its own token: ``carry_out`` parses and processes it."""

    path: str
    """Below /api/v1; parameters are in braces."""
    query: type[Q]
    body: type[B]
    """The type of the body, which is passed on unparsed."""
    answer: type[A]
    carry_out: Callable[[Arena, Deme, Q, bytes], Awaitable[A]]
    who = "deme"
    errors = MappingProxyType(
        {
            403: "The report is in the name of another island.",
            426: "The client uses another version of the exchange.",
            429: "The report comes too soon after the last one.",
        }
    )

    async def admit(self, arena: Arena, request: web.Request) -> Deme:
        """Authenticate an island. Raises NotAllowed."""
        try:
            return await arena.part(Exchange).identify(hash_token(token_of(request, "an island's")))
        except Stranger:
            raise NotAllowed("this token does not belong to an island; `arena islands add` creates one") from None

    async def obey(self, arena: Arena, author: Deme, request: web.Request) -> A:
        """Process the request. Raises RequestError."""
        try:
            body = await _body(arena, author, request)
            return await self.carry_out(arena, author, read(self.query, request), body)
        except Unacceptable as error:
            raise refused(error) from None


async def _body(arena: Arena, deme: Deme, request: web.Request) -> bytes:
    """Read a body up to the size limit; a larger one is not read."""
    try:
        return await read_body(request, MAX_REPORT)
    except TooLarge:
        raise arena.part(Exchange).refuse(deme, "too-large", f"a report has at most {MAX_REPORT:,} bytes") from None
    except BadBody as error:
        raise arena.part(Exchange).refuse(deme, "malformed", error.message) from None


def refused(error: Unacceptable) -> RequestError:
    """Return the HTTP answer for a refused exchange of genomes."""
    return RequestError(STATUS[error.reason], error.reason, str(error))
