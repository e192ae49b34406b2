# SPDX-License-Identifier: GPL-3.0-or-later
"""Solve a zero-sum game with hidden information: a strategy that is close to an equilibrium, and its exploitability.

The exploitability is what a best response gains, on average over both seats (NashConv / 2), in points a round. A match
of several rounds is solved for one round, in which seat 0 begins. The seconds are those of building the game's tree and
of all iterations; the time to compile and the evaluation are not counted.
"""

import argparse
import time
from pathlib import Path

from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.output import add_json, print_json, say
from engine.games import find
from engine.regret import ALGORITHMS, CFR_PLUS, RegretSolver, evaluate
from engine.regret.strategy import rounded, write

GROUP = "study"

ITERATIONS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as leduc")
    parser.add_argument(
        "--algorithm",
        choices=ALGORITHMS,
        default=CFR_PLUS,
        help="; ".join(f"{name}: {each.description}" for name, each in ALGORITHMS.items()) + " (default: %(default)s)",
    )
    parser.add_argument(
        "--iterations", metavar="N", type=int, default=ITERATIONS, help="number of iterations (default: %(default)s)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the samples (default: %(default)s)")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the strategy to a file")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Solve and print; returns the exit code."""
    with input_errors():
        check_least(arguments, {"iterations": 1})
        game = find(arguments.game)
        if arguments.output is not None and not arguments.output.absolute().parent.is_dir():
            raise CommandError(f"{arguments.output.parent} is not a directory")
        compiled = warm_up(arguments.game, arguments.algorithm)
        if not arguments.json:
            say(f"{'iterations':>10} {'value':>10} {'exploitability':>15} {'seconds':>9}")
        began = time.perf_counter()
        solver = RegretSolver(game, arguments.algorithm, seed=arguments.seed)
        seconds = time.perf_counter() - began
        found = solver.evaluate()
        while solver.iterations < arguments.iterations:
            began = time.perf_counter()
            following = (
                arguments.iterations if arguments.json else min(10 * solver.iterations or 1, arguments.iterations)
            )
            solver.run(following - solver.iterations)
            seconds += time.perf_counter() - began
            found = solver.evaluate()
            if not arguments.json:
                say(
                    f"{solver.iterations:>10,} {found.value:>10.6f} {found.exploitability:>15.6f} {seconds:>9.3f}",
                    flush=True,
                )
        if arguments.output is not None:
            strategy = rounded(solver.tree, solver.strategy())
            kept = evaluate(solver.tree, strategy)
            command = f"arena solve {game.name} --algorithm {arguments.algorithm} --iterations {arguments.iterations}"
            arguments.output.write_bytes(write(game, solver.tree, strategy, command, kept.value, kept.exploitability))
    if arguments.json:
        print_json(
            {
                "value": found.value,
                "exploitability": found.exploitability,
                "seconds": seconds,
                "compile_seconds": compiled,
                "algorithm": arguments.algorithm,
                "iterations": solver.iterations,
                "information_sets": len(solver.tree.owners),
                "nodes": len(solver.tree.seats),
            }
        )
    else:
        nodes, sets = len(solver.tree.seats), len(solver.tree.owners)
        say(f"{nodes:,} nodes, {sets:,} information sets; compiled in {compiled:.3f} s")
    return 0


def warm_up(name: str, algorithm: str) -> float:
    """Compile, or load from the cache, what solves a game; return the seconds. Raises what ``RegretSolver`` raises."""
    began = time.perf_counter()
    solver = RegretSolver(find(name), algorithm)
    solver.run(1)
    solver.evaluate()
    return time.perf_counter() - began
