# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites of Othello endgames (OBF), solved exactly: the part of ``arena suite`` for files .obf."""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from arena.cli.support.command_line import CommandError, read_items
from arena.cli.support.output import Bars, print_json, print_table, say
from engine.formats import obf
from engine.formats.obf import Endgame
from engine.game import Game
from engine.games import find
from engine.games.othello.endgame import Solution, Solver

SUFFIX = ".obf"

OF_BOTS = ("bot", "algorithm", "evaluation", "switches", "depth")
"""Arguments that have no meaning for a solver."""


class Attempt(NamedTuple):
    """A position, and what the solver found."""

    problem: Endgame
    solution: Solution
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether the exact value was found, and is that of the file if the file has one."""
        return self.solution.value is not None and self.problem.value in (None, self.solution.value)


def run_endgames(arguments: argparse.Namespace) -> int:
    """Solve the positions of a file, and report the result."""
    refused = [f"--{name}" for name in OF_BOTS if getattr(arguments, name) is not None]
    refused += ["--jobs"] if arguments.jobs != 1 else []
    if refused:
        raise CommandError(f"endgames of {SUFFIX} files are solved exactly, without {', '.join(refused)}")
    for name in ("nodes", "seconds"):
        limit = getattr(arguments, name)
        if limit is not None and not limit > 0:
            raise CommandError(f"--{name} must be more than 0 (got {limit})")
    game = find(obf.NAME)
    problems = read_items(arguments.file, obf.read)
    if not problems:
        raise CommandError(f"{arguments.file} has no positions")
    _solve(game, problems[0], 1, None)  # compiles, or loads
    attempts: list[Attempt] = []
    with Bars(quiet=arguments.json) as bars:
        bar = bars.add_task("endgames", total=len(problems))
        for problem in problems:
            attempts.append(_solve(game, problem, arguments.nodes, arguments.seconds))
            bars.update(bar, advance=1)
    if arguments.json:
        print_json(_answer(game, attempts, arguments.file))
    else:
        _show(game, attempts)
    return 0


def _solve(game: Game, problem: Endgame, nodes: int | None, seconds: float | None) -> Attempt:
    """Solve a position. A thread runs the compiled code, so that Ctrl-C ends it."""
    solver = Solver()
    state = game.parse_position(problem.position)
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, state, nodes)
        try:
            solution = running.result(seconds)
        except TimeoutError:
            solver.stop()
            solution = running.result()
        except BaseException:
            solver.stop()
            raise
    return Attempt(problem, solution, time.monotonic() - began)


def _move(game: Game, attempt: Attempt) -> str | None:
    move = attempt.solution.move
    return None if move is None else game.format_move(game.parse_position(attempt.problem.position), move)


def _answer(game: Game, attempts: list[Attempt], path: Path) -> dict[str, object]:
    return {
        "suite": path.name,
        "problems": len(attempts),
        "solved": sum(attempt.solved for attempt in attempts),
        "nodes": sum(attempt.solution.nodes for attempt in attempts),
        "seconds": sum(attempt.seconds for attempt in attempts),
        "positions": [
            {
                "position": attempt.problem.position,
                "expected": attempt.problem.value,
                "value": attempt.solution.value,
                "move": _move(game, attempt),
                "nodes": attempt.solution.nodes,
                "seconds": attempt.seconds,
                "solved": attempt.solved,
            }
            for attempt in attempts
        ],
    }


def _show(game: Game, attempts: list[Attempt]) -> None:
    rows = [
        (
            "+" if attempt.solved else "-",
            number,
            attempt.problem.position.count("-"),
            _move(game, attempt),
            attempt.solution.value,
            attempt.problem.value,
            attempt.solution.nodes,
            f"{attempt.seconds:.2f}",
        )
        for number, attempt in enumerate(attempts, 1)
    ]
    print_table(("", "position", "empty", "move", "value", "expected", "nodes", "seconds"), rows)
    solved, nodes = sum(attempt.solved for attempt in attempts), sum(attempt.solution.nodes for attempt in attempts)
    seconds = sum(attempt.seconds for attempt in attempts)
    say(
        f"\nsolved {solved} of {len(attempts)} with {nodes:,} nodes in {seconds:.2f} s ({nodes / seconds:,.0f} nodes/s)"
    )
