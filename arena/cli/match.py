# SPDX-License-Identifier: GPL-3.0-or-later
"""Let two bots play a match here, without a server.

Games come in pairs with swapped seats, each pair from an opening that the seed draws, or from a file of openings. All
figures are the first bot's. An outside engine is written "uci:COMMAND" or "xboard:COMMAND"; words of COMMAND such as
option.Hash=64, limit.seconds=0.5, limit.nodes=N, limit.depth=N and name=NAME are for the bridge.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli import suites
from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json
from bots.bot import Bot
from bots.bridges.player import EngineMaker
from bots.bridges.process import EngineFailed
from bots.catalogue import UnknownBot, maker_of
from bots.house.roster import ROSTER
from bots.local import Entrant
from bots.series import Played, series
from bots.tally import Tally
from engine import formats, games
from engine.formats.format import Format
from engine.game import Game
from engine.time_control import TimeControl

BOT = "a house bot's name, FILE.py, FILE.py:CLASS, MODULE:CLASS, uci:COMMAND or xboard:COMMAND"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("first", metavar="BOT1", help=BOT)
    parser.add_argument("second", metavar="BOT2", help=BOT)
    parser.add_argument("--game", required=True, help="what they play")
    parser.add_argument("--games", type=int, default=2, metavar="N", help="how many games (default: %(default)s)")
    parser.add_argument("--time-control", metavar="BASE+INCREMENT", help="in seconds; by default no clock runs")
    parser.add_argument(
        "--depth", type=int, metavar="N", help="plies that the house bots search, in place of their own"
    )
    parser.add_argument("--nodes", type=int, metavar="N", help="positions that the house bots visit, likewise")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="draws openings and choices (default: 0)")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="games at once (default: %(default)s)")
    parser.add_argument(
        "--openings", type=Path, metavar="FILE", help="begin with these positions (.epd) or games' first moves (.pgn)"
    )
    parser.add_argument(
        "--opening-plies", type=int, default=8, metavar="N", help="first moves taken of a game (default: %(default)s)"
    )
    for name, written in formats.catalogue().items():
        parser.add_argument(f"--{name}", metavar="FILE", type=Path, help=f"write the games to a file ({written.title})")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, and tell the score."""
    try:
        game = games.find(arguments.game)
        time_control = None if arguments.time_control is None else TimeControl.parse(arguments.time_control)
    except (KeyError, ValueError) as error:
        raise CommandError(str(error.args[0])) from None
    if arguments.games < 1:
        raise CommandError("--games must be at least 1")
    if arguments.concurrency < 1:
        raise CommandError("--concurrency must be at least 1")
    openings = suites.read(arguments.openings, game, arguments.opening_plies) if arguments.openings else []
    first, second = (_entrant(spec, game, arguments) for spec in (arguments.first, arguments.second))
    matches = series(
        game,
        first,
        second,
        games=arguments.games,
        seed=arguments.seed,
        time_control=time_control,
        openings=openings,
        concurrency=arguments.concurrency,
    )
    began = time.perf_counter()
    with ExitStack() as stack:
        outputs = [
            (written, stack.enter_context(_opened(path, written, game)))
            for name, written in formats.catalogue().items()
            if (path := getattr(arguments, name))
        ]
        tally = asyncio.run(_play(matches, outputs, arguments))
    seconds = time.perf_counter() - began
    if arguments.json:
        print_json(_answer(tally, arguments, seconds))
    else:
        _show(tally, arguments, seconds)
    return 0


# ---------------------------------------------------------------- what it plays with


def _entrant(spec: str, game: Game, arguments: argparse.Namespace) -> Entrant:
    try:
        maker = _limited(spec, arguments.depth, arguments.nodes) or maker_of(spec)
        bot = maker()
        if bot.games is not None and game.name not in bot.games:
            raise CommandError(f"{spec} does not play {game.name}, but {', '.join(bot.games)}")
        if isinstance(maker, EngineMaker):
            asyncio.run(maker.try_out())
    except (UnknownBot, EngineFailed, ValueError) as error:
        raise CommandError(str(error)) from None
    return Entrant(bot.name or spec, maker)


def _limited(spec: str, depth: int | None, nodes: int | None) -> Callable[[], Bot] | None:
    """Return what makes a house bot with other limits than its own; None where there is nothing to limit."""
    if depth is None and nodes is None:
        return None
    for limit, name in ((depth, "--depth"), (nodes, "--nodes")):
        if limit is not None and limit < 1:
            raise CommandError(f"{name} must be at least 1")
    for resident in ROSTER:
        if resident.name == spec and resident.algorithm is not None:
            return replace(resident, depth=depth, nodes=nodes, seconds=None).make
    return None


def _opened(path: Path, written: Format, game: Game) -> TextIO:
    if not written.covers(game.name):
        raise CommandError(f"{written.title} has no notation for {game.name}; --jsonl takes every game")
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from None


# ---------------------------------------------------------------- how it plays, and what it tells


async def _play(
    matches: AsyncIterator[Played], outputs: list[tuple[Format, TextIO]], arguments: argparse.Namespace
) -> Tally:
    tally = Tally()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=arguments.json or not console.is_terminal) as bar:
        task = bar.add_task(f"{arguments.first} : {arguments.second}", total=arguments.games)
        async for played in matches:
            tally.add(played)
            for written, file in outputs:
                file.writelines(written.write([played.record]))
            standing = f"{arguments.first} : {arguments.second}  +{tally.wins} ={tally.draws} -{tally.losses}"
            bar.update(task, advance=1, description=escape(standing))
    return tally


def _answer(tally: Tally, arguments: argparse.Namespace, seconds: float) -> dict[str, object]:
    return {
        "game": arguments.game,
        "bots": [arguments.first, arguments.second],
        "games": len(tally.scores),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "elo": tally.elo,
        "interval": tally.interval,
        "score_interval": tally.score_interval,
        "pentanomial": tally.pentanomial,
        "superiority": tally.superiority,
        "terminations": dict(tally.terminations),
        "faults": [
            {
                "game": fault.number,
                "bot": _at_fault(fault.own, arguments),
                "why": fault.termination,
                "detail": fault.detail,
            }
            for fault in tally.faults
        ],
        "seed": arguments.seed,
        "seconds": round(seconds, 3),
    }


def _show(tally: Tally, arguments: argparse.Namespace, seconds: float) -> None:
    assert tally.score is not None, "there is at least one game"
    elo, low, high = ("unbounded" if value is None else f"{value:+.0f}" for value in (tally.elo, *tally.interval))
    print(f"{arguments.first} : {arguments.second}, {len(tally.scores)} games of {arguments.game} in {seconds:.1f} s")
    least, most = (f"{100 * score:.1f}" for score in tally.score_interval)
    score = f"{100 * tally.score:.1f} %, 95 % interval {least} to {most}"
    print(f"{tally.wins} won, {tally.draws} drawn, {tally.losses} lost: {score}")
    superiority = f"likelihood of superiority {100 * tally.superiority:.1f} %"
    print(f"Elo difference {elo}, 95 % interval {low} to {high}, {superiority}")
    print("pairs that scored 0, ½, 1, 1½ and 2: " + ", ".join(map(str, tally.pentanomial)))
    print("ended by " + ", ".join(f"{name} ({count})" for name, count in tally.terminations.most_common()))
    for fault in tally.faults:
        print(f"game {fault.number}: {_at_fault(fault.own, arguments)} lost by {fault.termination}: {fault.detail}")


def _at_fault(own: bool, arguments: argparse.Namespace) -> str:
    name: str = arguments.first if own else arguments.second
    return name
