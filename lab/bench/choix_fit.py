# SPDX-License-Identifier: GPL-3.0-or-later
"""choix's estimates of strengths from pairwise comparisons; runs in the peers' Python: ``choix_fit.py PLAYERS``.

The comparisons are read from standard input as a JSON list of [winner, loser].
"""

import importlib.metadata
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import choix

REPEATS = 3

ESTIMATORS: tuple[Callable[..., Any], ...] = (choix.opt_pairwise, choix.ilsr_pairwise)
"""By Newton's method on the likelihood, as we do; and the fastest, which knows nothing of how sure its answer is."""


def seconds(estimate: Callable[..., Any], players: int, games: list[tuple[int, int]]) -> float:
    """Return how long an estimate takes."""
    began = time.perf_counter()
    estimate(players, games)
    return time.perf_counter() - began


def main() -> None:
    """Measure."""
    players, games = int(sys.argv[1]), [(winner, loser) for winner, loser in json.load(sys.stdin)]
    figures = {
        estimate.__name__: {
            "seconds": statistics.median(seconds(estimate, players, games) for _ in range(REPEATS)),
            "strengths": list(estimate(players, games)),
        }
        for estimate in ESTIMATORS
    }
    print(json.dumps({"version": importlib.metadata.version("choix"), "estimators": figures}))


main()
