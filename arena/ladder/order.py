# SPDX-License-Identifier: GPL-3.0-or-later
"""Cached rating fits of the leaderboard (Bradley-Terry, Glicko-2), computed from all results in a thread."""

import asyncio
import time
from dataclasses import dataclass
from functools import partial

import numpy as np

from arena.rating.assessment import Assessment, assess
from arena.rating.results import Results
from arena.store import Store
from arena.store.meetings import MeetingRows
from arena.store.rows import LeaderRow

MOST = 2_000
"""Maximum number of rated versions, those with the most games; the covariance of more takes too long."""

PATIENCE = 20.0
"""A fit is cached for this many times its computation time, even if there are newer results."""

SOON = 0.5
"""Seconds that a page waits for a fit before it is sent without."""


@dataclass(frozen=True, slots=True, eq=False)
class Assessed:
    """The versions with the most games and their rating fit; arrays are in the order of ``leaders``."""

    leaders: list[LeaderRow]
    removed: frozenset[int]
    """Ids of versions of removed bots: their results count, but they are not listed."""
    assessment: Assessment | None
    """The rating fit; None without games."""
    games: int
    """Number of rated matches at the time of the fit."""


@dataclass(frozen=True, slots=True)
class _Kept:
    assessed: Assessed
    until: float
    """Expiry of the cache, on the monotonic clock."""


class RatingFits:
    """Cache of rating fits by game and time class; concurrent requests share one computation."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._making: dict[tuple[str, str], asyncio.Task[Assessed]] = {}

    async def get(self, game: str, time_class: str) -> Assessed:
        """Return the fit of a game and time class. Raises StoreError."""
        return await asyncio.shield(self._begin(game, time_class))

    async def soon(self, game: str, time_class: str, within: float = SOON) -> Assessed | None:
        """Return the fit of a game and time class; if it takes longer than ``within`` seconds, the last cached one or
        None. Raises StoreError.
        """
        making = self._begin(game, time_class)
        done, _ = await asyncio.wait({making}, timeout=within)
        if done:
            return making.result()
        kept = self._kept.get((game, time_class))
        return None if kept is None else kept.assessed

    def _begin(self, game: str, time_class: str) -> "asyncio.Task[Assessed]":
        key = game, time_class
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.create_task(self._make(key))
            making.add_done_callback(partial(self._made, key))
        return making

    def _made(self, key: tuple[str, str], making: "asyncio.Task[Assessed]") -> None:
        del self._making[key]
        if not making.cancelled():
            making.exception()  # mark the exception as retrieved; waiting callers get it

    async def _make(self, key: tuple[str, str]) -> Assessed:
        kept = self._kept.get(key)
        if kept and (time.monotonic() < kept.until or kept.assessed.games == await self._store.meetings.games(*key)):
            return kept.assessed
        began = time.monotonic()
        games = await self._store.meetings.games(*key)
        rows = await self._store.meetings.read(*key, MOST)
        assessed = await asyncio.to_thread(_assessed, rows, games)
        now = time.monotonic()
        self._kept[key] = _Kept(assessed, now + PATIENCE * (now - began))
        return assessed


def _assessed(rows: MeetingRows, games: int) -> Assessed:
    results = Results(rows.first, rows.second, *rows.outcomes.T)
    listed = np.array([leader.standing.version_id not in rows.removed for leader in rows.leaders], dtype=np.bool_)
    assessment = None
    if rows.leaders:
        assessment = assess(rows.days, results, len(rows.leaders), bots=rows.bots, before=rows.before, listed=listed)
    return Assessed(rows.leaders, rows.removed, assessment, games)
