# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the types of the API and of the protocol for the checker of the pages: `python -m tools.declarations`.

The namespace `Api` holds the schemas of the OpenAPI document, `Protocol` those of the messages on the sockets. Scripts
of the pages name them in comments (`@param {Api.MatchAnswer} match`), so that `tsc` finds fields that no answer has. A
configuration beside them extends that of the repository by the folders of scripts, which the server serves as one.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.cli.features import FEATURES
from arena.protocol.schema import json_schema
from web.api import ENDPOINTS
from web.api.openapi import document, documented

ROOT = Path(__file__).parents[1]
FILE = ROOT / ".types" / "api.d.ts"
CONFIGURATION = ROOT / ".types" / "tsconfig.json"

Schema = Mapping[str, Any]

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declared(schema: Schema) -> str:
    """Return a JSON Schema as a type of TypeScript. Raises ValueError for one that has no rule here."""
    match schema:
        case {"$ref": str(reference)}:
            return reference.rpartition("/")[2]
        case {"anyOf": list(choices)} | {"oneOf": list(choices)}:
            return " | ".join(dict.fromkeys(declared(choice) for choice in choices))
        case {"enum": list(values)}:
            return " | ".join(json.dumps(value) for value in values)
        case {"type": "array", "prefixItems": list(items)}:
            return f"[{', '.join(map(declared, items))}]"
        case {"type": "array"}:
            return f"({declared(schema.get('items', {}))})[]"
        case {"type": "object", "properties": dict(properties)}:
            required = schema.get("required", [])
            fields = [
                f"{json.dumps(name)}{'' if name in required else '?'}: {declared(field)};"
                for name, field in properties.items()
            ]
            return f"{{ {' '.join(fields)} }}"
        case {"type": "object"}:
            values = schema.get("additionalProperties", {})
            return f"Record<string, {declared(values) if isinstance(values, Mapping) else 'unknown'}>"
        case {"type": str(kind)}:
            return _PLAIN[kind]
        case {"type": list(kinds)}:
            return " | ".join(_PLAIN[kind] for kind in kinds)
        case _ if not schema.keys() - {"description", "title", "default"}:
            return "unknown"
    raise ValueError(f"no type is known for {schema}")


def namespace(name: str, schemas: Mapping[str, Schema]) -> str:
    """Return the declaration of a namespace with a type for each schema."""
    types = [f"  type {each} = {declared(schema)};\n" for each, schema in sorted(schemas.items())]
    return f"declare namespace {name} {{\n{''.join(types)}}}\n"


def answers(paths: Mapping[str, Schema]) -> str:
    """Return the declaration of `Api.AnswerTo`: the type of the answer to a GET request by its address."""
    found = []
    for path in sorted(paths, key=len, reverse=True):
        if "get" not in paths[path]:
            continue
        operation = paths[path]["get"]
        answer = operation["responses"]["200"]["content"].get("application/json")
        address = path
        for parameter in operation.get("parameters", []):
            kind = "${number}" if parameter["schema"].get("type") == "integer" else "${string}"
            address = address.replace(f"{{{parameter['name']}}}", kind)
        if answer is not None:
            found.append(f"    Path extends `{address}${{Query}}` ? {declared(answer['schema'])} :\n")
    query = '  type Query = "" | `?${string}`;\n'
    return (
        f"declare namespace Api {{\n{query}  type AnswerTo<Path extends string> =\n{''.join(found)}    unknown;\n}}\n"
    )


def declarations() -> str:
    """Return the text of the file."""
    parts = [feature.web() for feature in FEATURES if feature.web is not None]
    api = document(documented((*ENDPOINTS, *(each for part in parts for each in part.endpoints))))
    schemas = namespace("Api", api["components"]["schemas"]) + namespace("Protocol", json_schema()["$defs"])
    return schemas + answers(api["paths"])


def configuration() -> Mapping[str, Any]:
    """Return a configuration of `tsc` with all folders of scripts."""
    edges = [feature.web() for feature in FEATURES if feature.web is not None]
    folders = [ROOT / "web" / "static", *(edge.static for edge in edges if edge.static is not None)]
    return {
        "extends": str(ROOT / "tsconfig.json"),
        "compilerOptions": {"rootDirs": [str(folder) for folder in folders]},
    }


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(declarations(), encoding="utf-8")
    CONFIGURATION.write_text(json.dumps(configuration()), encoding="utf-8")
