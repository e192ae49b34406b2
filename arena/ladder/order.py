# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the order of players is: assessed from all results in a thread, and kept until there are newer ones."""

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
"""Versions that are assessed together, those that have played most; the covariance of more takes too long."""

PATIENCE = 20.0
"""An assessment is used, though there are newer results, for so many times as long as it took."""

SOON = 0.5
"""Seconds that a page waits for an assessment before it is shown without."""


@dataclass(frozen=True, slots=True, eq=False)
class Assessed:
    """The versions that have played most, and what is known of them, by place in ``leaders``."""

    leaders: list[LeaderRow]
    removed: frozenset[int]
    """The ids of versions whose bots are no longer let in: their results count, but they are not listed."""
    assessment: Assessment | None
    """None where nobody has played."""
    games: int
    """The rated matches when it was made."""


@dataclass(frozen=True, slots=True)
class _Kept:
    assessed: Assessed
    until: float
    """When newer results count, on the steady clock."""


class Standings:
    """Assessments by game and time class. One that is being made is made once for all who ask, though they go away."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._making: dict[tuple[str, str], asyncio.Task[Assessed]] = {}

    async def get(self, game: str, time_class: str) -> Assessed:
        """Return the assessment of a game and time class. Raises StoreError."""
        return await asyncio.shield(self._begin(game, time_class))

    async def soon(self, game: str, time_class: str, within: float = SOON) -> Assessed | None:
        """Return the assessment of a game and time class, if it takes longer than so many seconds the last one, and
        None where there is none yet. Raises StoreError.
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
            making.exception()  # whoever still waits is told; nobody else needs to know

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
