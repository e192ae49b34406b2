# SPDX-License-Identifier: GPL-3.0-or-later
"""Register islands of volunteers, list them, lift a quarantine, or remove an island.

Works on the database itself, with or without a running server. A token is for one island (a deme):
`arena evolve --join URL --token T`.
"""

import argparse
from functools import partial
from typing import Any

import msgspec

from arena.cli.support.output import print_json, print_table, say
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.features.volunteers.deme import Deme
from arena.features.volunteers.records import DemeRecords
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
    named_actions(parser, ACTIONS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    records = store.records(DemeRecords)
    match arguments.action:
        case "list":
            demes = [Deme.stored(row) for row in await records.all()]
            if arguments.json:
                print_json({"items": [_plain(deme) for deme in demes], "next": None})
            else:
                print_table(
                    ("island", "game", "generation", "opponents' depth", "reports", "refused", "state"),
                    map(_row, demes),
                )
        case "add":
            token = make_token()
            row = await records.add(arguments.name, hash_token(token))
            if arguments.json:
                print_json({"id": row.id, "name": row.name, "token": token})
            else:
                say(f"The token of {row.name}, for this island only; it is not shown again:")
                say(token)
        case "lift":
            await records.pardon(arguments.name)
            _tell(
                arguments,
                "lifted",
                f"the quarantine of {arguments.name} is lifted; its genomes are verified again before they spread",
            )
        case _:
            await records.remove(arguments.name)
            _tell(arguments, "removed", f"the token of {arguments.name} is revoked")


def _tell(arguments: argparse.Namespace, done: str, text: str) -> None:
    if arguments.json:
        print_json({done: arguments.name})
    else:
        say(text)


def _plain(deme: Deme) -> dict[str, Any]:
    return {
        "id": deme.id,
        "name": deme.name,
        "game": deme.game,
        "admitted": deme.token_hash is not None,
        "seen": deme.seen,
        "report": msgspec.to_builtins(deme.report),
        "reports": deme.reports,
        "repeated": deme.repeated,
        "refusals": dict(deme.refusals),
        "quarantined": deme.quarantined,
        "why": deme.why,
        "pardons": deme.pardons,
    }


def _row(deme: Deme) -> tuple[object, ...]:
    report = deme.report
    stands = "registered"
    if deme.token_hash is None:
        stands = "removed"
    elif deme.quarantined is not None:
        stands = f"in quarantine: {deme.why}"
    elif report is not None:
        stands = "joined"
    refused = ", ".join(f"{count} {reason}" for reason, count in sorted(deme.refusals.items())) or "-"
    return (
        deme.name,
        deme.game or "-",
        report.generation if report else "-",
        report.level if report else "-",
        deme.reports,
        refused,
        stands,
    )
