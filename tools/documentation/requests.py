# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the REST API, from the OpenAPI document: a page for each group of requests, and one of all types."""

from collections.abc import Iterator, Mapping
from typing import Any

from arena.cli.features import FEATURES
from tools.documentation.markdown import code, literal, prose, table
from web.api.openapi import ERRORS, document, documented
from web.application import endpoints_of

FOLDER = "reference/rest"
TYPES = "types"
"""The name of the page with all types."""

Schema = Mapping[str, Any]

_TYPE = "#/components/schemas/"

_INTRODUCTION = """\
# Requests

These pages are made from the OpenAPI document of an arena, `/api/v1/openapi.json`. [The REST API](../api.md) describes
tokens, lists and errors.

Every request may be refused with one of these statuses. The other pages name further ones only.
"""

_BOUNDS = {
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "minLength": "length ≥ {}",
    "maxLength": "length ≤ {}",
    "minItems": "≥ {} items",
    "maxItems": "≤ {} items",
    "pattern": "pattern {}",
}


def pages() -> Mapping[str, str]:
    """Return the pages by their paths."""
    described = document(documented(endpoints_of(FEATURES)))
    groups: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, item in described["paths"].items():
        for method, operation in item.items():
            groups.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    found = {f"{FOLDER}/README.md": _index(groups)}
    for name, operations in groups.items():
        schemes = described["components"]["securitySchemes"]
        found[f"{FOLDER}/{name}.md"] = "\n".join([f"# {_title(name)}", "", *_group(operations, schemes)])
    found[f"{FOLDER}/{TYPES}.md"] = "\n".join(["# Types", "", *_types(described["components"]["schemas"])])
    return found


def heading(method: str, path: str) -> str:
    """Return the heading of a request."""
    return f"{method} {path}"


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _index(groups: Mapping[str, list[tuple[str, str, Schema]]]) -> str:
    lines = [
        _INTRODUCTION,
        *table(("status", "reason"), ((str(status), prose(text)) for status, text in ERRORS.items())),
    ]
    for name, operations in sorted(groups.items()):
        lines += [f"- [{_title(name)}]({name}.md): {_count(len(operations))}"]
    return "\n".join([*lines, f"- [Types]({TYPES}.md): of bodies and answers", ""])


def _count(number: int) -> str:
    return f"{number} request{'s' if number > 1 else ''}"


def _group(operations: list[tuple[str, str, Schema]], schemes: Mapping[str, Schema]) -> Iterator[str]:
    for method, path, operation in operations:
        yield from (f"## {literal(heading(method, path))}", "", prose(operation["summary"]), "")
        if needed := [_scheme(kind, schemes[kind]) for option in operation.get("security", ()) for kind in option]:
            yield from (f"Needs {' or '.join(needed)}.", "")
        if parameters := operation.get("parameters"):
            yield from table(
                ("parameter", "in", "type", "meaning"),
                [
                    (code(each["name"]), each["in"], _typed(each["schema"]), prose(each.get("description", "")))
                    for each in parameters
                ],
            )
        if body := operation.get("requestBody"):
            yield from (f"Body: {_content(body)}.", "")
        answers, errors = operation["responses"], []
        yield from (f"Answer: {_content(answers['200'])}.", "")
        for status, answer in sorted(answers.items()):
            if status != "200" and answer["description"] != ERRORS.get(int(status)):
                errors.append((status, prose(answer["description"])))
        if errors:
            yield from table(("status", "reason"), errors)


def _scheme(name: str, scheme: Schema) -> str:
    return f"the cookie {code(name)}" if scheme["type"] == "apiKey" else f"a token of the kind {code(name)}"


def _content(body: Schema) -> str:
    """Return the types of a body, with their media types."""
    parts = []
    for media_type, content in body["content"].items():
        kind = _typed(content["schema"]) if content["schema"] else "a file"
        parts.append(f"{kind} ({code(media_type)})")
    return " or ".join(parts)


def _types(schemas: Mapping[str, Schema]) -> Iterator[str]:
    for name, schema in schemas.items():
        yield from (f"## {name}", "")
        if schema.get("description"):
            yield from (*_paragraphs(schema["description"]), "")
        if "properties" not in schema:
            yield from (_typed({key: value for key, value in schema.items() if key != "description"}), "")
            continue
        required = set(schema.get("required", ()))
        rows = [
            (
                code(field),
                _typed(kind) + ("" if field in required else ", optional"),
                prose(kind.get("description", "")),
            )
            for field, kind in schema["properties"].items()
        ]
        yield from table(("field", "type", "meaning"), rows) if rows else ("It has no fields.", "")


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        yield prose(paragraph)


def _typed(schema: Schema) -> str:
    """Return a type in words, with links to the types that it names."""
    words = _kind(schema)
    bounds = [form.format(literal(f"{schema[key]}")) for key, form in _BOUNDS.items() if key in schema]
    default = [f"default {code(_value(schema['default']))}"] if schema.get("default") is not None else []
    return ", ".join([words, *bounds, *default])


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _kind(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_TYPE)
        return f"[{name}]({TYPES}.md#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(_typed, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(code(_value(each)) for each in schema["enum"])
    if "const" in schema:
        return code(_value(schema["const"]))
    match schema.get("type"):
        case "array":
            parts = schema.get("prefixItems")
            if parts:
                return f"list of {', '.join(map(_typed, parts))}"
            return f"list of {_typed(schema['items'])}" if schema.get("items") else "list"
        case "object":
            values = schema.get("additionalProperties")
            return f"object with values of {_typed(values)}" if isinstance(values, Mapping) and values else "object"
        case None:
            return "anything"
        case list() as kinds:
            return " or ".join(kinds)
        case kind:
            return str(kind)
