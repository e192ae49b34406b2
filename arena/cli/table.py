# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the table of searches from the lecture "Cognitive Game Theory", our figures beside the lecture's.

Checkers with optional captures, from the opening. The lecture does not say what its columns add to; from its counts,
ordering and quiescence stand on alpha-beta, the transposition table on plain minimax. "advanced" searches depths 1, 2,
... in turn: the last iteration's nodes stand beside the lecture's figure, those of all iterations in a column of their
own.
"""

import argparse
from dataclasses import asdict, dataclass

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json, print_table
from engine.games import find
from engine.search import ALGORITHMS, Limits, Searcher

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


@dataclass(frozen=True, slots=True)
class Row:
    """One search: our figures and the lecture's. ``nodes`` are the last iteration's, ``all_nodes`` those of all."""

    algorithm: str
    depth: int
    value: int
    nodes: int
    all_nodes: int
    seconds: float
    lecture_nodes: int | None
    lecture_seconds: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--evaluation", metavar="E", help="a name of the game's evaluations (default: material)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search and print; returns the exit code."""
    try:
        rows = [
            measure(algorithm, depth, arguments.evaluation or "material")
            for depth in DEPTHS
            for algorithm in ALGORITHMS
        ]
    except KeyError as error:
        raise CommandError(error.args[0]) from error
    if arguments.json:
        print_json([asdict(row) for row in rows])
    else:
        columns = ("depth", "algorithm", "nodes", "lecture's", "all iterations", "seconds", "lecture's")
        print_table(
            columns,
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
    """Search the opening with an empty table."""
    game = find(GAME)
    searcher = Searcher(game, algorithm, evaluation, table_bits=TABLE_BITS)
    searcher.warm_up()
    result = searcher.search(game.start(), Limits(depth=depth))
    column = DEPTHS.index(depth)
    return Row(
        algorithm,
        depth,
        result.value,
        result.iterations[-1].nodes,
        result.nodes,
        result.seconds,
        LECTURE_NODES[algorithm][column],
        LECTURE_SECONDS[algorithm] if depth == DEPTHS[-1] else None,
    )
