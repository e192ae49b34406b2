# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the nodes that each search visits at each depth.

Without a game it is the lecture's own: checkers with optional captures, from the opening, our figures beside the
lecture's. The lecture does not say what its columns add to; judging by its counts, ordering and quiescence extend
alpha-beta, and the transposition table extends plain minimax. "advanced" searches depths 1, 2, ... in turn: the table
has the nodes of the last iteration beside the lecture's figure, and those of all iterations in another column.

For another game, all exact searches come first; each must return minimax's value, or the exit code is 1. Then the
inexact switches of "play" are added one after the other. A search that would visit too many positions is left out.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import add_json, print_json, print_table, say
from engine.game import Game, State
from engine.games import find
from engine.search import ALGORITHMS, INEXACT, Limits, Searcher, Switch

GROUP = "study"

GAME = "checkers/lecture"
DEPTHS = (4, 6, 8)
TABLE_BITS = 22
"""Enough that no entry of the deepest search is overwritten."""

LECTURE_NODES = {
    "minimax": (3_308, 217_537, 15_237_252),
    "alphabeta": (278, 5_026, 129_183),
    "ordering": (271, 3_204, 36_753),
    "quiescence": (None, 41_219, 649_760),
    "transposition": (2_237, 50_688, 859_184),
    "advanced": (None, None, 4_835),
}
"""Nodes at each of DEPTHS."""

LECTURE_SECONDS = {"minimax": 201, "alphabeta": 1, "ordering": 0, "quiescence": 9, "transposition": 12, "advanced": 0}
"""At the last of DEPTHS, on a machine of 2004."""

EXACT = ("minimax", "alphabeta", "ordering", "transposition", "advanced")
EXACT_WITH_DICE = ("expectiminimax", "star1", "star2", "advanced")

MOST = 150_000_000
"""Positions that a search may visit in a table: seconds, or a minute where scoring is slow."""


@dataclass(frozen=True, slots=True)
class Row:
    """One search: our figures and the lecture's. ``nodes`` are the last iteration's, ``all_nodes`` those of all."""

    algorithm: str
    depth: int
    value: int
    nodes: int
    all_nodes: int
    seconds: float
    exact: bool = True
    lecture_nodes: int | None = None
    lecture_seconds: int | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game's name (default: checkers/lecture)")
    parser.add_argument("--position", metavar="P", help="position, in the game's notation (default: the start)")
    parser.add_argument("--evaluation", metavar="E", help="name of an evaluation (default: the game's first)")
    parser.add_argument("--depths", metavar="N", type=int, nargs="+", help="search depths in plies (default: 4 6 8)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search and print; returns the exit code, 1 when an exact search returned another value than minimax."""
    with input_errors():
        if arguments.game is None:
            if arguments.position or arguments.depths:
                raise CommandError("the lecture's table has a fixed position and depths; name a game to change them")
            return _lecture(arguments)
        return _any_game(find(arguments.game), arguments)


# ---------------------------------------------------------------- the lecture's table


def _lecture(arguments: argparse.Namespace) -> int:
    evaluation = arguments.evaluation or "material"
    rows = [measure(algorithm, depth, evaluation) for depth in DEPTHS for algorithm in LECTURE_NODES]
    if arguments.json:
        print_json([asdict(row) for row in rows])
        return 0
    print_table(
        ("depth", "algorithm", "nodes", "lecture's", "all iterations", "seconds", "lecture's"),
        [
            (
                row.depth,
                row.algorithm,
                row.nodes,
                row.lecture_nodes,
                row.all_nodes,
                round(row.seconds, 3),
                row.lecture_seconds,
            )
            for row in rows
        ],
    )
    return 0


def measure(algorithm: str, depth: int, evaluation: str) -> Row:
    """Search the opening of the lecture's checkers with an empty table."""
    game = find(GAME)
    row = _search(game, game.start(), evaluation, depth, algorithm, ALGORITHMS[algorithm].switches)
    column = DEPTHS.index(depth)
    return Row(
        algorithm,
        depth,
        row.value,
        row.nodes,
        row.all_nodes,
        row.seconds,
        row.exact,
        LECTURE_NODES[algorithm][column],
        LECTURE_SECONDS[algorithm] if depth == DEPTHS[-1] else None,
    )


# ---------------------------------------------------------------- the table of any other game


def configurations(game: Game) -> dict[str, Switch]:
    """Return sets of switches by name: the exact ones, then "play" from its exact switches alone to all of them."""
    if game.chance:
        return {name: ALGORITHMS[name].switches for name in EXACT_WITH_DICE}
    found = {name: ALGORITHMS[name].switches for name in EXACT}
    everything = found["play, exact"] = ALGORITHMS["play"].switches & ~INEXACT
    for switch in ALGORITHMS["play"].switches & INEXACT:
        everything |= switch
        found[f"+ {_words(switch)}"] = everything
    return found


def _any_game(game: Game, arguments: argparse.Namespace) -> int:
    state = game.start() if arguments.position is None else game.parse_position(arguments.position)
    depths = sorted({Limits(depth).depth or 0 for depth in arguments.depths or DEPTHS})
    rows = list(rows_of(game, state, arguments.evaluation, depths))
    wrong = wrong_values(rows)
    if arguments.json:
        print_json([asdict(row) for row in rows])
    else:
        print_table(
            ("depth", "search", "exact", "value", "nodes", "all iterations", "seconds"),
            [
                (row.depth, row.algorithm, row.exact, row.value, row.nodes, row.all_nodes, round(row.seconds, 3))
                for row in rows
            ],
        )
        for row in wrong:
            say(f"{row.algorithm} at depth {row.depth} should be exact but is not")
    return 1 if wrong else 0


def rows_of(game: Game, state: State, evaluation: str | None, depths: Sequence[int]) -> Iterator[Row]:
    """Search a position with every configuration at each of the depths, which must rise."""
    counted: dict[str, list[tuple[int, int]]] = {}
    for depth in depths:
        for name, switches in configurations(game).items():
            before = counted.setdefault(name, [])
            if _expected(before, depth) <= MOST:
                row = _search(game, state, evaluation, depth, name, switches)
                before.append((depth, row.nodes))
                yield row


def wrong_values(rows: Sequence[Row]) -> list[Row]:
    """Return the exact searches whose value is not that of the first exact one at their depth, minimax where it ran."""
    first: dict[int, int] = {}
    for row in rows:
        if row.exact:
            first.setdefault(row.depth, row.value)
    return [row for row in rows if row.exact and row.value != first[row.depth]]


def _expected(counted: Sequence[tuple[int, int]], depth: int) -> float:
    """Return about how many positions will be visited, from the nodes at smaller depths."""
    (shallow, few), (deep, many) = ((0, 1), *counted)[-2:] if counted else ((0, 1), (1, 1))
    return float(many * (many / few) ** ((depth - deep) / (deep - shallow)))


def _search(game: Game, state: State, evaluation: str | None, depth: int, name: str, switches: Switch) -> Row:
    """Search with an empty table."""
    searcher = Searcher(game, evaluation=evaluation, switches=switches, table_bits=TABLE_BITS)
    searcher.warm_up()
    result = searcher.search(state, Limits(depth=depth))
    last = result.iterations[-1]
    return Row(name, depth, result.value, last.nodes, result.nodes, result.seconds, not switches & INEXACT)


def _words(switch: Switch) -> str:
    return (switch.name or "").lower().replace("_", " ")
