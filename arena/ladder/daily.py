# SPDX-License-Identifier: GPL-3.0-or-later
"""The number of matches that each owner's bots started within 24 hours, and its limit.

Matches are counted by owner and hour, so the memory does not grow with them; an hour counts until all of it is over.
Matches of tournaments, and the second match of a pair, count but are never refused.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from arena.ladder.shares import Owner, owner_of
from arena.store import Store
from arena.store.errors import keep_trying

HOUR = 3600.0
HOURS = 24


class DailyMatches:
    """Counts of started matches by owner. Built-in bots have no owner here. Without a limit nothing is counted."""

    def __init__(self, store: Store, most: int, now: Callable[[], float]) -> None:
        """``most``: matches of an owner within 24 hours, 0 for no limit; ``now``: returns the Unix time in seconds."""
        self.most = most
        self._store = store
        self._now = now
        self._by_hour: dict[int, Counter[Owner]] = {}

    async def recall(self) -> None:
        """Load the matches of the last 24 hours from the store, in place of those that were counted so far."""
        if not self.most:
            return
        since = (self._hour() - HOURS + 1) * HOUR
        by_hour: dict[int, Counter[Owner]] = {}
        for bot, owner, hour, count in await keep_trying(lambda: self._store.matches.started_by_hour(since)):
            by_hour.setdefault(hour, Counter())[owner_of(bot, owner)] += count
        self._by_hour = by_hour

    def begin(self, owners: Iterable[Owner]) -> None:
        """Count a match of bots of these owners that starts now."""
        if self.most:
            self._forget()
            self._by_hour.setdefault(self._hour(), Counter()).update(set(owners))

    def played(self, owner: Owner) -> int:
        """Return how many matches an owner's bots started within 24 hours."""
        self._forget()
        return sum(hour[owner] for hour in self._by_hour.values())

    def why_not(self, owner: Owner) -> str | None:
        """Return the reason why an owner's bots may start no match now, for people, or None."""
        if not self.most or self.played(owner) < self.most:
            return None
        left, free_again = self.played(owner), self._hour()
        for hour in sorted(self._by_hour):
            left -= self._by_hour[hour][owner]
            if left < self.most:
                free_again = hour + HOURS
                break
        minutes = max(1, round((free_again * HOUR - self._now()) / 60))
        return f"at most {self.most} in 24 hours for all bots of one owner; try again in {minutes} minutes"

    def _hour(self) -> int:
        return int(self._now() // HOUR)

    def _forget(self) -> None:
        """Remove hours that are over for 24 hours."""
        for hour in [hour for hour in self._by_hour if hour <= self._hour() - HOURS]:
            del self._by_hour[hour]
