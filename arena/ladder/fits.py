# SPDX-License-Identifier: GPL-3.0-or-later
"""Cached rating fits, computed from all results in a thread: those of the leaderboard, and those of the ladder."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Protocol, TypeVar

import numpy as np

from arena.rating.assessment import Assessment, Opinion, assess, second_opinion
from arena.rating.bradley_terry import PRIOR, fit
from arena.rating.difference import POINTS
from arena.rating.results import Floats, Results
from arena.store import Store
from arena.store.results import MeetingRows
from arena.store.rows import LeaderRow

MOST_LEADERS = 2_000
"""Maximum number of versions in a fit of the leaderboard, those with the most games; the covariance of more takes too
long.
"""

MOST_ON_LADDER = 1_000
"""Maximum number of versions in a fit of the ladder, which treats others as unrated."""

OPINIONS_KEPT = 16
"""Maximum number of cached opinions of a fit; requests choose the players."""

SOON = 0.5
"""Seconds that a page waits for a fit before it is sent without."""

PRIOR_VARIANCE = 4 / PRIOR * POINTS**2
"""Variance of the rating of an unrated player, in squared points: that of the prior."""


class _Computed(Protocol):
    @property
    def games(self) -> int: ...


RatingFit = TypeVar("RatingFit", bound=_Computed)


@dataclass(frozen=True, slots=True)
class _Kept(Generic[RatingFit]):
    found: RatingFit
    until: float
    """Expiry of the cache, on the monotonic clock."""


class FitCache(Generic[RatingFit]):
    """Cache of rating fits by game and time class; concurrent requests share one computation."""

    def __init__(
        self,
        store: Store,
        compute: Callable[[MeetingRows, int, float], RatingFit],
        *,
        most: int,
        patience: float,
        least: float = 0.0,
    ) -> None:
        """``compute``: make a fit of results, their number, and the time on the monotonic clock before they were read.

        ``most``: the maximum number of versions. A fit is kept for ``patience`` times its computation time and at least
        ``least`` seconds, even if there are newer results.
        """
        self._store = store
        self._compute = compute
        self._most = most
        self._patience = patience
        self._least = least
        self._kept: dict[tuple[str, str], _Kept[RatingFit]] = {}
        self._making: dict[tuple[str, str], asyncio.Task[RatingFit]] = {}

    async def get(self, game: str, time_class: str) -> RatingFit:
        """Return the fit of a game and time class. Raises StoreError."""
        return await asyncio.shield(self._begin(game, time_class))

    async def renewed(self, game: str, time_class: str) -> RatingFit:
        """Return a fit of all results; wait until a cached fit expires. Raises StoreError."""
        kept = self._kept.get((game, time_class))
        if kept is not None:
            await asyncio.sleep(max(0.0, kept.until - time.monotonic()))
        return await self.get(game, time_class)

    async def soon(self, game: str, time_class: str, within: float = SOON) -> RatingFit | None:
        """Return the fit of a game and time class; if it takes longer than ``within`` seconds, the last cached one or
        None. Raises StoreError.
        """
        making = self._begin(game, time_class)
        done, _ = await asyncio.wait({making}, timeout=within)
        if done:
            return making.result()
        kept = self._kept.get((game, time_class))
        return None if kept is None else kept.found

    def _begin(self, game: str, time_class: str) -> "asyncio.Task[RatingFit]":
        key = game, time_class
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.create_task(self._make(key))
            making.add_done_callback(partial(self._made, key))
        return making

    def _made(self, key: tuple[str, str], making: "asyncio.Task[RatingFit]") -> None:
        del self._making[key]
        if not making.cancelled():
            making.exception()  # mark the exception as retrieved; waiting callers get it

    async def _make(self, key: tuple[str, str]) -> RatingFit:
        began = time.monotonic()
        kept = self._kept.get(key)
        if kept and began < kept.until:
            return kept.found
        games = await self._store.results.games(*key)
        if kept and kept.found.games == games:
            found = kept.found
        else:
            rows = await self._store.results.read(*key, self._most)
            found = await asyncio.to_thread(self._compute, rows, games, began)
        now = time.monotonic()
        self._kept[key] = _Kept(found, now + max(self._least, self._patience * (now - began)))
        return found


# ---------------------------------------------------------------- the leaderboard


@dataclass(frozen=True, slots=True, eq=False)
class LeaderboardFit:
    """The versions with the most games and their ratings; arrays are in the order of ``leaders``."""

    leaders: list[LeaderRow]
    removed: frozenset[int]
    """Ids of versions of removed bots: their results count, but they are not listed."""
    assessment: Assessment | None
    """The ratings; None without games."""
    games: int
    """Number of rated matches at the time of the fit."""
    opinions: dict[tuple[int, ...], Opinion] = field(default_factory=dict)
    """Cached opinions by the chosen players."""

    def newest(self, bot_id: int) -> int | None:
        """Return the place of the newest rated version of a bot in ``leaders``; None if there is none."""
        places = [place for place, leader in enumerate(self.leaders) if leader.bot_id == bot_id]
        return max(places, key=lambda place: self.leaders[place].rating_row.version_id, default=None)

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return by how many points the first of two players is stronger by Bradley-Terry, and the standard deviation
        of this difference, √(Var r + Var s − 2·Cov(r, s)). Raises ValueError without ratings.
        """
        if self.assessment is None:
            raise ValueError("there are no ratings")
        ratings, covariance = self.assessment.fit.ratings, self.assessment.fit.covariance
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        return float(ratings[one] - ratings[other]), float(np.sqrt(max(0.0, variance)))

    def opinion(self, players: Sequence[int]) -> Opinion:
        """Return the certainty of the order of some players, cached with the fit. Raises ValueError without ratings."""
        if self.assessment is None:
            raise ValueError("there are no ratings")
        key = tuple(players)
        found = self.opinions.get(key)
        if found is None:
            if len(self.opinions) >= OPINIONS_KEPT:
                self.opinions.clear()
            found = self.opinions[key] = second_opinion(self.assessment, np.array(key))
        return found


def leaderboard_fits(store: Store, *, patience: float = 20.0) -> FitCache[LeaderboardFit]:
    """Return the cache of the leaderboard's fits."""
    return FitCache(store, _assessed, most=MOST_LEADERS, patience=patience)


def _assessed(rows: MeetingRows, games: int, at: float) -> LeaderboardFit:
    results = Results(rows.first, rows.second, *rows.outcomes.T)
    listed = np.array([leader.rating_row.version_id not in rows.removed for leader in rows.leaders], dtype=np.bool_)
    assessment = None
    if rows.leaders:
        assessment = assess(rows.days, results, len(rows.leaders), bots=rows.bots, before=rows.before, listed=listed)
    return LeaderboardFit(rows.leaders, rows.removed, assessment, games)


# ---------------------------------------------------------------- the ladder


@dataclass(frozen=True, slots=True, eq=False)
class LadderFit:
    """Ratings of the versions that have played, with their covariance."""

    places: dict[int, int]
    """Index into the arrays by version id."""
    ratings: Floats
    covariance: Floats
    draw_rate: float
    games: int
    """Number of rated matches in the computation."""
    at: float
    """Time before the results were read, on the monotonic clock."""

    def of(self, versions: Sequence[int], otherwise: Sequence[float]) -> tuple[Floats, Floats]:
        """Return ratings and covariance of some versions; unrated ones get their rating from ``otherwise``."""
        places = np.array([self.places.get(version, -1) for version in versions], dtype=np.int64)
        known = np.flatnonzero(places >= 0)
        ratings = np.array(otherwise, dtype=np.float64)
        ratings[known] = self.ratings[places[known]]
        covariance = np.diag(np.full(len(versions), PRIOR_VARIANCE))
        covariance[np.ix_(known, known)] = self.covariance[np.ix_(places[known], places[known])]
        return ratings, covariance


NO_RATINGS = LadderFit({}, np.zeros(0), np.zeros((0, 0)), 0.0, 0, 0.0)


def ladder_fits(store: Store, *, patience: float = 50.0, least: float = 2.0) -> FitCache[LadderFit]:
    """Return the cache of the ladder's fits."""
    return FitCache(store, _estimated, most=MOST_ON_LADDER, patience=patience, least=least)


def _estimated(rows: MeetingRows, games: int, at: float) -> LadderFit:
    if not rows.leaders:
        return NO_RATINGS
    # each game counts in full here, else the ladder would pair the same two close players for ever
    found = fit(Results(rows.first, rows.second, *rows.outcomes.T), len(rows.leaders), before=rows.before)
    places = {leader.rating_row.version_id: place for place, leader in enumerate(rows.leaders)}
    return LadderFit(places, found.ratings, found.covariance, found.draw_rate, games, at)
