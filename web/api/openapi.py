# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI 3.1 document, generated from the declarations of the endpoints."""

import asyncio
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec
from aiohttp import web
from msgspec import Struct
from msgspec.inspect import (
    DictType,
    ListType,
    NamedTupleType,
    StructType,
    TupleType,
    UnionType,
    VarTupleType,
    multi_type_info,
)

from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.protocol.schema import field_docs
from web.answer_limits import READING
from web.api.access import Access
from web.api.endpoint import BYTES, JSON, PREFIX, Download, Endpoint, RawBody, Stream, Text
from web.api.meanings import COMMON
from web.delivery import respond
from web.errors import ErrorAnswer
from web.prefix import PATH_PREFIX

PATH = f"{PREFIX}/openapi.json"

DESCRIPTION = f"""\
Games, bots, matches, tournaments and ratings of the arena. All programs may read the public data; pages of other
websites may read them if the setting `allowed_origins` lists their origin.
Most requests that change something, and requests for private data, need a token in the header `Authorization`, or the
session of a page of the arena.

Lists contain `items` and `next`. For the next page, send `next` as the parameter `after`; null ends the list.
Times are Unix times in seconds; clocks are in milliseconds. Errors are `{{"error": {{"code", "message"}}}}`.
Bots play on the WebSocket `{PLAY_PATH}`; spectators watch on the WebSocket `{WATCH_PATH}`."""

TOKEN_ERRORS = {401: "The request has no valid token."}
FORBIDDEN = {403: "The sender may not do this."}
BODY_ERRORS = {
    408: "The body did not arrive in time.",
    409: "The request conflicts with the current state.",
    413: "The body is too large.",
    415: "The Content-Encoding of the body is not supported; or the request uses a session cookie and its Content-Type "
    "is not supported.",
}
ERRORS = {
    400: "A parameter is missing, unknown or invalid.",
    404: "The requested thing does not exist.",
    429: "Too many unread answers for this address.",
    431: "The line and the headers of the request are too long.",
    500: "Internal error.",
    503: "The server is too busy.",
}

_RESPONSES = "#/components/responses/"

Schema = dict[str, Any]


Endpoints = tuple[Endpoint, ...]

DOCUMENTED = web.AppKey("documented", Endpoints)
"""The endpoints that the document of a server describes."""


def documented(endpoints: Iterable[Endpoint]) -> Endpoints:
    """Return the endpoints of the REST API, and the probes of the server."""
    return tuple(each for each in endpoints if each.documented)


@cache
def document(endpoints: Endpoints) -> Schema:
    """Return the OpenAPI document."""
    types = [each.signature for each in endpoints]
    queries = {each.query for each in types}
    answers = {each.answer for each in endpoints if each.answer not in (Text, Stream, Download)} | {ErrorAnswer}
    kinds = queries | answers | {each.body for each in types if each.body not in (None, RawBody)}
    structs = classes_of(kinds)
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    for name, kind in structs.items():
        describe(schemas[name], kind)
    parameters = {query: schemas.pop(query.__name__) for query in queries}
    cookies = sorted({each.access.cookie for each in endpoints if each.access.cookie})
    paths: Schema = {}
    for endpoint in endpoints:
        operation = _operation(endpoint, parameters[endpoint.signature.query], cookies)
        paths.setdefault(_plain(endpoint.path), {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Bot Arena",
            "version": version("bot-arena"),
            "description": DESCRIPTION,
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "responses": {str(status): _error(text) for status, text in ERRORS.items()},
            "securitySchemes": _schemes(endpoints, cookies),
        },
    }


_made: set[Endpoints] = set()


async def made(endpoints: Endpoints) -> Schema:
    """Return the document; the first call generates it in a thread, because that is slow."""
    if endpoints not in _made:
        async with READING.taken():
            await asyncio.to_thread(document, endpoints)
        _made.add(endpoints)
    return document(endpoints)


async def served(request: web.Request) -> Schema:
    """Return the document of the server that answers a request; its paths are below the path prefix."""
    document = await made(request.app[DOCUMENTED])
    return document | {"servers": [{"url": request.app[PATH_PREFIX] or "/"}]}


async def serve(request: web.Request) -> web.Response:
    """Answer GET /api/v1/openapi.json."""
    body = msgspec.json.encode(await served(request))
    headers = {"Cache-Control": "no-cache", "Content-Disposition": 'attachment; filename="openapi.json"'}
    return respond(request, body, JSON, headers)


ENDPOINT = Endpoint("GET", PATH, serve)


def classes_of(kinds: Iterable[type]) -> dict[str, type]:
    """Return the classes and then all classes of their fields, by name. Raises ValueError where two have one name."""
    found: dict[str, type] = {}
    seen: set[type] = set()
    left = list(multi_type_info(kinds))
    while left:
        match left.pop(0):
            case StructType(cls=kind, fields=fields) | NamedTupleType(cls=kind, fields=fields):
                if (known := found.setdefault(kind.__name__, kind)) is not kind:
                    raise ValueError(
                        f"{known.__module__} and {kind.__module__} both have a type {kind.__name__}; rename one"
                    )
                if kind not in seen:
                    seen.add(kind)
                    left.extend(field.type for field in fields)
            case UnionType(types=types) | TupleType(item_types=types):
                left.extend(types)
            case ListType(item_type=item) | VarTupleType(item_type=item) | DictType(value_type=item):
                left.append(item)
    return found


def describe(schema: Schema, kind: type) -> None:
    """Add the meaning of each field of a class: its docstring in the class or a base class, the description of its
    type, or what its name means in all types.
    """
    fields = schema.get("properties", {})
    for base in kind.__mro__:
        if issubclass(base, Struct) and base is not Struct:
            for name, text in field_docs(base).items():
                fields[name].setdefault("description", text)
    for name, field in fields.items():
        of_types = [option["description"] for option in field.get("anyOf", ()) if "description" in option]
        if meaning := next(iter(of_types), COMMON.get(name)):
            field.setdefault("description", meaning)


def _plain(path: str) -> str:
    """Return a path without the patterns of its parameters."""
    return re.sub(r"\{(\w+):[^{}]+\}", r"{\1}", path)


def _schemes(endpoints: Iterable[Endpoint], cookies: Iterable[str]) -> Schema:
    """Return how senders show who they are: tokens by kind, and cookies of sessions."""
    found: Schema = {
        kind: {"type": "http", "scheme": "bearer"}
        for kind in sorted({each.access.kind for each in endpoints if each.access.kind})
    }
    about = (
        "The cookie of a session, from pages of the arena. By HTTPS its name begins with `__Host-`; below a path "
        "prefix, it begins with `__Secure-`."
    )
    return found | {name: {"type": "apiKey", "in": "cookie", "name": name, "description": about} for name in cookies}


def _security(access: Access[Any], cookies: Iterable[str]) -> list[Schema]:
    """Return the schemes of which a sender needs one. Sessions act for operators too, where a feature has sessions."""
    return [{access.kind: []}] + [{name: []} for name in cookies if access.forbids or access.cookie == name]


def _operation(endpoint: Endpoint, query: Schema, cookies: Iterable[str]) -> Schema:
    types = endpoint.signature
    required = query.get("required", [])
    errors = {**ERRORS, **(TOKEN_ERRORS if endpoint.access.kind else {})}
    errors |= FORBIDDEN if endpoint.access.forbids else {}
    errors |= {**(BODY_ERRORS if types.body else {}), **endpoint.errors}
    refusals = {str(status): _refusal(status, text) for status, text in errors.items()}
    operation: Schema = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "tags": [endpoint.path.removeprefix(PREFIX).split("/")[1] if endpoint.answers is None else "status"],
        "responses": {"200": _answer(endpoint)} | refusals,
    }
    if endpoint.answers is not None:
        operation["responses"]["503"] = _answer(endpoint)
    parameters = [
        _parameter(endpoint, name, schema, name in required) for name, schema in query.get("properties", {}).items()
    ]
    if parameters:
        operation["parameters"] = parameters
    if types.body is RawBody:
        operation["requestBody"] = {"required": True, "content": {BYTES: {"schema": {}}}}
    elif types.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": _reference(types.body)}}}
    if endpoint.access.kind:
        operation["security"] = _security(endpoint.access, cookies)
    return operation


def _parameter(endpoint: Endpoint, name: str, schema: Schema, required: bool) -> Schema:
    in_path = f"{{{name}}}" in _plain(endpoint.path)
    kinds = [kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null"]
    merged = kinds[0] | {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    description = merged.pop("description", None)
    if schema.get("default") is not None:
        merged["default"] = schema["default"]
    parameter = {"name": name, "in": "path" if in_path else "query", "required": in_path or required, "schema": merged}
    return parameter | ({"description": description} if description else {})


def _answer(endpoint: Endpoint) -> Schema:
    answer = endpoint.answer
    if answer is Download:
        return {"description": "The file.", "content": {BYTES: {"schema": {}}}}
    schema = {"type": "string"} if answer in (Text, Stream) else _reference(answer)
    return {
        "description": (answer.__doc__ or "").partition("\n")[0],
        "content": {endpoint.media_type: {"schema": schema}},
    }


def _refusal(status: int, text: str) -> Schema:
    """Return the answer to a refused request; one that all requests have is described once in the document."""
    return {"$ref": f"{_RESPONSES}{status}"} if ERRORS.get(status) == text else _error(text)


def _error(text: str) -> Schema:
    return {"description": text, "content": {JSON: {"schema": _reference(ErrorAnswer)}}}


def _reference(kind: type) -> Schema:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}
