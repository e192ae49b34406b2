# SPDX-License-Identifier: GPL-3.0-or-later
"""Count the leaves of a game's tree of moves, and measure the speed.

Leaves are the positions at that depth; games that end earlier add none. Time to compile is not counted.
"""

import argparse
import time

from arena.cli.support.command_line import input_errors
from arena.cli.support.output import add_json, print_json, print_table
from engine.game import Game, State
from engine.games import find
from engine.walks.perft import divide, perft

GROUP = "develop"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as checkers")
    parser.add_argument("--position", metavar="P", help="start position, in the game's notation (default: the game's)")
    parser.add_argument("--depth", metavar="N", type=int, required=True, help="depth in plies")
    parser.add_argument("--divide", action="store_true", help="show the leaf count of each legal move")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Count and print; returns the exit code."""
    with input_errors():
        game = find(arguments.game)
        state = game.start() if arguments.position is None else game.parse_position(arguments.position)
        for depth in (1, 2):
            perft(game, state, depth)  # compiles
        if arguments.divide:
            _divide(game, state, arguments)
        else:
            _count(game, state, arguments)
    return 0


def _timed(game: Game, state: State, depth: int) -> tuple[int, float]:
    began = time.perf_counter()
    return perft(game, state, depth), time.perf_counter() - began


def _count(game: Game, state: State, arguments: argparse.Namespace) -> None:
    if arguments.json:
        nodes, seconds = _timed(game, state, arguments.depth)
        print_json({"nodes": nodes, "seconds": seconds, "nps": round(nodes / seconds)})
        return
    rows = []
    for depth in range(min(arguments.depth, 1), arguments.depth + 1):
        nodes, seconds = _timed(game, state, depth)
        rows.append((depth, nodes, round(seconds, 3), round(nodes / seconds)))
    print_table(("depth", "leaves", "seconds", "leaves/s"), rows)


def _divide(game: Game, state: State, arguments: argparse.Namespace) -> None:
    began = time.perf_counter()
    moves = divide(game, state, arguments.depth)
    seconds = time.perf_counter() - began
    nodes = sum(moves.values())
    if arguments.json:
        print_json({"nodes": nodes, "seconds": seconds, "nps": round(nodes / seconds), "moves": moves})
        return
    print_table(("move", "leaves"), [*moves.items(), ("all", nodes)])
