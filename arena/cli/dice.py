# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the dice rolls of finished matches against their secrets.

It reads games as JSON lines, as the arena exports them, and needs nothing else of the arena. The exit code is 1 when a
roll does not follow from its secret.
"""

import argparse
from pathlib import Path

from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, print_json, print_table
from arena.records.rolls import check_rolls, commitment_of
from engine.formats import json_lines
from engine.games import find
from engine.record import Record

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="games as JSON lines")
    parser.add_argument(
        "--commitment", metavar="HEX", help="the commitment that was published at the start; FILE must contain one game"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    try:
        records = list(json_lines.read(arguments.file.read_text("utf-8").splitlines()))
    except OSError as error:
        raise CommandError(f"cannot read {arguments.file}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{arguments.file}: {error}") from None
    if arguments.commitment is not None and len(records) != 1:
        raise CommandError(f"--commitment needs a file with one game; {arguments.file} has {len(records)}")
    checked = [_check(record, arguments.commitment) for record in records]
    if arguments.json:
        print_json({"games": checked})
    else:
        columns = ("game", "players", "rolls", "commitment", "problem")
        print_table(columns, ([row[column] or "" for column in columns] for row in checked))
    return 1 if any(row["problem"] for row in checked) else 0


def _check(record: Record, commitment: str | None) -> dict[str, object]:
    row: dict[str, object] = {
        "game": record.game,
        "players": " - ".join(player.name for player in record.players),
        "rolls": 0,
        "commitment": None,
        "problem": None,
    }
    try:
        if not find(record.game).chance:
            raise ValueError("the game has no dice")
        row["commitment"] = commitment_of(record) if record.seed is not None and record.seed >> 64 else None
        row["rolls"] = check_rolls(record, commitment)
    except KeyError as error:
        row["problem"] = str(error.args[0])
    except ValueError as error:
        row["problem"] = str(error)
    return row
