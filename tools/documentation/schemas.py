# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of JSON documents, from their JSON Schemas, as parts of generated pages."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from arena.protocol.reference import type_words
from tools.documentation.markdown import code, prose, table

Schema = Mapping[str, Any]


def types(schemas: Mapping[str, Schema]) -> Iterator[str]:
    """Yield the lines of the page, or of the part of a page, that describes these types."""
    for name, schema in schemas.items():
        yield from (f"## {name}", "")
        if schema.get("description"):
            yield from (*_paragraphs(_in_json(schema["description"])), "")
        if "properties" not in schema:
            yield from (type_words({key: value for key, value in schema.items() if key != "description"}), "")
            continue
        required = set(schema.get("required", ()))
        rows = [
            (
                code(field),
                type_words(kind),
                "" if field in required else default(kind),
                _meaning(kind),
            )
            for field, kind in schema["properties"].items()
        ]
        yield from table(("field", "type", "default", "meaning"), rows) if rows else ("It has no fields.", "")


def default(schema: Schema) -> str:
    """Return the default of an optional field or parameter."""
    return code(msgspec.json.encode(schema["default"]).decode()) if "default" in schema else "omitted"


def _meaning(schema: Schema) -> str:
    """Return the meaning of a field."""
    single = "Always this value." if len(schema.get("enum", ())) == 1 else ""
    return prose(_in_json(schema.get("description", single)))


def _in_json(text: str) -> str:
    """Return a docstring in the terms of JSON."""
    return re.sub(r"\bNone\b", "null", text)


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        yield prose(paragraph)
