# SPDX-License-Identifier: GPL-3.0-or-later
"""Daily limit of rated challenges between two bots, because bots could inflate ratings by choosing their opponents."""

from collections import defaultdict, deque
from collections.abc import Callable
from math import ceil

from arena.retry import keep_trying
from arena.store import Store

DAY = 86_400.0
"""Seconds."""

Pair = frozenset[int]
"""The ids of two bots."""


class RatedChallenges:
    """Rated challenges of the last 24 hours by pair of bots, in both directions and for all versions."""

    def __init__(self, store: Store, most: int, now: Callable[[], float]) -> None:
        """``most``: limit for two bots in 24 hours; ``now``: returns the Unix time in seconds."""
        self._store = store
        self._most = most
        self._now = now
        self._begun: deque[tuple[float, Pair]] = deque()
        self._by_pair: defaultdict[Pair, deque[float]] = defaultdict(deque)

    async def recall(self) -> None:
        """Load the rated challenges of the last 24 hours from the store. Raises StoreError."""
        since = self._now() - DAY
        for one, other, started in await keep_trying(lambda: self._store.matches.rated_challenges(since)):
            self._note(frozenset((one, other)), started)

    def why_not(self, pair: Pair, open_ones: int = 0) -> str | None:
        """Return the reason why two bots may not play another rated challenge now, or None.

        ``open_ones``: number of their open challenges.
        """
        self._forget()
        begun = self._by_pair.get(pair, deque())
        if len(begun) + open_ones < self._most:
            return None
        limit = f"two bots may play {self._most} rated challenges in 24 hours"
        if not begun:
            return limit
        minutes = ceil((begun[max(0, len(begun) - self._most)] + DAY - self._now()) / 60)
        return f"{limit}; the next one is possible in {minutes} minutes, an unrated one now"

    def begin(self, pair: Pair) -> Callable[[], None]:
        """Count a rated challenge that starts now; return a function that undoes this."""
        started = self._now()
        self._note(pair, started)

        def take_back() -> None:
            self._begun.remove((started, pair))
            self._by_pair[pair].remove(started)

        return take_back

    def _note(self, pair: Pair, started: float) -> None:
        self._begun.append((started, pair))
        self._by_pair[pair].append(started)

    def _forget(self) -> None:
        """Remove challenges older than 24 hours."""
        since = self._now() - DAY
        while self._begun and self._begun[0][0] <= since:
            _, pair = self._begun.popleft()
            times = self._by_pair[pair]
            times.popleft()
            if not times:
                del self._by_pair[pair]
