# SPDX-License-Identifier: GPL-3.0-or-later
"""Rating estimates of the ladder: maximum-likelihood ratings with covariance, recomputed periodically."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.rating.bradley_terry import PRIOR, fit
from arena.rating.logistic import POINTS
from arena.rating.results import Floats, Results
from arena.store import Store
from arena.store.meetings import MeetingRows

MOST = 1_000
"""Maximum number of rated versions, those with the most games; the ladder treats others as unrated."""

PATIENCE = 50.0
"""Ratings are cached for this many times their computation time."""
LEAST = 2.0
"""Minimum seconds of caching."""

PRIOR_VARIANCE = 4 / PRIOR * POINTS**2
"""Variance of the rating of an unrated player, in squared points: that of the prior."""


@dataclass(frozen=True, slots=True, eq=False)
class RatingEstimate:
    """Ratings of the versions that have played."""

    places: dict[int, int]
    """Index into the arrays by version id."""
    ratings: Floats
    covariance: Floats
    draw_rate: float
    games: int
    """Number of rated matches in the computation."""
    at: float
    """Time of the computation, on the monotonic clock."""

    def of(self, versions: Sequence[int], otherwise: Sequence[float]) -> tuple[Floats, Floats]:
        """Return ratings and covariance of some versions; unrated ones get their rating from ``otherwise``."""
        places = np.array([self.places.get(version, -1) for version in versions], dtype=np.int64)
        known = np.flatnonzero(places >= 0)
        ratings = np.array(otherwise, dtype=np.float64)
        ratings[known] = self.ratings[places[known]]
        covariance = np.diag(np.full(len(versions), PRIOR_VARIANCE))
        covariance[np.ix_(known, known)] = self.covariance[np.ix_(places[known], places[known])]
        return ratings, covariance


NOTHING = RatingEstimate({}, np.zeros(0), np.zeros((0, 0)), 0.0, 0, 0.0)


class RatingEstimates:
    """Cache of rating estimates by game and time class."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], RatingEstimate] = {}
        self._until: dict[tuple[str, str], float] = {}

    async def get(self, game: str, time_class: str) -> RatingEstimate:
        """Return the rating estimates of a game and time class. Raises StoreError."""
        key = game, time_class
        now = time.monotonic()
        if now < self._until.get(key, 0.0):
            return self._kept[key]
        kept = self._kept.get(key, NOTHING)
        games = await self._store.meetings.games(game, time_class)
        if games != kept.games:
            rows = await self._store.meetings.read(game, time_class, MOST)
            kept = await asyncio.to_thread(_estimated, rows, games, now)
        self._kept[key] = kept
        self._until[key] = time.monotonic() + max(LEAST, PATIENCE * (time.monotonic() - now))
        return kept


def _estimated(rows: MeetingRows, games: int, at: float) -> RatingEstimate:
    # each game counts in full here, else the ladder would pair the same two close players for ever
    found = fit(Results(rows.first, rows.second, *rows.outcomes.T), len(rows.leaders), before=rows.before)
    places = {leader.standing.version_id: place for place, leader in enumerate(rows.leaders)}
    return RatingEstimate(places, found.ratings, found.covariance, found.draw_rate, games, at)
