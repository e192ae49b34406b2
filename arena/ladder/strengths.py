# SPDX-License-Identifier: GPL-3.0-or-later
"""What the ladder knows of strengths: ratings by maximum likelihood with their covariance, renewed now and then."""

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
"""Versions whose ratings are computed together, those that have played most; others are strangers."""

PATIENCE = 50.0
"""Ratings are used for so many times as long as computing them took, and for this long at least:"""
LEAST = 2.0
"""seconds."""

STRANGE = 4 / PRIOR * POINTS**2
"""The variance of a rating, in squared points, when nobody has seen its player play: that of the prior."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is known of the versions that have played."""

    places: dict[int, int]
    """By id of the version, where it stands in the others."""
    ratings: Floats
    covariance: Floats
    draw_rate: float
    games: int
    """The rated matches it comes from."""
    at: float
    """When they were read, on the steady clock."""

    def of(self, versions: Sequence[int], otherwise: Sequence[float]) -> tuple[Floats, Floats]:
        """Return ratings and covariance of some versions; of who is not known, the rating is what it is otherwise."""
        places = np.array([self.places.get(version, -1) for version in versions], dtype=np.int64)
        known = np.flatnonzero(places >= 0)
        ratings = np.array(otherwise, dtype=np.float64)
        ratings[known] = self.ratings[places[known]]
        covariance = np.diag(np.full(len(versions), STRANGE))
        covariance[np.ix_(known, known)] = self.covariance[np.ix_(places[known], places[known])]
        return ratings, covariance


NOTHING = Belief({}, np.zeros(0), np.zeros((0, 0)), 0.0, 0, 0.0)


class Beliefs:
    """What is known by game and time class."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], Belief] = {}
        self._until: dict[tuple[str, str], float] = {}

    async def get(self, game: str, time_class: str) -> Belief:
        """Return what is known of a game and time class. Raises StoreError."""
        key = game, time_class
        now = time.monotonic()
        if now < self._until.get(key, 0.0):
            return self._kept[key]
        kept = self._kept.get(key, NOTHING)
        games = await self._store.meetings.games(game, time_class)
        if games != kept.games:
            rows = await self._store.meetings.read(game, time_class, MOST)
            kept = await asyncio.to_thread(_believed, rows, games, now)
        self._kept[key] = kept
        self._until[key] = time.monotonic() + max(LEAST, PATIENCE * (time.monotonic() - now))
        return kept


def _believed(rows: MeetingRows, games: int, at: float) -> Belief:
    # each game counts in full here: else the two that are hardest to tell apart would be paired for ever
    found = fit(Results(rows.first, rows.second, *rows.outcomes.T), len(rows.leaders), before=rows.before)
    places = {leader.standing.version_id: place for place, leader in enumerate(rows.leaders)}
    return Belief(places, found.ratings, found.covariance, found.draw_rate, games, at)
