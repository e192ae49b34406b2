# SPDX-License-Identifier: GPL-3.0-or-later
"""How rows were written under earlier schemas: the vocabulary of their time.

A migration that changes values adds its reverse here. Columns and tables that a schema lacks are left out elsewhere.
"""

import copy
import json
from collections.abc import Callable
from typing import Any

from tests.arena.store.formats.rows import DELETED, Rows


def _house(rows: Rows) -> None:
    """The built-in bots were the house's."""
    for bot in rows["bot"]:
        bot["kind"] = "house" if bot["kind"] == "built-in" else bot["kind"]
        bot["owner"] = bot["owner"].replace("population built-in, ", "population house, ")
    for population in rows["population"]:
        for column in ("name", "config"):
            population[column] = population[column].replace("built-in, ", "house, ")


def _exhibits(rows: Rows) -> None:
    """A view was an exhibit, and search traces were looks."""
    _in_json(rows, "genome", "body", {"view": "exhibit", "search_traces": "looks"})
    _in_json(rows, "exam", "body", {"search_traces": "looks"})


def _habits(rows: Rows) -> None:
    """Genomes had version 3, with other names of search parameters."""
    names = {"search": "habits", "futility base": "hope", "late move count": "few"}
    for table, column in (("genome", "body"), ("deme", "report"), ("exam", "body")):
        _in_json(rows, table, column, names, {4: 3})


def _beliefs(rows: Rows) -> None:
    """An expected answer had a belief, and matches ended by quiet plies."""
    for event in rows["event"]:
        event["body"] = event["body"].replace('"probability":', '"belief":')
        event["body"] = event["body"].replace('"termination":"no-progress rule"', '"termination":"quiet plies"')
    for match in rows["match"]:
        if match["termination"] == "no-progress rule":
            match["termination"] = "quiet plies"


def _operators(rows: Rows) -> None:
    """There were operators instead of accounts, and nobody owned a bot."""
    rows["operator"] = [{"name": "ann", "token_hash": "hash of ann", "created": rows["account"][0]["created"]}]
    for bot in rows["bot"]:
        bot["owner"] = "" if bot["owner"] == "deleted account" else bot["owner"]


def _who(rows: Rows) -> None:
    """The column with the account had another name."""
    for entry in rows["audit_log"]:
        entry["who"] = entry.pop("account")


def _one_deleted_account(rows: Rows) -> None:
    """All deleted accounts had one name as owners."""
    for bot in rows["bot"]:
        bot["owner"] = "deleted account" if bot["owner"] == DELETED else bot["owner"]


def _no_secrets(rows: Rows) -> None:
    """Dice were rolled by the seed."""
    secret = {match["id"] for match in rows["match"] if match["dice_secret"] is not None}
    for table, key in (("match", "id"), ("event", "match_id"), ("player", "match_id")):
        rows[table] = [row for row in rows[table] if row[key] not in secret]


CHANGES: tuple[tuple[str, Callable[[Rows], None]], ...] = (
    ("0022", _one_deleted_account),
    ("0015", _who),
    ("0013", _operators),
    ("0012", _beliefs),
    ("0011", _habits),
    ("0010", _exhibits),
    ("0009", _house),
    ("0007", _no_secrets),
)
"""The newest first: the schema with the present form, and the way back from it."""


def as_of(schema: str, rows: Rows) -> Rows:
    """Return the rows as a schema had them, with all their columns."""
    rows = copy.deepcopy(rows)
    for first, change in CHANGES:
        if schema < first:
            change(rows)
    return rows


def _in_json(
    rows: Rows, table: str, column: str, names: dict[str, str], versions: dict[int, int] | None = None
) -> None:
    """Replace keys, texts and version numbers in the JSON of a column."""

    def replaced(value: Any) -> Any:
        if isinstance(value, dict):
            found = {names.get(key, key): replaced(each) for key, each in value.items()}
            if "version" in found and versions is not None:
                found["version"] = versions.get(found["version"], found["version"])
            return found
        if isinstance(value, list):
            return [replaced(each) for each in value]
        return names.get(value, value) if isinstance(value, str) else value

    for row in rows[table]:
        row[column] = json.dumps(replaced(json.loads(row[column])), separators=(",", ":"), ensure_ascii=False)
