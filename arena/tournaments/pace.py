# SPDX-License-Identifier: GPL-3.0-or-later
"""The pace of a tournament: the usual time between the ends of two games."""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise
from statistics import fmean, median

KEPT = 64
"""Number of the newest games that count."""

LEAST = 5
"""Minimum number of games for an estimate."""

LONGEST_GAP = 10
"""Longer gaps than this many usual gaps, such as pauses and restarts, count as this many."""


class Pace:
    """The times at which the newest games of a tournament ended."""

    def __init__(self, ended: Iterable[float] = ()) -> None:
        """``ended``: Unix times, in order."""
        self._ended = deque(ended, KEPT)

    def add(self, ended: float) -> None:
        """Add the end of a game."""
        self._ended.append(ended)

    def end(self, games: int) -> float | None:
        """Return the Unix time at which this many more games will have ended at this pace; None if it is not known."""
        if len(self._ended) < LEAST:
            return None
        times = sorted(self._ended)
        gaps = [later - earlier for earlier, later in pairwise(times)]
        longest = LONGEST_GAP * (median(gaps) or fmean(gaps))
        return times[-1] + games * fmean(min(gap, longest) for gap in gaps)
