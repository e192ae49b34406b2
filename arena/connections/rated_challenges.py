# SPDX-License-Identifier: GPL-3.0-or-later
"""How many rated challenges two bots may play in a day: who chooses its opponent chooses what its rating is made of."""

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
    """Those that were begun within a day, by pair of bots: either may have asked, in whatever versions."""

    def __init__(self, store: Store, most: int, now: Callable[[], float]) -> None:
        """``most``: how many two bots may play in a day. ``now`` tells the Unix time in seconds."""
        self._store = store
        self._most = most
        self._now = now
        self._begun: deque[tuple[float, Pair]] = deque()
        self._by_pair: defaultdict[Pair, deque[float]] = defaultdict(deque)

    async def recall(self) -> None:
        """Read those of the last day, so that a restart forgets none. Raises StoreError."""
        since = self._now() - DAY
        for one, other, started in await keep_trying(lambda: self._store.matches.rated_challenges(since)):
            self._note(frozenset((one, other)), started)

    def why_not(self, pair: Pair, open_ones: int = 0) -> str | None:
        """Return why two bots may not play another one now, beside the open ones of theirs; None: they may."""
        self._forget()
        begun = self._by_pair.get(pair, deque())
        if len(begun) + open_ones < self._most:
            return None
        limit = f"two bots may play {self._most} rated challenges in 24 hours"
        if not begun:
            return limit
        minutes = ceil((begun[max(0, len(begun) - self._most)] + DAY - self._now()) / 60)
        return f"{limit}, and these did; the next is possible in {minutes} minutes, and an unrated one now"

    def begin(self, pair: Pair) -> Callable[[], None]:
        """Count one that starts now; returns what takes it back if it cannot start."""
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
        """Drop what is more than a day ago."""
        since = self._now() - DAY
        while self._begun and self._begun[0][0] <= since:
            _, pair = self._begun.popleft()
            times = self._by_pair[pair]
            times.popleft()
            if not times:
                del self._by_pair[pair]
