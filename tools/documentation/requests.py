# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the REST API, from the OpenAPI document: a page for each group of requests, and one of all types."""

from collections.abc import Iterator, Mapping

from arena.cli.features import FEATURES
from arena.protocol.reference import type_words
from tools.documentation.markdown import code, literal, prose, table
from tools.documentation.schemas import Schema, default, types
from web.api.openapi import ERRORS, document, documented
from web.application import endpoints_of

FOLDER = "reference/rest"
TYPES = "types"
"""The name of the page with all types."""

ELSEWHERE = f"{TYPES}.md"
"""The page that the types of requests link to."""

_INTRODUCTION = """\
# Requests

These pages are made from the OpenAPI document of an arena, `/api/v1/openapi.json`. [The REST API](../api.md) describes
tokens, lists and errors. Parameters and fields without a default are required.

Every request may be refused with one of these statuses. The other pages name further ones only.
"""


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
    found[f"{FOLDER}/{TYPES}.md"] = "\n".join(["# Types", "", *types(described["components"]["schemas"])])
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
                ("parameter", "in", "type", "default", "meaning"),
                [
                    (
                        code(each["name"]),
                        each["in"],
                        type_words(each["schema"], ELSEWHERE),
                        "" if each.get("required") else default(each["schema"]),
                        prose(each.get("description", "")),
                    )
                    for each in parameters
                ],
            )
        if body := operation.get("requestBody"):
            yield from (f"Body: {_content(body)}.", "")
        answers, errors = operation["responses"], []
        yield from (f"Answer: {_content(answers['200'])}.", "")
        for status, answer in sorted(answers.items()):
            if status != "200" and "$ref" not in answer:
                errors.append((status, prose(answer["description"])))
        if errors:
            yield from table(("status", "reason"), errors)


def _scheme(name: str, scheme: Schema) -> str:
    return f"the cookie {code(name)}" if scheme["type"] == "apiKey" else f"a token of the kind {code(name)}"


def _content(body: Schema) -> str:
    """Return the types of a body, with their media types."""
    parts = []
    for media_type, content in body["content"].items():
        kind = type_words(content["schema"], ELSEWHERE) if content["schema"] else "a file"
        parts.append(f"{kind} ({code(media_type)})")
    return " or ".join(parts)
