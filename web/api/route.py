# SPDX-License-Identifier: GPL-3.0-or-later
"""A route of the REST API: one description that the server, the pages and the OpenAPI document share."""

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
    """What a route is asked for: one field a parameter, of the path or of the query."""


class Answer(Struct, frozen=True, kw_only=True):
    """What a route answers, or a part of it."""

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
    """An answer that is not JSON, and made as it is sent: however long it is, no more than a part is in memory."""

    parts: AsyncGenerator[bytes]
    """Text in UTF-8."""
    media_type: str
    filename: str


LATEST = 1e12
"""A Unix time after all."""

Limit = Annotated[int, Meta(ge=1, le=500, description="Items on a page at most.")]
Cursor = Annotated[str, Meta(max_length=200, description="`next` of the page before.")]
Moment = Annotated[float, Meta(ge=0, le=LATEST, description="Unix time in seconds.")]
GameName = Annotated[str, Meta(max_length=64, description="A game, as /games names it.")]
Number = Annotated[int, Meta(ge=1, le=2**53)]


class OnePage(Query, frozen=True):
    """Which page of a list."""

    limit: Limit = 50
    after: Cursor | None = None


class One(Query, frozen=True):
    """Which one, by its number."""

    id: Number


Q = TypeVar("Q", bound=Query)
A = TypeVar("A", bound=Struct)


@dataclass(frozen=True)
class Route(Generic[Q, A]):
    """GET ``path``: ``ask`` answers it from the arena; raises Refused where there is no answer."""

    path: str
    """Below /api/v1; parameters stand in braces."""
    query: type[Q]
    answer: type[A]
    ask: Callable[[Arena, Q], Awaitable[A]]
    cache: str = "no-cache"
    """The Cache-Control of the answer."""
    media_types: tuple[str, ...] = ("application/json",)

    @property
    def name(self) -> str:
        """What clients made from the OpenAPI document call it."""
        return self.ask.__name__

    @property
    def summary(self) -> str:
        """One line for people."""
        return (self.ask.__doc__ or "").partition("\n")[0]

    @property
    def pattern(self) -> str:
        """The path as aiohttp reads it; the name of a game may hold a slash."""
        return PREFIX + self.path.replace("{name}", "{name:.+}")

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request; an unchanged answer is not sent again."""
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
    """Return the parameters of a request. Raises BadRequest, with a message for people, when they do not fit.

    Parameters of the URL's query that ``query`` does not have are refused when ``strict``, and ignored otherwise.
    """
    given: dict[str, str] = dict(request.match_info)
    names = query.__struct_fields__
    for name, value in request.query.items():
        if not strict and (name not in names or name in request.match_info):
            continue
        if name not in names:
            expected = ", ".join(field for field in names if field not in request.match_info) or "none"
            raise BadRequest(f"unknown parameter {name[:40]!r}; there is: {expected}")
        if name in given:
            raise BadRequest(f"parameter {name!r} is given twice")
        given[name] = value
    try:
        found = msgspec.convert(given, query, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(_explain(str(error))) from None
    for name, value in given.items():
        if getattr(found, name) is None:  # msgspec takes the word null for nothing
            raise BadRequest(f"parameter {name!r}: {value!r} is no value for it")
    return found


def _explain(message: str) -> str:
    """Turn msgspec's words into the parameter's."""
    missing = re.fullmatch(r"Object missing required field `(\w+)`", message)
    if missing:
        return f"parameter {missing[1]!r} is missing"
    found = re.fullmatch(r"(.*) - at `\$\.(\w+)`", message)
    return f"parameter {found[2]!r}: {found[1].replace('`', '')}" if found else message
