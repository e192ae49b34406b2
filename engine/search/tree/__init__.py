# SPDX-License-Identifier: GPL-3.0-or-later
"""Monte Carlo tree search for all games, with dice or without: UCT, RAVE and PUCT, with a solver."""

from engine.search.tree.driver import MoveStatistics, TreeReport, TreeSearcher
from engine.search.tree.switches import TREE_ALGORITHMS, TreeAlgorithm, TreeParameters, TreeSwitch

__all__ = [
    "TREE_ALGORITHMS",
    "MoveStatistics",
    "TreeAlgorithm",
    "TreeParameters",
    "TreeReport",
    "TreeSearcher",
    "TreeSwitch",
]
