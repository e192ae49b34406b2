# SPDX-License-Identifier: GPL-3.0-or-later
"""Solve a game by iterations of an algorithm; the average strategy converges to an equilibrium."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.game import Game, State
from engine.regret.minimisation import cfr_plus, sample, strategy_of, sums_of
from engine.regret.response import Evaluated, Slots, evaluate
from engine.regret.tree import GameTree, build

CFR_PLUS, MCCFR = "cfr+", "mccfr"


@dataclass(frozen=True, slots=True)
class RegretAlgorithm:
    """An algorithm of regret minimisation."""

    description: str
    run: Callable[[GameTree, Any, int, int], None]
    """Run iterations: the tree, its sums, the number of iterations before, and the number to run."""
    share: float
    """The part of the tree that an iteration visits, roughly."""


ALGORITHMS: Mapping[str, RegretAlgorithm] = {
    CFR_PLUS: RegretAlgorithm("CFR+ (Tammelin 2014), which visits the whole tree in each iteration", cfr_plus, 1.0),
    MCCFR: RegretAlgorithm("Monte Carlo CFR with external sampling (Lanctot 2009)", sample, 0.05),
}

_VISITS = 20_000_000
"""Visits of nodes between two chances to interrupt a run: about a tenth of a second."""


class RegretSolver:
    """Solves a game. The tree is built once; ``run`` may be called again to go on."""

    def __init__(self, game: Game, algorithm: str = CFR_PLUS, state: State | None = None, seed: int = 0) -> None:
        """Begin at a state, by default with one round left. ``seed``: of the samples.

        Raises KeyError for an unknown algorithm, and ValueError as ``build`` does.
        """
        if algorithm not in ALGORITHMS:
            raise KeyError(f"no algorithm is called {algorithm[:40]!r}; there are {', '.join(ALGORITHMS)}")
        self._algorithm = ALGORITHMS[algorithm]
        self.tree = build(game, state)
        self.iterations = 0
        """Iterations so far."""
        self._sums = sums_of(self.tree, seed)

    def run(self, iterations: int) -> None:
        """Run so many iterations."""
        most = max(1, int(_VISITS / (len(self.tree.seats) * self._algorithm.share)))
        while iterations > 0:
            some = min(most, iterations)
            self._algorithm.run(self.tree, self._sums, self.iterations, some)
            self.iterations += some
            iterations -= some

    def strategy(self) -> Slots:
        """Return the average strategy: the probability of each move of each information set."""
        return strategy_of(self.tree, self._sums.average)

    def evaluate(self) -> Evaluated:
        """Return value and exploitability of the average strategy."""
        return evaluate(self.tree, self.strategy())
