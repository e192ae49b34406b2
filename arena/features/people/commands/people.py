# SPDX-License-Identifier: GPL-3.0-or-later
"""List the people who have played: accounts, and the seats of guests."""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.support.output import print_json, print_table
from arena.cli.support.records import actions, on_records
from arena.features.people.records import People
from arena.features.people.rows import PersonRow
from arena.store import Store

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    actions(parser, {"list": "list the accounts and the seats of guests that have played"})


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    rows = await store.records(People).everybody()
    if arguments.json:
        print_json({"items": [_plain(row) for row in rows], "next": None})
    else:
        print_table(("name", "number", "kind", "last seen"), map(_cells, rows))


def _plain(row: PersonRow) -> dict[str, object]:
    kind = "guest" if row.guest else "account"
    return {"name": row.name, "bot": row.bot_id, "kind": kind, "seen": row.seen, "removed": row.removed}


def _cells(row: PersonRow) -> tuple[object, ...]:
    seen = datetime.fromtimestamp(row.seen).astimezone().strftime("%Y-%m-%d %H:%M")
    return row.name, row.bot_id, "guest" if row.guest else "account", seen
