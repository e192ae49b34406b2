# SPDX-License-Identifier: GPL-3.0-or-later
"""The declaration of an endpoint, from which it is registered, authorised, read, answered and documented.

An endpoint is a method, a path and a handler. The annotations of the handler's parameters are the types of its
arguments, in any order: ``Arena``, a class of ``Query`` with the parameters of the path and the query, a ``Struct``
with the JSON body (or ``Unread`` of it, or ``RawBody`` for a file), the sender as the endpoint's ``Access`` identifies
it, and ``web.Request``.
The annotation of its answer is the type of the JSON answer, or an answer of aiohttp, which is sent as it is.
"""

import inspect
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, NamedTuple, Self, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.store.acting import Action, acting
from web.api.access import EVERYBODY, Access
from web.clients import client_of
from web.delivery import Parts, respond
from web.errors import BadRequest, NotFound
from web.intake.bodies import MAX_BODY, expect, read_body, read_file
from web.keys import ANSWER_HEADERS, ARENA

PREFIX = "/api/v1"
"""The paths of the REST API begin with this; its endpoints are in the OpenAPI document."""

JSON, BYTES = "application/json", "application/octet-stream"


class Query(Struct, frozen=True, kw_only=True):
    """Parameters of an endpoint, in the path or in the query; one field for each."""


class Answer(Struct, frozen=True, kw_only=True):
    """The answer of an endpoint, or a part of it."""

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


class Download(Answer, frozen=True):
    """A file, which browsers save and do not show."""

    body: bytes
    filename: str
    """Printable ASCII without quotes."""


class Stream(Answer, frozen=True):
    """A file in the requested format, as a stream."""

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
    """Number of the item that the path names: of a bot in `/bots/{id}`, of a match in `/matches/{id}`."""


Q = TypeVar("Q", bound=Query)
B = TypeVar("B", bound=Struct)


class Unread(Generic[B]):
    """A JSON body that the handler reads and decodes itself, for example to count invalid ones."""

    def __init__(self, request: web.Request, most: int) -> None:
        """``most``: maximum size in bytes."""
        self._request = request
        self._most = most

    async def read(self) -> bytes:
        """Return the body. Raises TooLarge, BadBody and RequestError."""
        return await read_body(self._request, self._most)


class RawBody:
    """A body that is a file, which the handler reads itself."""

    def __init__(self, request: web.Request) -> None:
        self._request = request

    async def read(self, most: int, seconds: float) -> bytes:
        """Return the body of at most ``most`` bytes, which must arrive within ``seconds``.

        Raises TooLarge, BadBody and RequestError.
        """
        return await read_file(self._request, most, seconds)


class Signature(NamedTuple):
    """The types of a handler."""

    parameters: Mapping[str, str]
    """For each parameter of the handler, its kind: arena, request, sender, query or body."""
    query: type[Query]
    body: type[Struct] | type[RawBody] | None
    reads: bool
    """Whether the handler reads the body itself."""
    answer: type[Any]

    @property
    def raw(self) -> bool:
        """Whether the handler returns an answer of aiohttp."""
        return issubclass(self.answer, web.StreamResponse)


def signature_of(run: Callable[..., object], access: Access[Any]) -> Signature:
    """Return the types of a handler. Raises TypeError for a handler that no endpoint can call."""
    hints = get_type_hints(run)
    sender = get_type_hints(access.admit)["return"]
    parameters: dict[str, str] = {}
    query: type[Query] = Query
    body: type[Struct] | type[RawBody] | None = None
    reads = False
    for name in inspect.signature(run).parameters:
        hint = hints.get(name)
        if hint is Arena:
            kind = "arena"
        elif hint is web.Request:
            kind = "request"
        elif hint is sender:
            kind = "sender"
        elif get_origin(hint) is Unread:
            kind, body, reads = "body", get_args(hint)[0], True
        elif hint is RawBody:
            kind, body, reads = "body", RawBody, True
        elif isinstance(hint, type) and issubclass(hint, Query):
            kind, query = "query", hint
        elif isinstance(hint, type) and issubclass(hint, Struct):
            kind, body = "body", hint
        else:
            raise TypeError(f"{run.__qualname__}: the type of the parameter {name!r} has no source in a request")
        if kind in parameters.values():
            raise TypeError(f"{run.__qualname__}: two parameters are the {kind}")
        parameters[name] = kind
    return Signature(parameters, query, body, reads, hints["return"])


Group = Literal["Watch", "Play", "Compete", "Build"]
"""The groups of the menu, in their order."""


@dataclass(frozen=True, eq=False)
class Endpoint:
    """A method and a path, and the handler that answers there or raises RequestError."""

    method: Literal["GET", "POST"]
    path: str
    """The path with parameters in braces; ``{name:.+}`` may contain slashes."""
    run: Callable[..., Awaitable[object]]
    """The handler. Its name is the operation in the OpenAPI document, the first line of its docstring the summary."""
    access: Access[Any] = field(default=EVERYBODY, kw_only=True)
    cache: str = field(default="", kw_only=True)
    """Cache-Control header of the answer to GET; default: no-cache, and no-store if the endpoint needs a token."""
    media_type: str = field(default=JSON, kw_only=True)
    body_limit: int = field(default=MAX_BODY, kw_only=True)
    """Maximum size of the body in bytes, before and after decompression."""
    audited: bool = field(default=True, kw_only=True)
    """Whether the audit log has the requests that change something, of senders with a name; not for frequent ones."""
    errors: Mapping[int, str] = field(default_factory=dict, kw_only=True)
    """Errors besides those of all endpoints, by status."""
    answers: type[Answer] | None = field(default=None, kw_only=True)
    """For a probe of the server outside the REST API, which the OpenAPI document describes too: the type of its answer,
    with the status 200 or 503.
    """
    menu: str = field(default="", kw_only=True)
    """For a page: its label in the menu; "" if the menu does not have it."""
    group: Group = field(default="Build", kw_only=True)
    """For a page in the menu: the group of its link."""
    symbol: str = field(default="", kw_only=True)
    """For one of the most used pages in the menu: its symbol in the bar at the bottom of small screens, an SVG path in
    24 by 24 units. The bar shows the pages with a symbol; its button "More" shows the others.
    """
    menus: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """For a page: its labels in the menus that other pages have of their own, by the paths of those pages."""

    def __post_init__(self) -> None:
        """Raises TypeError for a handler that the endpoint cannot call."""
        if (self.signature.body is None) != (self.method == "GET"):
            raise TypeError(f"{self.method} {self.path}: POST has a body, GET has none")

    @cached_property
    def signature(self) -> Signature:
        """The types of the handler."""
        return signature_of(self.run, self.access)

    @property
    def documented(self) -> bool:
        """Whether the OpenAPI document describes the endpoint: one of the REST API, or a probe of the server."""
        return self.answers is not None or (self.path.startswith(PREFIX) and not self.signature.raw)

    @property
    def answer(self) -> type[Any]:
        """The type of the answer."""
        return self.answers or self.signature.answer

    @property
    def name(self) -> str:
        """Operation name in the OpenAPI document."""
        return self.run.__name__

    @property
    def summary(self) -> str:
        """One-line description."""
        return (self.run.__doc__ or "").partition("\n")[0]

    @property
    def short_summary(self) -> str:
        """The start of the summary, as the audit log shows it; pages translate it."""
        return re.split(r"[.:;]", self.summary, maxsplit=1)[0]

    @property
    def action(self) -> str:
        """The name of its requests in the audit log."""
        return f"{self.method} {self.path}"

    def register(self, router: web.UrlDispatcher) -> None:
        """Add the endpoint to a router."""
        if self.method == "POST":
            router.add_post(self.path, self.handle, expect_handler=expect)
        else:
            socket = issubclass(self.signature.answer, web.WebSocketResponse)
            router.add_get(self.path, self.handle, allow_head=not socket)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request. Authorisation comes before reading, parameters before the body. GET has status 304 if the
        client's copy is current.
        """
        types, arena = self.signature, request.app[ARENA]
        sender = await self.access.admit(request)
        # links to pages may carry the parameters of other sites
        query = read(types.query, request, strict=not types.raw)
        body: object = None
        if types.body is not None:
            body = await self._body(request, types.body, reads=types.reads)
        given = {"arena": arena, "request": request, "sender": sender, "query": query, "body": body}
        arguments = {name: given[kind] for name, kind in types.parameters.items()}
        actor = self.access.actor(sender) if self.access.actor is not None else ""
        if self.method == "POST" and self.audited and actor and actor not in arena.operators:
            details = {**msgspec.to_builtins(query), "body": None if types.reads else msgspec.to_builtins(body)}
            with acting(Action(actor, client_of(request).address, self.action, details)) as action:
                answer = await self.run(**arguments)
            await arena.store.audit_log.complete(action)
        else:
            answer = await self.run(**arguments)
        answered = answer if isinstance(answer, web.StreamResponse) else self._answered(request, answer)
        for name, value in request.get(ANSWER_HEADERS, ()):
            if name == "Set-Cookie":  # there may be several
                answered.headers.add(name, value)
            else:
                answered.headers[name] = value
        return answered

    async def _body(self, request: web.Request, kind: type[Struct] | type[RawBody], *, reads: bool) -> object:
        """Return the body, or what reads it. Raises RequestError."""
        if issubclass(kind, RawBody):
            return RawBody(request)
        return Unread[Any](request, self.body_limit) if reads else await self._decoded(request, kind)

    async def _decoded(self, request: web.Request, kind: type[B]) -> B:
        """Return the decoded JSON body. Raises RequestError."""
        body = await read_body(request, self.body_limit)
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
            raise BadRequest(f"the body is not valid: {error}", _field_of(str(error))) from None

    def _answered(self, request: web.Request, answer: object) -> web.StreamResponse:
        if isinstance(answer, Stream):
            headers = {"Content-Type": f"{answer.media_type}; charset=utf-8", "Cache-Control": "no-store"}
            return Parts(answer.parts, headers | _attached(answer))
        if isinstance(answer, Download):
            return web.Response(body=answer.body, content_type=BYTES, headers=_DOWNLOADED | _attached(answer))
        if self.method == "POST":
            return web.Response(body=msgspec.json.encode(answer), content_type=JSON, charset="utf-8")
        headers = {"Cache-Control": self.cache or ("no-store" if self.access.kind else "no-cache")}
        if isinstance(answer, Text):
            return respond(request, answer.body.encode(), answer.media_type, headers | _attached(answer))
        return respond(request, msgspec.json.encode(answer), JSON, headers)


_DOWNLOADED = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


def _attached(answer: Text | Stream | Download) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{answer.filename}"'}


def read(query: type[Q], request: web.Request, *, strict: bool = True) -> Q:
    """Return the parameters of a request. Raises BadRequest for invalid parameters, and NotFound for an invalid part of
    a page's path.

    Unknown query parameters are an error if ``strict``, and ignored otherwise.
    """
    names = query.__struct_fields__
    given: dict[str, str] = {name: value for name, value in request.match_info.items() if strict or name in names}
    for name, value in request.query.items():
        if not strict and (name not in names or name in request.match_info):
            continue
        if name not in names:
            expected = ", ".join(each for each in names if each not in request.match_info) or "none"
            raise BadRequest(f"unknown parameter {name[:40]!r}; known: {expected}")
        if name in given:
            raise BadRequest(f"parameter {name!r} is given twice")
        given[name] = value
    try:
        found = msgspec.convert(given, query, strict=False)
    except msgspec.ValidationError as error:
        if not request.path.startswith("/api/") and _name_of(str(error)) in request.match_info:
            raise NotFound(f"there is nothing at {request.path[:100]}") from None
        raise BadRequest(_explain(str(error), given)) from None
    for name, value in given.items():
        if getattr(found, name) is None:  # msgspec converts the word null to None
            raise BadRequest(f"parameter {name!r}: invalid value {value!r}")
    return found


def _field_of(message: str) -> str | None:
    """Return the path of the invalid field that an error message of msgspec names; None for the whole body."""
    missing = re.search(r"missing required field `(\w+)`", message)
    place = re.search(r" - at `\$\.?([^`]*)`", message)
    names = [place[1] if place else "", missing[1] if missing else ""]
    return ".".join(filter(None, names)) or None


def _name_of(message: str) -> str:
    """Return the name of the parameter that an error message of msgspec is about; "" for none."""
    found = re.search(r" - at `\$\.(\w+)`$", message)
    return found[1] if found else ""


_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}
_BOUNDS = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}"}


def _explain(message: str, given: Mapping[str, str]) -> str:
    """Convert an error message of msgspec about parameters to one for people."""
    missing = re.fullmatch(r"Object missing required field `(\w+)`", message)
    if missing:
        return f"parameter {missing[1]!r} is missing"
    found = re.fullmatch(r"(.*) - at `\$\.(\w+)`", message)
    if not found:
        return message
    what, name = found[1], found[2]
    got = f"(got {given.get(name, '')[:40]!r})"
    if (kind := re.fullmatch(r"Expected `(\w+)[ |\w]*`, got `str`", what)) and kind[1] in _KINDS:
        return f"parameter {name!r} must be {_KINDS[kind[1]]} {got}"
    if bound := re.fullmatch(r"Expected `(?:int|float)[ |\w]*` (<|>|<=|>=) (\d+)(?:\.0)?", what):
        return f"parameter {name!r} must be {_BOUNDS[bound[1]].format(bound[2])} {got}"
    if length := re.fullmatch(r"Expected `str[ |\w]*` of length <= (\d+)", what):
        return f"parameter {name!r} must have at most {length[1]} characters"
    return f"parameter {name!r}: {what.replace('`', '')}"
