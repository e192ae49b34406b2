# SPDX-License-Identifier: GPL-3.0-or-later
"""The types of the API that scripts of the pages are checked with follow from its document."""

import pytest

from tests.features import declared as declared_parts
from tools.declarations import answers, declarations, declared, namespace
from web.api import ENDPOINTS
from web.api.openapi import document, documented


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 1}, "number"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"enum": ["live", 1, None]}, '"live" | 1 | null'),
        ({"$ref": "#/components/schemas/BotAnswer"}, "BotAnswer"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"type": "string"}}, "(string)[]"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"$ref": "#/$defs/Info"}], "items": False},
            "[string, Info]",
        ),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "Record<string, number>"),
        ({"type": "object"}, "Record<string, unknown>"),
        (
            {"type": "object", "properties": {"id": {"type": "integer"}, "by hand": {}}, "required": ["id"]},
            '{ "id": number; "by hand"?: unknown; }',
        ),
    ],
)
def test_a_schema_becomes_a_type(schema: dict[str, object], expected: str) -> None:
    assert declared(schema) == expected


def test_a_schema_without_a_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="contains"):
        declared({"contains": {"type": "string"}})


def test_an_address_has_the_type_of_its_answer() -> None:
    parameters = [{"name": "id", "in": "path", "schema": {"type": "integer"}}]
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/BotAnswer"}}}
    paths = {"/bots/{id}": {"get": {"parameters": parameters, "responses": {"200": {"content": content}}}}}
    assert "Path extends `/bots/${number}${Query}` ? BotAnswer :" in answers(paths)


def test_every_schema_of_the_document_has_a_type() -> None:
    text = declarations()
    schemas = document(documented((*ENDPOINTS, *declared_parts.ENDPOINTS)))["components"]["schemas"]
    assert namespace("Api", schemas) in text
    assert "  type WatchMessage = Snapshot | " in text
