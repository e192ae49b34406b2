# SPDX-License-Identifier: GPL-3.0-or-later
"""GET routes of the REST API: one declaration for the server, the pages and the OpenAPI document."""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Self, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from web.delivery import Parts
from web.errors import BadRequest
from web.keys import ARENA
from web.revalidation import respond

PREFIX = "/api/v1"


class Query(Struct, frozen=True, kw_only=True):
    """Parameters of a route, in the path or in the query; one field for each."""


class Answer(Struct, frozen=True, kw_only=True):
    """The answer of a route, or a part of it."""

    @classmethod
    def of(cls, row: object, **others: object) -> Self:
        """Return the answer with the attributes of a row, or of a narrower answer, that are called like its fields, and
        with ``others`` beside them. Raises msgspec.ValidationError where a value is not of its field's type.
        """
        fields = {name: others[name] if name in others else getattr(row, name) for name in cls.__struct_fields__}
        return msgspec.convert(fields, cls)


class Text(Answer, frozen=True):
    """An answer that is not JSON."""

    body: str
    media_type: str
    filename: str


class Stream(Answer, frozen=True):
    """A streamed answer that is not JSON; only a part of it is in memory."""

    parts: AsyncGenerator[bytes]
    """Text in UTF-8."""
    media_type: str
    filename: str


LATEST = 1e12
"""A Unix time in the far future."""

Limit = Annotated[int, Meta(ge=1, le=500, description="Maximum items on a page.")]
Cursor = Annotated[str, Meta(max_length=200, description="`next` of the previous page.")]
Moment = Annotated[float, Meta(ge=0, le=LATEST, description="Unix time in seconds.")]
GameName = Annotated[str, Meta(max_length=64, description="Name of a game, from /games.")]
Number = Annotated[int, Meta(ge=1, le=2**53)]


class OnePage(Query, frozen=True):
    """Parameters: a page of a list."""

    limit: Limit = 50
    after: Cursor | None = None


class One(Query, frozen=True):
    """Parameter: the number of an item."""

    id: Number


Q = TypeVar("Q", bound=Query)
A = TypeVar("A", bound=Struct)


@dataclass(frozen=True)
class Route(Generic[Q, A]):
    """GET ``path``: ``ask`` returns the answer from the arena, or raises RequestError."""

    path: str
    """Path below /api/v1, with parameters in braces."""
    query: type[Q]
    answer: type[A]
    ask: Callable[[Arena, Q], Awaitable[A]]
    cache: str = "no-cache"
    """Cache-Control header of the answer."""
    media_types: tuple[str, ...] = ("application/json",)

    @property
    def name(self) -> str:
        """Operation name in the OpenAPI document."""
        return self.ask.__name__

    @property
    def summary(self) -> str:
        """One-line description."""
        return (self.ask.__doc__ or "").partition("\n")[0]

    @property
    def pattern(self) -> str:
        """The path in aiohttp's syntax; the name of a game may contain a slash."""
        return PREFIX + self.path.replace("{name}", "{name:.+}")

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request, with status 304 if the client's copy is current."""
        answer = await self.ask(request.app[ARENA], read(self.query, request))
        if isinstance(answer, Stream):
            return Parts(
                answer.parts,
                {
                    "Content-Type": f"{answer.media_type}; charset=utf-8",
                    "Cache-Control": "no-store",
                    "Content-Disposition": f'attachment; filename="{answer.filename}"',
                },
            )
        headers = {"Cache-Control": self.cache}
        if isinstance(answer, Text):
            body, content_type = answer.body.encode(), answer.media_type
            headers["Content-Disposition"] = f'attachment; filename="{answer.filename}"'
        else:
            body, content_type = msgspec.json.encode(answer), "application/json"
        return respond(request, body, content_type, headers)


AnyRoute = Route[Any, Any]


def read(query: type[Q], request: web.Request, *, strict: bool = True) -> Q:
    """Return the parameters of a request. Raises BadRequest for invalid parameters.

    Unknown query parameters are an error if ``strict``, and ignored otherwise.
    """
    given: dict[str, str] = dict(request.match_info)
    names = query.__struct_fields__
    for name, value in request.query.items():
        if not strict and (name not in names or name in request.match_info):
            continue
        if name not in names:
            expected = ", ".join(field for field in names if field not in request.match_info) or "none"
            raise BadRequest(f"unknown parameter {name[:40]!r}; known: {expected}")
        if name in given:
            raise BadRequest(f"parameter {name!r} is given twice")
        given[name] = value
    try:
        found = msgspec.convert(given, query, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(_explain(str(error))) from None
    for name, value in given.items():
        if getattr(found, name) is None:  # msgspec converts the word null to None
            raise BadRequest(f"parameter {name!r}: invalid value {value!r}")
    return found


def _explain(message: str) -> str:
    """Convert an error message of msgspec to one that names the parameter."""
    missing = re.fullmatch(r"Object missing required field `(\w+)`", message)
    if missing:
        return f"parameter {missing[1]!r} is missing"
    found = re.fullmatch(r"(.*) - at `\$\.(\w+)`", message)
    return f"parameter {found[2]!r}: {found[1].replace('`', '')}" if found else message
