# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI 3.1 document, generated from the tables of routes and the types of their answers."""

import asyncio
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

import msgspec
from aiohttp import web
from msgspec import Struct
from msgspec.inspect import DictType, ListType, StructType, TupleType, UnionType, multi_type_info

from arena.protocol.schema import field_docs
from arena.protocol.version import PLAY_PATH, WATCH_PATH
from web.api import ORDERS, ROUTES
from web.api.order import AnyPostRoute, OperatorGet
from web.api.route import PREFIX, AnyRoute, Route, Stream, Text
from web.errors import ErrorAnswer
from web.fair_semaphore import READING
from web.feature import WebPart
from web.revalidation import respond

PATH = f"{PREFIX}/openapi.json"

DESCRIPTION = f"""\
Games, bots, matches, tournaments and ratings of the arena. All programs may read; pages of other websites may read if
the setting `allowed_origins` lists their origin.
Requests that change something need an operator token; `arena operators add` creates one.

Lists contain `items` and `next`. For the next page, send `next` as the parameter `after`; null ends the list.
Times are Unix times in seconds; clocks are in milliseconds. Errors are `{{"error": {{"code", "message"}}}}`.
Bots play on the WebSocket `{PLAY_PATH}`; spectators watch on the WebSocket `{WATCH_PATH}`."""

ORDER_ERRORS = {
    401: "The request has no valid token.",
    408: "The body did not arrive in time.",
    409: "The request conflicts with the current state.",
    413: "The body is too large.",
    415: "The Content-Encoding is not supported.",
}
ERRORS = {
    400: "A parameter is missing, unknown or invalid.",
    404: "The requested thing does not exist.",
    429: "Too many unread answers for this address.",
    500: "Internal error.",
    503: "The server is too busy.",
}

Schema = dict[str, Any]


class Document(NamedTuple):
    """The routes that the document of a server describes."""

    routes: tuple[AnyRoute, ...]
    orders: tuple[AnyPostRoute, ...]


def described(parts: Iterable[WebPart]) -> Document:
    """Return the routes of a server with these parts of features."""
    parts = list(parts)
    return Document(
        (*ROUTES, *(route for part in parts for route in part.routes)),
        (*ORDERS, *(order for part in parts for order in part.orders)),
    )


DOCUMENT = web.AppKey("document", Document)


@cache
def document(of: Document) -> Schema:
    """Return the OpenAPI document."""
    routes, orders = of
    queries = {route.query for route in routes} | {order.query for order in orders}
    answers = {route.answer for route in routes if route.answer not in (Text, Stream)} | {ErrorAnswer}
    answers |= {order.answer for order in orders}
    bodies = {order.body for order in orders}
    kinds = queries | answers | bodies
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    for name, kind in _structs(kinds).items():
        _explain(schemas[name], kind)
    parameters = {query: schemas.pop(query.__name__) for query in queries}
    paths: Schema = {}
    for route in routes:
        operation = _operation(route, parameters[route.query])
        if isinstance(route, OperatorGet):
            operation["security"] = [{route.who: []}]
            operation["responses"]["401"] = _error(ORDER_ERRORS[401])
        paths.setdefault(PREFIX + route.path, {})["get"] = operation
    for order in orders:
        paths.setdefault(PREFIX + order.path, {})["post"] = _ordered(order, parameters[order.query])
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
            "securitySchemes": {
                who: {"type": "http", "scheme": "bearer"}
                for who in sorted({"operator", *(order.who for order in orders)})
            },
        },
    }


_made: set[Document] = set()


async def made(of: Document) -> Schema:
    """Return the document; the first call generates it in a thread, because that is slow."""
    if of not in _made:
        async with READING.taken():
            await asyncio.to_thread(document, of)
        _made.add(of)
    return document(of)


async def serve(request: web.Request) -> web.Response:
    """Answer GET /api/v1/openapi.json."""
    body = msgspec.json.encode(await made(request.app[DOCUMENT]))
    return respond(request, body, "application/json", {"Cache-Control": "no-cache"})


def _structs(kinds: Iterable[type]) -> dict[str, type]:
    """Return the classes and all classes of their fields, by name."""
    found: dict[str, type] = {}
    left = list(multi_type_info(kinds))
    while left:
        match left.pop():
            case StructType(cls=kind, fields=fields) if kind.__name__ not in found:
                found[kind.__name__] = kind
                left.extend(field.type for field in fields)
            case UnionType(types=types) | TupleType(item_types=types):
                left.extend(types)
            case ListType(item_type=item) | DictType(value_type=item):
                left.append(item)
    return found


def _explain(schema: Schema, kind: type) -> None:
    """Add the field descriptions of a class and its base classes."""
    for base in kind.__mro__:
        if issubclass(base, Struct) and base is not Struct:
            for name, text in field_docs(base).items():
                schema["properties"][name].setdefault("description", text)


def _ordered(order: AnyPostRoute, query: Schema) -> Schema:
    operation = _operation(order, query)
    schema = {"$ref": f"#/components/schemas/{order.body.__name__}"}
    operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    operation["security"] = [{order.who: []}]
    errors = {**ORDER_ERRORS, **order.errors}
    operation["responses"] |= {str(status): _error(text) for status, text in errors.items()}
    return operation


def _operation(route: AnyRoute | AnyPostRoute, query: Schema) -> Schema:
    required = query.get("required", [])
    parameters = [
        _parameter(route, name, schema, name in required) for name, schema in query.get("properties", {}).items()
    ]
    operation: Schema = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [route.path.split("/")[1]],
        "responses": {"200": _answer(route)} | {str(status): _error(text) for status, text in ERRORS.items()},
    }
    if parameters:
        operation["parameters"] = parameters
    return operation


def _parameter(route: AnyRoute | AnyPostRoute, name: str, schema: Schema, required: bool) -> Schema:
    in_path = f"{{{name}}}" in route.path
    kinds = [kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null"]
    merged = kinds[0] | {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    description = merged.pop("description", None)
    if schema.get("default") is not None:
        merged["default"] = schema["default"]
    parameter = {"name": name, "in": "path" if in_path else "query", "required": in_path or required, "schema": merged}
    return parameter | ({"description": description} if description else {})


def _answer(route: AnyRoute | AnyPostRoute) -> Schema:
    schema = (
        {"type": "string"}
        if route.answer in (Text, Stream)
        else {"$ref": f"#/components/schemas/{route.answer.__name__}"}
    )
    media_types = route.media_types if isinstance(route, Route) else ("application/json",)
    return {
        "description": _first_line(route.answer),
        "content": {media_type: {"schema": schema} for media_type in media_types},
    }


def _error(text: str) -> Schema:
    return {
        "description": text,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}},
    }


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").partition("\n")[0]
