# SPDX-License-Identifier: GPL-3.0-or-later
"""Create a suite of balanced openings for `arena match --openings`.

The same seed draws the same openings. Chess is written as EPD, a position a line, any game as JSON lines.
"""

import argparse
import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.output import Bars, add_json, print_json, say, say_error
from engine.formats import epd, json_lines
from engine.formats.epd import Problem
from engine.game import Game
from engine.games import find
from engine.match.machine import Match
from engine.match.record import Player, Record
from engine.opening import drawn_openings
from engine.search import Limits, Searcher

GROUP = "compete"

NODES = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as chess")
    parser.add_argument("--count", metavar="N", type=int, default=100, help="number of openings (default: %(default)s)")
    parser.add_argument(
        "--plies",
        metavar="N",
        type=int,
        help="number of plies of each opening (default: as in the game's random openings)",
    )
    parser.add_argument(
        "--margin",
        metavar="V",
        type=int,
        help="maximum absolute score of an opening, in units of the evaluation (default: as in the "
        "game's random openings)",
    )
    parser.add_argument(
        "--nodes", metavar="N", type=int, default=NODES, help="nodes of each search (default: %(default)s)"
    )
    parser.add_argument("--evaluation", metavar="E", help="name of an evaluation (default: the game's first)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of the openings (default: %(default)s)")
    parser.add_argument("--out", metavar="FILE", type=Path, help="output file, .epd or .jsonl (default: the terminal)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw and write; the exit code is 1 when there are fewer than were asked for."""
    with input_errors():
        game = find(arguments.game)
        written = _writer(game, arguments.out)
        openings = _draw(game, arguments)
    text = "".join(written(openings, arguments.seed))
    if arguments.out is not None:
        try:
            arguments.out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"cannot write {arguments.out}: {error.strerror}") from None
    if arguments.json:
        print_json({"game": game.name, "seed": arguments.seed, "openings": openings})
    elif arguments.out is None:
        say(text, end="")
    if len(openings) < arguments.count:
        say_error(f"found only {len(openings)} different balanced openings")
        return 1
    return 0


def _draw(game: Game, arguments: argparse.Namespace) -> list[tuple[str, ...]]:
    check_least(arguments, {"count": 1, "nodes": 1, "plies": 1})
    margin = arguments.margin if arguments.margin is not None else game.opening.margin
    if margin is None or margin < 0:
        raise CommandError("--margin must be 0 or more" if margin else f"{game.name} needs a --margin")
    drawn = drawn_openings(
        game,
        arguments.seed,
        plies=arguments.plies or game.opening.plies or 1,
        judge=Searcher(game, "star2" if game.chance else "play", arguments.evaluation),
        limits=Limits(nodes=arguments.nodes),
        margin=margin,
    )
    found = []
    with Bars(quiet=arguments.json) as bars:
        bar = bars.add_task("drawing openings", total=arguments.count)
        for opening in itertools.islice(drawn, arguments.count):
            found.append(opening)
            bars.advance(bar)
    return found


# ---------------------------------------------------------------- how they are written


def _writer(game: Game, out: Path | None) -> Callable[[Sequence[tuple[str, ...]], int], Iterator[str]]:
    """Return the writer of random openings, by the file's extension."""
    ending = out.suffix.lower() if out else ".epd" if game.name == epd.NAME else ".jsonl"
    if ending == ".epd" and game.name == epd.NAME:
        return partial(_positions, game)
    if ending == ".jsonl":
        return partial(_records, game)
    raise CommandError(f"cannot write openings of {game.name} to {out}; use .epd (chess) or .jsonl (any game)")


def _positions(game: Game, openings: Sequence[tuple[str, ...]], seed: int) -> Iterator[str]:
    for number, opening in enumerate(openings, 1):
        position = Match(game, opening=opening).position
        yield from epd.write([Problem(game.format_position(position.state), f"{seed}.{number}")])


def _records(game: Game, openings: Sequence[tuple[str, ...]], seed: int) -> Iterator[str]:
    for number, opening in enumerate(openings, 1):
        players = Player("?"), Player("?")
        record = Record(game=game.name, players=players, result="*", opening=opening, round=f"{seed}.{number}")
        yield from json_lines.write([record])
