# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the order of players is: assessed from all results in a thread, and kept until there are newer ones."""

import asyncio
import time
from dataclasses import dataclass

from arena.rating.assessment import Assessment, assess
from arena.rating.results import Results
from arena.store import Store
from arena.store.meetings import MeetingRows
from arena.store.rows import LeaderRow

MOST = 2_000
"""Versions that are assessed together, those that have played most; the covariance of more takes too long."""

PATIENCE = 20.0
"""An assessment is used, though there are newer results, for so many times as long as it took."""


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
    """Assessments by game and time class. Whoever asks for one that is being made waits for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}

    async def get(self, game: str, time_class: str) -> Assessed:
        """Return the assessment of a game and time class. Raises StoreError."""
        key = game, time_class
        async with self._locks.setdefault(key, asyncio.Lock()):
            kept = self._kept.get(key)
            if kept and (
                time.monotonic() < kept.until
                or kept.assessed.games == await self._store.meetings.games(game, time_class)
            ):
                return kept.assessed
            began = time.monotonic()
            games = await self._store.meetings.games(game, time_class)
            rows = await self._store.meetings.read(game, time_class, MOST)
            assessed = await asyncio.to_thread(_assessed, rows, games)
            now = time.monotonic()
            self._kept[key] = _Kept(assessed, now + PATIENCE * (now - began))
            return assessed


def _assessed(rows: MeetingRows, games: int) -> Assessed:
    results = Results(rows.first, rows.second, *rows.outcomes.T)
    assessment = assess(rows.days, results, len(rows.leaders)) if rows.leaders else None
    return Assessed(rows.leaders, rows.removed, assessment, games)
