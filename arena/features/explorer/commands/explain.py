# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the tree that a search walks: bounds, values, cuts and table hits of each visit.

The search is the one of `arena search`, with the same node counts. It runs in Python instead of machine code: use small
depths.
"""

import argparse

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import add_json, print_json, say
from arena.features.explorer.explaining import explain
from arena.features.explorer.tree import Explanation
from engine.games import find
from engine.search import ALGORITHMS

GROUP = "study"

MOST = 3000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as tictactoe")
    parser.add_argument("--position", metavar="P", help="position, in the game's notation (default: the start)")
    parser.add_argument(
        "--algorithm", choices=ALGORITHMS, default="alphabeta", help="as in `arena search` (default: %(default)s)"
    )
    parser.add_argument("--switches", metavar="S,...", help="as in `arena search`")
    parser.add_argument("--evaluation", metavar="E", help="name of an evaluation (default: the game's first)")
    parser.add_argument("--depth", metavar="N", type=int, default=2, help="depth in plies (default: %(default)s)")
    parser.add_argument(
        "--most", metavar="N", type=int, default=MOST, help="maximum number of visits (default: %(default)s)"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search and print; returns the exit code."""
    with input_errors():
        game = find(arguments.game)
        state = game.start() if arguments.position is None else game.parse_position(arguments.position)
        if arguments.most < 1:
            raise CommandError(f"--most must be 1 or more (got {arguments.most})")
        found = explain(
            game,
            state,
            arguments.algorithm,
            arguments.depth,
            evaluation=arguments.evaluation,
            switches=arguments.switches,
            most=arguments.most,
        )
    if arguments.json:
        print_json(found)
    else:
        _show(found)
    return 0


def _show(found: Explanation) -> None:
    iteration = 0
    for node in found.tree:
        if node.iteration != iteration:
            iteration = node.iteration
            say(f"depth {iteration}")
        name = " ".join((*node.via, node.said or node.reason))
        say(f"{'  ' * node.ply}{name} [{node.kind}] {node.words}")
    say(f"nodes    {found.nodes:,}{'' if found.complete else ' or more: the tree was cut off'}")
    if found.value is not None:
        say(f"value    {found.value:,}")
        say(f"line     {' '.join(found.line)}")
