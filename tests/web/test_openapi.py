# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI document is valid and describes exactly the registered endpoints."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from arena.application import Arena
from arena.protocol import schema as protocol
from tests.web.door import Door
from web.api import openapi
from web.api.endpoint import Answer, Endpoint
from web.api.meanings import COMMON

pytestmark = pytest.mark.asyncio(loop_scope="session")

BESIDE = {"/api/v1/play", "/api/v1/watch", "/api/v1/runner", "/api/v1/openapi.json"}
"""Paths under /api that are no part of the REST API: the sockets, and the document itself."""

PROBES = {"/healthz", "/readyz"}
"""Paths beside the REST API that the document describes."""


async def test_the_document_is_valid(door: Door) -> None:
    async with door.http.get("/api/v1/openapi.json") as response:
        document = await response.json()
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


async def test_the_document_has_exactly_the_registered_routes(door: Door) -> None:
    routes = {resource.canonical for resource in door.application.router.resources()}
    routes = {route for route in routes if route.startswith("/api/")} | PROBES
    assert set(openapi.document(door.application[openapi.DOCUMENTED])["paths"]) == routes - BESIDE


async def test_every_operation_and_schema_has_a_description(door: Door) -> None:
    document = openapi.document(door.application[openapi.DOCUMENTED])
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    for operation in operations:
        assert operation["summary"], operation
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description"), name
    assert (
        "null while it is live"
        in document["components"]["schemas"]["PlayerAnswer"]["properties"]["rating_change"]["description"]
    )
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)


async def test_every_field_and_every_parameter_has_a_meaning(door: Door) -> None:
    document = openapi.document(door.application[openapi.DOCUMENTED])
    schemas = document["components"]["schemas"]
    fields = {
        f"{kind} {name}": field for kind in schemas for name, field in schemas[kind].get("properties", {}).items()
    }
    for path, item in document["paths"].items():
        for method, operation in item.items():
            fields |= {f"{method} {path} {each['name']}": each for each in operation.get("parameters", ())}
    always = {name for name, field in fields.items() if len(field.get("enum", ())) == 1}
    assert [name for name, field in fields.items() if not field.get("description") and name not in always] == []


async def test_no_common_meaning_is_unused(door: Door) -> None:
    schemas = openapi.document(door.application[openapi.DOCUMENTED])["components"]["schemas"]
    meanings = {
        (name, field.get("description"))
        for each in schemas.values()
        for name, field in each.get("properties", {}).items()
    }
    assert {(name, text) for name, text in COMMON.items() if name not in protocol.COMMON} <= meanings


async def test_errors_of_all_requests_are_described_once(door: Door) -> None:
    document = openapi.document(door.application[openapi.DOCUMENTED])
    shared = document["components"]["responses"]
    assert set(shared) == {str(status) for status in openapi.ERRORS}
    answers = document["paths"]["/api/v1/bots"]["get"]["responses"]
    assert answers["404"] == {"$ref": "#/components/responses/404"}
    assert shared["404"]["description"] == openapi.ERRORS[404]


async def test_operations_of_operators_may_answer_403(door: Door) -> None:
    document = openapi.document(door.application[openapi.DOCUMENTED])
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    of_operators = [operation for operation in operations if {"operator": []} in operation.get("security", ())]
    assert of_operators
    for operation in of_operators:
        assert "403" in operation["responses"], operation["operationId"]


async def test_every_reference_has_a_schema(door: Door) -> None:
    document = openapi.document(door.application[openapi.DOCUMENTED])
    names = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert names == set(document["components"]["schemas"])


async def test_the_documentation_lists_the_same_routes(door: Door) -> None:
    text = Path(openapi.__file__).parents[2].joinpath("docs", "reference", "api.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `((?:POST )?/api/v1/[^`]+|/healthz|/readyz)` \| (.+) \|$", text, re.MULTILINE))
    listed.pop(openapi.PATH)
    paths = openapi.document(door.application[openapi.DOCUMENTED])["paths"]
    assert listed == {
        (path if method == "get" else f"{method.upper()} {path}"): operation["summary"]
        for path, item in paths.items()
        for method, operation in item.items()
    }


class _Order(msgspec.Struct):
    """A body."""


async def _two_bodies(one: _Order, other: _Order) -> Answer:
    raise NotImplementedError


async def _unknown_source(number: int) -> Answer:
    raise NotImplementedError


async def _no_body(arena: Arena) -> Answer:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("run", "message"),
    [(_two_bodies, "two parameters are the body"), (_unknown_source, "'number' has no source"), (_no_body, "POST")],
)
async def test_a_handler_that_cannot_be_called_is_refused_when_it_is_declared(
    run: Callable[..., Awaitable[object]], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Endpoint("POST", "/api/v1/orders", run)
