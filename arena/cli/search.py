# SPDX-License-Identifier: GPL-3.0-or-later
"""Search a position: its value, the best move, and the nodes visited.

Values are the evaluation's points; nodes are all visited positions, the root included, over all iterations. Monte Carlo
tree search (uct, rave, puct) tells the win probability and the visits of each move instead. In games with
hidden information pimc and ismcts search an observation of the seat to move: a position as the seat sees it. Time to
compile is not counted.
"""

import argparse
from collections.abc import Mapping
from typing import Any

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.output import add_json, print_json, say
from arena.cli.support.searches.hidden_search import search_hidden
from arena.cli.support.searches.searching import in_thread, line
from arena.cli.support.searches.tree_search import search_tree
from engine.game import Game, State
from engine.games import find
from engine.hidden import ALGORITHMS as HIDDEN_ALGORITHMS
from engine.search import ALGORITHMS, SOLVE, Iteration, Limits, Searcher, SearchResult, altered, solvable
from engine.search.tree import TREE_ALGORITHMS

GROUP = "study"

USUAL = "advanced"
"""The algorithm of games without an exact search of their own."""

TABLE_BITS, PROOF_BITS = 18, 22
"""Sizes of the transposition table, as in ``Searcher``: of 8 MB, and for proofs of 128 MB."""

SWITCHES = (
    "list of switches that replaces the algorithm's; --switches=+S,-S,... adds and removes switches (the "
    "documentation of searches names them)"
)

DESCRIPTIONS = {name: each.description for name, each in ALGORITHMS.items()} | {
    name: each.description for name, each in TREE_ALGORITHMS.items()
}
DESCRIPTIONS |= HIDDEN_ALGORITHMS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as checkers")
    parser.add_argument("--position", metavar="P", help="position, in the game's notation (default: the start)")
    parser.add_argument(
        "--algorithm",
        choices=DESCRIPTIONS,
        help=f"default: {USUAL}, or {SOLVE} in games with an exact search of their own"
        + "".join(f"\n{name}: {text}" for name, text in DESCRIPTIONS.items()),
    )
    parser.add_argument("--switches", metavar="S,...", help=SWITCHES)
    parser.add_argument("--evaluation", metavar="E", help="name of an evaluation (default: the game's first)")
    parser.add_argument("--depth", metavar="N", type=int, help="depth limit in plies")
    parser.add_argument("--nodes", metavar="N", type=int, help="node limit")
    parser.add_argument("--seconds", metavar="S", type=float, help="time limit")
    parser.add_argument("--playouts", metavar="N", type=int, help="limit of playouts (uct, rave, puct)")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="number of threads (uct, rave, puct)")
    parser.add_argument("--quiescence", action="store_true", help="add quiescence search")
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the choice among equal moves")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search and print; returns the exit code."""
    with input_errors():
        game = find(arguments.game)
        if arguments.algorithm in HIDDEN_ALGORITHMS:
            search_hidden(game, arguments)
            return 0
        state = game.start() if arguments.position is None else game.parse_position(arguments.position)
        algorithm = arguments.algorithm or (USUAL if game.exact is None else SOLVE)
        limits = Limits(arguments.depth, arguments.nodes, arguments.seconds, playouts=arguments.playouts)
        if limits == Limits() and not (algorithm == SOLVE and solvable(game)):
            raise CommandError("set a limit: --depth, --nodes, --seconds or --playouts")
        if algorithm in TREE_ALGORITHMS:
            search_tree(game, state, limits, arguments)
            return 0
        if arguments.playouts is not None or arguments.threads != 1:
            names = ", ".join(TREE_ALGORITHMS)
            raise CommandError(f"--playouts and --threads are for Monte Carlo tree search: --algorithm {names}")
        switches = ALGORITHMS[algorithm].switches
        if arguments.switches is not None:
            switches = altered(switches, arguments.switches)
        searcher = Searcher(
            game,
            algorithm,
            arguments.evaluation,
            quiescence=arguments.quiescence,
            switches=switches,
            table_bits=PROOF_BITS if algorithm == SOLVE else TABLE_BITS,
        )
        searcher.warm_up()
        if arguments.json:
            print_json(as_json(game, state, in_thread(searcher.search, state, limits, seed=arguments.seed)))
        else:
            _show(game, state, searcher, limits, arguments.seed)
    return 0


def as_json(game: Game, state: State, result: SearchResult) -> dict[str, Any]:
    """Return the result of a search as JSON for programs."""
    pv = line(game, state, result.pv)
    return {
        "value": result.value,
        "move": pv[0] if pv else None,
        "pv": pv,
        "nodes": result.nodes,
        "seconds": result.seconds,
        "depth": result.depth,
        **meaning(game, state, result),
        "iterations": [
            {"depth": iteration.depth, "nodes": iteration.nodes, "value": iteration.value}
            for iteration in result.iterations
        ],
    }


def meaning(game: Game, state: State, result: SearchResult) -> Mapping[str, int]:
    """Return what a proven result means in the game's own numbers, such as tricks."""
    return game.exact.meaning(state, result.payoff) if game.exact and result.payoff is not None else {}


def _show(game: Game, state: State, searcher: Searcher, limits: Limits, seed: int | None) -> None:
    position = game.look(state)
    line(game, state, position.moves[:1])  # compiles
    say(f"{'depth':>5} {'nodes':>14} {'value':>12}  line")

    def report(iteration: Iteration, pv: tuple[int, ...]) -> None:
        texts = " ".join(line(game, state, pv))
        say(f"{iteration.depth:>5} {iteration.nodes:>14,} {iteration.value:>12,}  {texts}", flush=True)

    result = in_thread(searcher.search, state, limits, seed=seed, on_iteration=report)
    speed = result.nodes / result.seconds if result.seconds else 0.0
    move = "none" if result.move is None else game.format_move(position.state, result.move)
    say(f"move     {move}")
    say(f"value    {result.value:,}")
    for name, number in meaning(game, state, result).items():
        say(f"{name:<8} {number:,}")
    say(f"nodes    {result.nodes:,}")
    say(f"seconds  {result.seconds:.3f} ({speed:,.0f} nodes a second)")
