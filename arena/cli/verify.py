# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the stored records of an arena, or the dice of exported matches; or replay matches of WebAssembly bots.

It checks matches, ratings, and references from one record to another.

May run beside a server: it reads the records at one moment. With --backup, no record of that backup may
be missing. With --dice it reads only a file of exported games. With --match it
plays matches by instructions again, with --instructions those of a file, and says where moves or instructions differ.
The exit code is 1 when an error was found.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import structs

from arena.cli.features import FEATURES
from arena.cli.support.command_line import CommandError, check_least
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.records import on_records
from arena.data_directory import add_place, database_url
from arena.records.export import as_record
from arena.records.verification import RecordSource, VerificationReport, check_rolls, commitment_of, verify
from arena.store import Store
from arena.store.backups.archive import ArchiveReader
from arena.store.database.engines import make_engines
from arena.store.database.maintenance import has_log
from arena.store.errors import StoreError
from bots.wasm.league import NoReplay, modules, replay
from engine.formats import json_lines
from engine.games import find
from engine.match.record import Record

GROUP = "maintain"

MODULE_ENDINGS = (".wasm", ".wat")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--findings",
        metavar="N",
        type=int,
        default=20,
        help="maximum number of findings of each kind (default: %(default)s)",
    )
    parser.add_argument(
        "--backup", metavar="FILE", type=Path, help="a backup to compare with: no record of it may be missing"
    )
    dice = parser.add_argument_group("dice", "check the dice rolls of finished matches against their secrets")
    dice.add_argument("--dice", metavar="FILE", type=Path, help="exported games as JSON lines, instead of the records")
    dice.add_argument(
        "--commitment", metavar="HEX", help="the commitment that was published at the start; FILE must contain one game"
    )
    league = parser.add_argument_group(
        "instructions",
        "replay matches of WebAssembly bots with a limit of instructions, and compare moves and instructions",
    )
    league.add_argument(
        "--match", metavar="NUMBER", type=int, nargs="+", help="stored matches by their numbers on the server"
    )
    league.add_argument(
        "--instructions", metavar="FILE", type=Path, help="games as JSON lines, instead of the records; needs --modules"
    )
    league.add_argument(
        "--modules",
        metavar="MODULE",
        type=Path,
        nargs="+",
        help="the modules of the bots that played the games, or folders with modules (default with --match: the "
        "uploads beside the SQLite file, or in PostgreSQL)",
    )
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    if arguments.dice is not None:
        return _verify_dice(arguments)
    if arguments.commitment is not None:
        raise CommandError("--commitment needs --dice")
    if arguments.instructions is not None and arguments.match is not None:
        raise CommandError("use only one of --instructions and --match")
    if arguments.match is not None:
        return _verify_instructions(arguments, _stored(arguments))
    if (arguments.instructions is None) is not (arguments.modules is None):
        raise CommandError("use --instructions and --modules together")
    if arguments.instructions is not None:
        return _verify_instructions(arguments, _read(arguments.instructions))
    check_least(arguments, {"findings": 0})
    source = _source(arguments)
    report = on_records(
        arguments, lambda store: store.audit(lambda audit: verify(audit, arguments.findings, source, FEATURES))
    )
    if arguments.json:
        print_json({"clean": report.clean, "report": report, "backup": source.manifest and source.manifest.created})
    else:
        _show(report, source)
    return 0 if report.clean else 1


def _source(arguments: argparse.Namespace) -> RecordSource:
    """Return the source of the records. Call it before the database is opened, because opening applies the write-ahead
    log.
    """
    try:
        file = make_engines(database_url(arguments)).file
        if file is not None and not file.exists():
            file = None
        manifest = None
        if arguments.backup is not None:
            with ArchiveReader(arguments.backup) as reader:
                manifest = reader.manifest
        return RecordSource(file, file is not None and has_log(file), manifest)
    except StoreError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"the backup {arguments.backup} cannot be read: {error.strerror}") from None


def _show(report: VerificationReport, source: RecordSource) -> None:
    if source.manifest is not None:
        made = datetime.fromtimestamp(source.manifest.created).strftime("%Y-%m-%d %H:%M:%S")
        say(f"compared with a backup of {made} with {source.manifest.counts.matches:,} matches")
    say(
        f"{report.matches:,} matches, {report.replayed:,} of them played again "
        f"({report.pruned:,} had no moves any more, {report.unknown_games:,} are of games that are not here); "
        f"{report.events:,} events, {report.changes:,} rating changes, {report.ratings:,} ratings"
        + "".join(f", {number:,} {what}" for what, number in sorted(report.checked.items()))
    )
    if report.clean:
        say("No errors found.")
        return
    print_table(("broken", "times"), sorted(report.counts.items()))
    for finding in report.findings:
        say(f"{finding.check}: {finding.where}: {finding.what}")


def _read(file: Path) -> list[Record]:
    """Return the games of a file of JSON lines."""
    try:
        return list(json_lines.read(file.read_text("utf-8").splitlines()))
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{file}: {error}") from None


# ---------------------------------------------------------------- instructions


def _stored(arguments: argparse.Namespace) -> list[Record]:
    """Return stored matches as records."""

    async def read(store: Store) -> list[Record]:
        found = []
        for number in arguments.match:
            stored = await store.matches.get(number)
            if stored is None:
                raise CommandError(f"no match has the number {number}")
            if stored.row.status == "live":
                raise CommandError(f"match {number} is not over")
            if stored.row.pruned:
                raise CommandError(f"the moves of match {number} were deleted because of their age")
            found.append(structs.replace(as_record(stored), round=str(number), seed=stored.row.dice_seed))
        return found

    return on_records(arguments, read)


def _modules(arguments: argparse.Namespace, folder: Path) -> dict[str, Path]:
    """Return the modules by their digests. Those of the database are written into the empty ``folder``."""
    given: list[Path] | None = arguments.modules
    try:
        if given is None:
            file = make_engines(database_url(arguments)).file
            given = [folder if file is None else file.absolute().parent / "uploads"]
            if file is None:
                on_records(arguments, partial(_write_modules, folder))
        return modules(file for place in given for file in (_inside(place) if place.is_dir() else [place]))
    except OSError as error:
        raise CommandError(
            f"cannot read {error.filename}: {error.strerror}" if error.filename else str(error)
        ) from None


async def _write_modules(folder: Path, store: Store) -> None:
    for feature in FEATURES:
        if feature.modules is not None:
            await feature.modules(store, folder)


def _inside(folder: Path) -> list[Path]:
    """Return the modules of a folder: by their names, or in a folder that is named as those of uploads are."""
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and any(map(_is_module, file.parts))]


def _is_module(name: str) -> bool:
    return name.endswith(MODULE_ENDINGS)


def _verify_instructions(arguments: argparse.Namespace, records: list[Record]) -> int:
    with tempfile.TemporaryDirectory(prefix="bot-arena-modules-") as folder:
        files = _modules(arguments, Path(folder))
        checked = [_replayed(record, files) for record in records]
    if arguments.json:
        print_json({"games": checked})
    else:
        columns = ("round", "players", "moves", "instructions", "problem")
        print_table(
            columns, ([row[column] if row[column] is not None else "" for column in columns] for row in checked)
        )
    return 1 if any(row["problem"] for row in checked) else 0


def _replayed(record: Record, files: Mapping[str, Path]) -> dict[str, object]:
    row: dict[str, object] = {
        "game": record.game,
        "round": record.round,
        "players": " - ".join(player.name for player in record.players),
        "moves": len(record.moves),
        "instructions": None,
        "problem": None,
    }
    try:
        again = asyncio.run(replay(record, files))
        row["instructions"] = again.instructions
        row["problem"] = again.difference or None
    except NoReplay as error:
        row["problem"] = str(error)
    return row


# ---------------------------------------------------------------- dice


def _verify_dice(arguments: argparse.Namespace) -> int:
    file: Path = arguments.dice
    records = _read(file)
    if arguments.commitment is not None and len(records) != 1:
        raise CommandError(f"--commitment needs a file with one game; {file} has {len(records)}")
    checked = [_check_dice(record, arguments.commitment) for record in records]
    if arguments.json:
        print_json({"games": checked})
    else:
        columns = ("game", "players", "rolls", "commitment", "problem")
        print_table(columns, ([row[column] or "" for column in columns] for row in checked))
    return 1 if any(row["problem"] for row in checked) else 0


def _check_dice(record: Record, commitment: str | None) -> dict[str, object]:
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
