# SPDX-License-Identifier: GPL-3.0-or-later
"""The newest results that the feed shows, kept in memory for a moment."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from arena.application import Arena
from arena.features.feeds.records.results import ResultRecords, Wanted
from arena.store.rows import MatchRow, TournamentRow
from web.errors import TooManyRequests

FRESH = 15.0
"""Seconds for which results are kept in memory."""
KEPT = 64
"""Filters whose results are kept in memory."""
WAITING = 16
"""Requests that may wait while results are read for others."""


class Results(NamedTuple):
    """What a feed shows."""

    identity: UUID
    """The arena's."""
    since: float
    """When the identity was made: the feed's time while it has no entries."""
    matches: list[MatchRow]
    tournaments: list[TournamentRow]


class LatestResults:
    """The results of feeds, kept in memory for a moment: readers ask often, and changes are few."""

    def __init__(self, arena: Arena, clock: Callable[[], float]) -> None:
        self._records = arena.store.records(ResultRecords)
        self._clock = clock
        self._kept: OrderedDict[Wanted, tuple[float, Results]] = OrderedDict()
        self._reading = asyncio.Lock()
        self._waiting = 0

    async def read(self, wanted: Wanted, now: float) -> Results:
        """Return the results for filters. Raises TooManyRequests."""
        if (found := self._fresh(wanted)) is not None:
            return found
        if self._waiting >= WAITING:
            raise TooManyRequests("too many feeds are read at once; try again", 1.0)
        self._waiting += 1
        try:
            async with self._reading:
                return self._fresh(wanted) or await self._read(wanted, now)
        finally:
            self._waiting -= 1

    def forget(self) -> None:
        """Read all results anew from now on."""
        self._kept.clear()

    def _fresh(self, wanted: Wanted) -> Results | None:
        moment, results = self._kept.get(wanted, (float("-inf"), None))
        return results if self._clock() - moment < FRESH else None

    async def _read(self, wanted: Wanted, now: float) -> Results:
        identity, since = await self._records.identity(now)
        results = Results(identity, since, *await self._records.read(wanted))
        self._kept[wanted] = self._clock(), results
        self._kept.move_to_end(wanted)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return results
