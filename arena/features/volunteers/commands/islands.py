# SPDX-License-Identifier: GPL-3.0-or-later
"""Register, list and remove islands (populations on volunteers' machines), and lift a quarantine.

Works on the database itself, with or without a running server. A token is for one island:
`arena evolve --join URL --token T`.
"""

import argparse
from functools import partial
from typing import Any

import msgspec

from arena.cli.support.output import print_answer, print_json, print_table
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.features.volunteers.island import Island
from arena.features.volunteers.records import IslandRecords
from arena.store import Store

GROUP = "breed"

ACTIONS = {
    "add": "register an island and print its token once",
    "list": "list the islands, with their refused reports",
    "lift": "lift the quarantine of an island; its genomes are verified again before they spread",
    "remove": "revoke the token of an island; its records stay",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    named_actions(parser, ACTIONS, "island")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    records = store.records(IslandRecords)
    match arguments.action:
        case "list":
            islands = [Island.stored(row) for row in await records.all()]
            if arguments.json:
                print_json({"items": [_plain(island) for island in islands], "next": None})
            else:
                print_table(
                    ("island", "game", "generation", "opponents' depth", "reports", "refused", "state"),
                    map(_row, islands),
                )
        case "add":
            token = make_token()
            row = await records.add(arguments.name, hash_token(token))
            print_answer(
                arguments,
                {"id": row.id, "name": row.name, "token": token},
                f"The token of {row.name}, for this island only; it is not shown again:",
                token,
            )
        case "lift":
            await records.lift(arguments.name)
            print_answer(
                arguments,
                {"lifted": arguments.name},
                f"the quarantine of {arguments.name} is lifted; its genomes are verified again before they spread",
            )
        case _:
            await records.remove(arguments.name)
            print_answer(arguments, {"removed": arguments.name}, f"the token of {arguments.name} is revoked")


def _plain(island: Island) -> dict[str, Any]:
    return {
        "id": island.id,
        "name": island.name,
        "game": island.game,
        "admitted": island.token_hash is not None,
        "seen": island.seen,
        "report": msgspec.to_builtins(island.report),
        "reports": island.reports,
        "repeated": island.repeated,
        "refusals": dict(island.refusals),
        "quarantined": island.quarantined,
        "why": island.why,
        "lifts": island.lifts,
    }


def _row(island: Island) -> tuple[object, ...]:
    report = island.report
    stands = "registered"
    if island.token_hash is None:
        stands = "removed"
    elif island.quarantined is not None:
        stands = f"in quarantine: {island.why}"
    elif report is not None:
        stands = "joined"
    refused = ", ".join(f"{count} {reason}" for reason, count in sorted(island.refusals.items())) or "-"
    return (
        island.name,
        island.game or "-",
        report.generation if report else "-",
        report.level if report else "-",
        island.reports,
        refused,
        stands,
    )
