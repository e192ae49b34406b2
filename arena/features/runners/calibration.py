# SPDX-License-Identifier: GPL-3.0-or-later
"""Calibration of a machine: nodes per second of a fixed search on one core, so that runners can be compared."""

import time

from engine.games import find
from engine.search import Limits, Searcher

GAME, ALGORITHM, NODES = "connect-four", "advanced", 1_000_000
"""The search: from the initial position, with the game's first evaluation."""

TIMES = 3
"""Searches; the fastest counts, because other work on the machine makes searches slower and never faster."""


def speed() -> float:
    """Return the nodes per second of processor time of the fixed search. The first call compiles it."""
    game = find(GAME)
    Searcher(game, ALGORITHM).search(game.start(), Limits(depth=1), seed=1)
    best = 0.0
    for _ in range(TIMES):
        searcher = Searcher(game, ALGORITHM)
        began = time.thread_time()
        nodes = searcher.search(game.start(), Limits(nodes=NODES), seed=1).nodes
        best = max(best, nodes / max(time.thread_time() - began, 1e-9))
    return best
