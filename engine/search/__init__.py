# SPDX-License-Identifier: GPL-3.0-or-later
"""Game-tree search for all games: minimax, alpha-beta, selective search, expectiminimax."""

from engine.search.driver import Iteration, Searcher, SearchResult
from engine.search.limits import Limits, Stop
from engine.search.solver import solvable
from engine.search.switches import ALGORITHMS, INEXACT, SOLVE, Algorithm, Switch, altered

__all__ = [
    "ALGORITHMS",
    "INEXACT",
    "SOLVE",
    "Algorithm",
    "Iteration",
    "Limits",
    "SearchResult",
    "Searcher",
    "Stop",
    "Switch",
    "altered",
    "solvable",
]
