# SPDX-License-Identifier: GPL-3.0-or-later
"""Register runners (machines that host bots for the arena), list them, or remove one.

Works on the database itself, with or without a running server. A token is for one runner:
`arena runner --url URL --token T`.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.support.output import print_answer, print_json, print_table
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.features.runners.records import Runners
from arena.features.runners.rows import RunnerRow
from arena.store import Store

GROUP = "maintain"

ACTIONS = {
    "add": "register a runner and print its token once",
    "list": "list the runners, with the time at which each was connected last",
    "remove": "revoke the token of a runner; its bots are hosted elsewhere",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    named_actions(parser, ACTIONS, "runner")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    records = store.records(Runners)
    match arguments.action:
        case "list":
            rows = await records.all()
            if arguments.json:
                print_json({"items": [_plain(row) for row in rows]})
            else:
                print_table(("runner", "registered", "connected last"), map(_cells, rows))
        case "add":
            token = make_token()
            row = await records.add(arguments.name, hash_token(token))
            print_answer(
                arguments,
                {"id": row.id, "name": row.name, "token": token},
                f"The token of {row.name}, for this runner only; it is not shown again:",
                token,
            )
        case _:
            await records.remove(arguments.name)
            print_answer(arguments, {"removed": arguments.name}, f"the token of {arguments.name} is revoked")


def _plain(row: RunnerRow) -> dict[str, object]:
    return {"id": row.id, "name": row.name, "created": row.created, "seen": row.seen}


def _cells(row: RunnerRow) -> tuple[object, ...]:
    return row.name, _moment(row.created), "never" if row.seen is None else _moment(row.seen)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")
