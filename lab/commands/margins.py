# SPDX-License-Identifier: GPL-3.0-or-later
"""Tune the margins of the selective search (its pruning and reduction parameters) by games between its variants.

All margins change at once at random, and move towards those of the winner (SPSA). The same seed gives the same margins.
A useful result takes thousands of rounds; --out is written every fifty rounds, and --begin continues from such a file.
"""

import argparse
from pathlib import Path

import msgspec

from arena.cli.support.command_line import check_least, input_errors
from arena.cli.support.output import Bars, add_json, print_json, say
from arena.rating.difference import difference_of, interval
from engine.evaluation import Evaluation, named
from engine.game import Game
from engine.games import find
from engine.search.margins import MARGINS, PARAMETERS, Margins
from lab.tuning.games import Manner
from lab.tuning.spsa import TUNED, meet, searcher, settle

GROUP = "tune"

EVERY = 50
"""Rounds between two times that the file is written."""
LEAST = {"rounds": 1, "nodes": 1, "duel": 0}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as chess")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="output file (JSON)")
    parser.add_argument("--begin", metavar="FILE", type=Path, help="initial margins (default: the shipped ones)")
    parser.add_argument(
        "--evaluation", metavar="E", help="evaluation of the search (default: the one with the most terms)"
    )
    parser.add_argument(
        "--rounds", metavar="N", type=int, default=1_000, help="number of rounds, two games each (default: %(default)s)"
    )
    parser.add_argument("--nodes", metavar="N", type=int, default=6_000, help="nodes per move (default: %(default)s)")
    parser.add_argument(
        "--duel", metavar="N", type=int, default=0, help="then play N pairs of games, new against old margins"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of openings and moves (default: 0)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, write and tell."""
    check_least(arguments, LEAST)
    with input_errors():
        game = find(arguments.game)
        if game.chance:
            raise ValueError(f"{game.name} has no margins, because it has dice")
        evaluation = _evaluation(game, arguments.evaluation)
        start = MARGINS if arguments.begin is None else _read(arguments.begin)
        if not arguments.out.parent.is_dir():
            raise ValueError(f"the folder {arguments.out.parent} does not exist")
        manner = Manner("play", arguments.nodes)
        margins = start
        with Bars(quiet=arguments.json) as bars:
            bar = bars.add_task("settling", total=arguments.rounds)
            rounds = settle(game, evaluation, manner, start, seed=arguments.seed, rounds=arguments.rounds)
            for number, margins in enumerate(rounds, 1):
                bars.advance(bar)
                if number % EVERY == 0 or number == arguments.rounds:
                    arguments.out.write_bytes(msgspec.json.format(msgspec.json.encode(margins._asdict())) + b"\n")
            pairs = _duel(game, evaluation, manner, (margins, start), arguments, bars)
    count = sum(pairs)
    score = sum(number * half for half, number in enumerate(pairs)) / (4 * count) if count else None
    elo = None if score is None else difference_of(score)
    low, high = interval(pairs) if count else (None, None)
    if arguments.json:
        print_json(
            {
                "game": game.name,
                "rounds": arguments.rounds,
                "margins": margins._asdict(),
                "pairs": pairs,
                "score": score,
                "elo": elo,
                "interval": (low, high),
            }
        )
        return 0
    for name in TUNED:
        say(f"{name:26} {getattr(start, name):>6} -> {getattr(margins, name)}")
    if score is not None:
        told = ["unbounded" if one is None else f"{one:+.0f}" for one in (elo, low, high)]
        say(f"new against old: {100 * score:.1f} % of {2 * count} games")
        say(f"Elo difference {told[0]}, 95 % interval {told[1]} to {told[2]}")
    say(f"the margins are in {arguments.out}")
    return 0


def _evaluation(game: Game, choice: str | None) -> Evaluation:
    if choice is None:
        return max(game.evaluations.values(), key=lambda one: len(one.weights) - one.weights.count(0))
    return named(game.evaluations, choice)


def _read(path: Path) -> Margins:
    """Return the margins of a file. Raises ValueError if a name is unknown or a value is no whole number."""
    try:
        given = msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    except msgspec.DecodeError as error:
        raise ValueError(f"{path} is not a file of margins: {error}") from None
    if unknown := sorted(given.keys() - set(Margins._fields)):
        raise ValueError(f"{path}: unknown margin {unknown[0][:40]!r}")
    for name, row in PARAMETERS.items():
        if name in given and not row.least <= given[name] <= row.most:
            raise ValueError(f"{path}: {name} must be {row.least} to {row.most} (got {given[name]})")
    return MARGINS._replace(**given)


def _duel(
    game: Game,
    evaluation: Evaluation,
    manner: Manner,
    margins: tuple[Margins, Margins],
    arguments: argparse.Namespace,
    bars: Bars,
) -> list[int]:
    """Return how many pairs gave the new margins 0, 1/2, 1, 1 1/2 and 2 points, from undecided openings."""
    new, old = (searcher(game, evaluation, manner, one) for one in margins)
    bar = bars.add_task("new : old", total=arguments.duel, visible=arguments.duel > 0)
    pairs = [0] * 5
    for number in range(arguments.duel):
        pairs[round(2 * sum(meet(game, new, old, manner, arguments.seed, arguments.rounds + number)))] += 1
        bars.advance(bar)
    return pairs
