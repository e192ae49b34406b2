# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored genomes of search programs are of version 4, which names search parameters by the words of engines."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

NAMES = {
    "a man captured": "capture weight",
    "a losing capture": "losing capture penalty",
    "first killer": "first killer weight",
    "second killer": "second killer weight",
    "history": "history weight",
    "answer": "counter move weight",
    "a wasted move": "losing quiet move penalty",
    "sequel": "continuation history weight",
    "own sequel": "second continuation history weight",
    "a clean capture": "safe capture weight",
    "verifies": "full-depth re-search",
    "passes": "null move",
    "patience": "iteration share",
    "follows": "principal variation first",
    "recalls": "keep killers",
    "remembers": "search tree memory",
    "steady": "stable move share",
    "standing": "reverse futility margin",
    "hope": "futility base",
    "hope a ply": "futility margin",
    "few": "late move count",
    "risk": "SEE margin",
    "trust": "quiescence SEE margin",
    "despair": "delta margin",
    "late": "LMR slope",
    "settled": "LMR move count",
    "lighter": "null move reduction",
    "narrow": "aspiration window",
    "esteem": "LMR history",
    "refuted": "LMR cut node",
    "principal": "LMR open window",
    "worse": "LMR not improving",
    "disdain": "history margin",
    "unknown": "internal iterative reduction",
    "surplus": "null move score reduction",
    "learning": "history rate",
    "better": "reverse futility improving",
    "foresight": "pruning LMR share",
    "evasive": "evasion history weight",
}
"""The names of version 3, and those of version 4."""

COLUMNS = (("genome", "version_id", "body"), ("deme", "id", "report"), ("exam", "id", "body"))
"""Tables, their keys, and the columns with genomes in JSON."""
BATCH = 500


def upgrade() -> None:
    """Go one step on: rename the search parameters of genomes, and of the views of genomes."""
    connection = op.get_bind()
    for name, key, column in COLUMNS:
        table = sa.table(name, sa.column(key), sa.column(column))
        for rows in _batches(connection, table.c[key], table.c[column]):
            for number, text in rows:
                changed = table.update().where(table.c[key] == number).values({column: renamed(text)})
                connection.execute(changed)


def _batches(connection: sa.Connection, key: Any, column: Any) -> Iterator[list[tuple[int, str]]]:
    """Yield the rows with genomes of version 3, some at a time."""
    last = 0
    while True:
        wanted = sa.select(key, column).where(key > last, column.contains('"habits"')).order_by(key).limit(BATCH)
        rows = [(int(number), str(text)) for number, text in connection.execute(wanted)]
        if not rows:
            return
        yield rows
        last = rows[-1][0]


def renamed(text: str) -> str:
    """Return JSON with all genomes of version 3 in it as genomes of version 4."""
    return json.dumps(_renamed(json.loads(text)), ensure_ascii=False, separators=(",", ":"))


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("kind") == "steered" and value.get("version") == 3 and isinstance(value.get("habits"), dict):
        value = {"search" if name == "habits" else name: each for name, each in value.items()}
        value["search"] = {NAMES.get(name, name): number for name, number in value["search"].items()}
        value["version"] = 4
    found = {name: _renamed(each) for name, each in value.items()}
    if {"name", "value", "low", "high", "standard"} <= found.keys():
        found["name"] = NAMES.get(found["name"], found["name"])
    if found.get("what") == "habits":
        found["what"] = "search"  # what a refinement changed, in a lineage
    return found
