# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the types of the client in JavaScript: those of the messages from their classes, the others from its comments.

python -m tools.client_types
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Any

from arena.protocol.schema import json_schema
from tools.declarations import declared

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "docs" / "examples" / "js"

DIRECTIONS = {"BotMessage": "Messages from a bot to the arena.", "ArenaMessage": "Messages from the arena to a bot."}

WIDTH = 120

_HEADER = """\
// SPDX-License-Identifier: MIT
// `make docs` writes this file.
"""


def messages() -> str:
    """Return the types of the messages, and of what they consist of."""
    schemas = json_schema()["$defs"]
    names = {name for direction in DIRECTIONS for name in _needed(schemas, direction)}
    return "\n".join((_HEADER, *(_type(name, schemas[name]) for name in sorted(names))))


def of_scripts() -> Mapping[str, str]:
    """Return the declarations that `tsc` makes of the scripts, by the names of their files."""
    path = os.pathsep.join((os.environ["PATH"], str(Path(sys.executable).parent)))
    with TemporaryDirectory() as folder:
        command = [str(ROOT / "node_modules" / ".bin" / "tsc"), "--project", str(CLIENT), "--outDir", folder]
        subprocess.run(
            [*command, "--declaration", "--emitDeclarationOnly"], env=os.environ | {"PATH": path}, check=True
        )
        return {made.name: f"{_HEADER}{made.read_text('utf-8')}" for made in sorted(Path(folder).iterdir())}


def _needed(schemas: dict[str, Any], name: str) -> Iterator[str]:
    """Yield the name of a schema and the names of those that it refers to."""
    yield name
    for reference in _references(schemas[name]):
        yield from _needed(schemas, reference)


def _references(schema: Any) -> Iterator[str]:
    """Yield the names that a part of a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _type(name: str, schema: dict[str, Any]) -> str:
    """Return the declaration of a type."""
    description = DIRECTIONS.get(name) or schema["description"]
    if "properties" not in schema:
        return f"{_comment(description, '')}export type {name} = {declared(schema)};\n"
    required = schema.get("required", ())
    fields = ""
    for field, part in schema["properties"].items():
        mark = "" if field in required else "?"
        fields += f"{_comment(part.get('description', ''), '  ')}  {json.dumps(field)}{mark}: {declared(part)};\n"
    return f"{_comment(description, '')}export type {name} = {{\n{fields}}};\n"


def _comment(description: str, indent: str) -> str:
    """Return a description as a comment; "" for none."""
    plain = " ".join(description.split())
    if not plain:
        return ""
    if len(f"{indent}/** {plain} */") <= WIDTH:
        return f"{indent}/** {plain} */\n"
    lines = wrap(plain, WIDTH - len(indent) - 3)
    return "\n".join((f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */\n"))


if __name__ == "__main__":
    (CLIENT / "messages.d.ts").write_text(messages(), encoding="utf-8")  # the scripts refer to them
    for name, text in of_scripts().items():
        (CLIENT / name).write_text(text, encoding="utf-8")
