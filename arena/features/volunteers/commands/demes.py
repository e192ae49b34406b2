# SPDX-License-Identifier: GPL-3.0-or-later
"""Let demes on volunteers' machines take part: give each a token, list them, pardon one, or let one in no more.

Works on the database itself, whether a server runs on it or not. A token is for one deme:
`arena evolve --join URL --token T`.
"""

import argparse
from functools import partial
from typing import Any

import msgspec

from arena.cli.output import print_json, print_table, say
from arena.cli.records import named_actions, on_records
from arena.connections.tokens import hash_token, make_token
from arena.features.volunteers.deme import Deme
from arena.features.volunteers.records import DemeRecords
from arena.store import Store

ACTIONS = {
    "add": "let a deme in and print its token, this once",
    "list": "list the demes, with what was refused of them",
    "pardon": "let the genomes of a deme in quarantine spread again, once they are tried anew",
    "remove": "let a deme in no more; what there is of it stays",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    named_actions(parser, ACTIONS)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
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
                    ("deme", "game", "generation", "rivals' depth", "reports", "refused", "stands"), map(_row, demes)
                )
        case "add":
            token = make_token()
            row = await records.add(arguments.name, hash_token(token))
            if arguments.json:
                print_json({"id": row.id, "name": row.name, "token": token})
            else:
                say(f"The token of {row.name}; it is shown only now, and is for one deme:")
                say(token)
        case "pardon":
            await records.pardon(arguments.name)
            _tell(arguments, "pardoned", f"{arguments.name} is pardoned; its genomes spread when they are tried anew")
        case _:
            await records.remove(arguments.name)
            _tell(arguments, "removed", f"{arguments.name} is let in no more")


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
    stands = "let in"
    if deme.token_hash is None:
        stands = "removed"
    elif deme.quarantined is not None:
        stands = f"in quarantine: {deme.why}"
    elif report is not None:
        stands = "takes part"
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
