# SPDX-License-Identifier: GPL-3.0-or-later
"""Export of stored matches to a file or the terminal, one in memory at a time: ``arena matches export``."""

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import Printed, print_json, say, say_error
from arena.records.export import LeftOut, MatchFilter, Scribe, chosen, uncovered
from arena.store import Store
from arena.store.rows import MatchRow
from engine.formats import Format, catalogue, find


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of an export."""
    parser.add_argument(
        "matches", metavar="ID", type=int, nargs="*", help="numbers of matches (default: all finished ones)"
    )
    parser.add_argument("--tournament", metavar="T", type=int, help="only matches of the tournament with this number")
    add_choice(parser)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of lists of matches."""
    parser.add_argument(
        "--format", choices=tuple(catalogue()), default="jsonl", help="output format (default: %(default)s)"
    )
    parser.add_argument("--game", help="only matches of this game")
    parser.add_argument("--bot", metavar="NAME", help="only matches of this bot")
    parser.add_argument(
        "--since",
        metavar="DAY",
        type=_day,
        help="only matches that ended on this day or later, such as 2026-12-31",
    )
    parser.add_argument("--until", metavar="DAY", type=_day, help="only matches that ended on this day or earlier")
    parser.add_argument("--limit", type=int, metavar="N", help="only the newest N matches")
    parser.add_argument("--out", metavar="FILE", type=Path, help="output file (default: the terminal)")


async def export(arguments: argparse.Namespace, store: Store) -> None:
    """Write the chosen matches, a list newest first, and print their number.

    Listed matches that the format cannot express are left out and counted. Raises CommandError, also for a match that
    was named and that the format cannot express.
    """
    wanted = find(arguments.format)
    _check(arguments, wanted)
    scribe = Scribe(store, wanted)
    written, left_out = 0, Counter[str]()
    with _opened(arguments.out) as file:
        async for row in _chosen(arguments, store):
            try:
                text = await scribe.text(row)
            except LeftOut as missing:
                if arguments.matches:
                    raise CommandError(f"match {row.id}: {missing}") from None
                left_out[str(missing)] += 1
                continue
            file.write(text)
            written += 1
            if written == arguments.limit:
                break
    if arguments.out and arguments.json:
        out = str(arguments.out)
        print_json({"out": out, "format": wanted.name, "matches": written, "left_out": dict(left_out)})
        return
    if arguments.out:
        say(f"wrote {written} matches to {arguments.out}")
    for reason, count in left_out.items():
        say_error(f"{count} left out: {reason}")


def _check(arguments: argparse.Namespace, wanted: Format) -> None:
    choices = ("game", "bot", "tournament", "since", "until", "limit")
    if arguments.matches and (given := [name for name in choices if getattr(arguments, name) is not None]):
        raise CommandError(f"--{given[0]} cannot be combined with numbers of matches")
    if arguments.limit is not None and arguments.limit < 1:
        raise CommandError("--limit must be 1 or more")
    if arguments.game and not wanted.covers(arguments.game):
        raise CommandError(uncovered(wanted, arguments.game))
    if arguments.json and arguments.out is None and wanted.name != "jsonl":
        raise CommandError("--json needs --out or --format jsonl")


@contextlib.contextmanager
def _opened(path: Path | None) -> Iterator[Printed | TextIO]:
    if path is None:
        yield Printed(sys.stdout)
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from None


async def _chosen(arguments: argparse.Namespace, store: Store) -> AsyncIterator[MatchRow]:
    """Yield the matches that were named, else the finished ones."""
    for number in arguments.matches:
        stored = await store.matches.get(number)
        if stored is None:
            raise CommandError(f"there is no match {number}")
        yield stored.row
    if arguments.matches:
        return
    bot_id = await number_of(arguments.bot, store)
    if arguments.tournament is not None:
        await store.tournaments.get(arguments.tournament)
    async for row in chosen(store, MatchFilter(arguments.game, bot_id, arguments.tournament, _ended(arguments))):
        yield row


async def number_of(name: str | None, store: Store) -> int | None:
    """Return the number of a bot, None where none is named. Raises CommandError when no bot is called so."""
    if name is None:
        return None
    bot = await store.bots.named(name)
    if bot is None:
        raise CommandError(f"no bot is called {name}")
    return bot.id


def _ended(arguments: argparse.Namespace) -> tuple[float, float] | None:
    """Return the range of Unix times in which the matches ended."""
    if arguments.since is None and arguments.until is None:
        return None
    since = arguments.since.timestamp() if arguments.since else 0.0
    return since, (arguments.until + timedelta(days=1)).timestamp() if arguments.until else 1e12


def _day(text: str) -> datetime:
    """Return the beginning of a day, here."""
    try:
        return datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a date; write 2026-12-31") from None
