# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of Monte Carlo tree search in Go on 9×9: playouts, the tree included, and the gain of a second thread."""

import os
import time
from collections.abc import Iterator

from engine.games import find
from engine.search import Limits
from engine.search.tree import TreeSearcher
from lab.bench.measurements import Measurement, Skipped, in_turn, median

SEARCHES = (
    ("light playouts of UCT", "uct", ""),
    ("informed playouts of UCT", "uct", "+answers"),
    ("light playouts of RAVE", "rave", "-answers,-heuristic"),
    ("informed playouts of RAVE with priors", "rave", ""),
)
"""The row, the algorithm, and a change of its switches."""

PLAYOUTS, THREADED = 20_000, 60_000
"""Playouts of a search from the start, with one thread and where threads are compared."""

TARGET, SPEEDUP = 20_000, 1.8


def rate(searcher: TreeSearcher) -> float:
    """Search the start position with an empty tree and return playouts for a second of CPU."""
    searcher.clear()
    began = time.process_time()
    done = searcher.search(searcher.game.start(), Limits(playouts=PLAYOUTS), seed=1).playouts
    return done / (time.process_time() - began)


def elapsed(searcher: TreeSearcher) -> float:
    """Search the start position with an empty tree and return playouts for a second of time."""
    searcher.clear()
    began = time.perf_counter()
    done = searcher.search(searcher.game.start(), Limits(playouts=THREADED), seed=1).playouts
    return done / (time.perf_counter() - began)


def run_tree_search() -> Iterator[Measurement]:
    """Measure."""
    game = find("go/9x9")
    for what, algorithm, switches in SEARCHES:
        searcher = TreeSearcher(game, algorithm, switches=switches)
        figure = median(lambda chosen=searcher: rate(chosen))  # type: ignore[misc]  # bound now
        yield Measurement(what=f"go/9x9, {what}", unit="1/s CPU", ours=figure, target=TARGET, of="figure")
    if len(os.sched_getaffinity(0)) < 2:
        raise Skipped("two threads need two processors")
    for algorithm in ("uct", "rave"):
        one, two = (TreeSearcher(game, algorithm, threads=threads) for threads in (1, 2))
        elapsed(one), elapsed(two)
        ours, peer = in_turn(lambda two=two: elapsed(two), lambda one=one: elapsed(one))  # type: ignore[misc]  # bound now
        what = f"go/9x9, playouts of {algorithm} by two threads"
        yield Measurement(what=what, unit="1/s", ours=ours, peer=peer, peer_name="one thread", target=SPEEDUP)


BENCHMARKS = {"trees": run_tree_search}
