# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches for those who look into a position: of some of its moves only, and with a look at the memory they use."""

from collections.abc import Collection, Sequence

import numpy as np

from engine.search.driver import Searcher

SAMPLE = 1000
"""Entries of the table that are looked at to tell how full it is."""


class Analyst(Searcher):
    """A searcher whose first move can be confined."""

    _allowed: frozenset[int] = frozenset()

    def confine(self, moves: Collection[int]) -> None:
        """Look at no other first moves from now on; none: look at all. Forgets what was learned: it was of others."""
        self._allowed = frozenset(moves)
        self.clear()

    @property
    def fullness(self) -> float:
        """How much of the transposition table is in use, from 0 to 1."""
        # the last word of an entry tells, in the tables of both frames, whether it is one
        return float(np.count_nonzero(self._memory.table[:SAMPLE, -1])) / min(SAMPLE, len(self._memory.table))

    def _prepare(self, moves: Sequence[int], history: Sequence[int]) -> None:
        super()._prepare([move for move in moves if not self._allowed or move in self._allowed], history)
