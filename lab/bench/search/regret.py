# SPDX-License-Identifier: GPL-3.0-or-later
"""CFR+ in Kuhn and Leduc poker, beside OpenSpiel's CFR+ in C++: processor time, value and exploitability."""

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyspiel

from engine.games import find
from engine.regret import Evaluated, RegretSolver
from lab.bench.measurements import Measurement, in_turn

GAMES = (("kuhn", "kuhn_poker", -1 / 18, 1e-4, 1e-3), ("leduc", "leduc_poker", -0.085606, 1e-3, 5e-3))
"""Our name, OpenSpiel's, the value of the game to the seat that begins, the error of the value that reaches the target,
and the exploitability that does."""

ITERATIONS = 1000
SECONDS = 1.0
"""Our target: the processor time to build the tree and to run the iterations."""

Found = dict[str, Evaluated]


def solve(name: str, found: Found) -> float:
    """Solve a game; return the seconds of processor time, without the evaluation's."""
    began = time.process_time()
    solver = RegretSolver(find(name))
    solver.run(ITERATIONS)
    seconds = time.process_time() - began
    found["ours"] = solver.evaluate()
    return seconds


def solve_in_openspiel(name: str, found: Found) -> float:
    """Solve a game in OpenSpiel; return the seconds, likewise."""
    game: Any = pyspiel.load_game(name)
    began = time.process_time()
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    seconds = time.process_time() - began
    policy = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)[0]
    # both seats' best responses add up to NashConv
    found["theirs"] = Evaluated(value, (pyspiel.nash_conv(game, policy), 0.0))
    return seconds


def run_regret() -> Iterator[Measurement]:
    """Measure."""
    for name, peer, value, error, exploitability in GAMES:
        found: Found = {}
        compiled = time.process_time()
        solve(name, found)
        compiled = time.process_time() - compiled
        ours, theirs = in_turn(partial(solve, name, found), partial(solve_in_openspiel, peer, found))
        what, about = f"{name}, {ITERATIONS:,} iterations of CFR+", "OpenSpiel in C++"
        note = f"a first run, which compiles or loads the code, took {compiled:.2f} s"
        yield Measurement(
            what=what,
            unit="s CPU",
            ours=ours,
            peer=theirs,
            peer_name=about,
            target=SECONDS,
            of="figure",
            bound="at most",
            note=note,
        )
        yield Measurement(
            what=f"{name}, exploitability",
            unit="chips a hand",
            ours=found["ours"].exploitability,
            peer=found["theirs"].exploitability,
            peer_name=about,
            target=exploitability,
            of="figure",
            bound="at most",
        )
        yield Measurement(
            what=f"{name}, error of the value",
            unit="chips a hand",
            ours=abs(found["ours"].value - value),
            peer=abs(found["theirs"].value - value),
            peer_name=about,
            target=error,
            of="figure",
            bound="at most",
        )


BENCHMARKS = {"cfr": run_regret}
