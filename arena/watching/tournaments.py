# SPDX-License-Identifier: GPL-3.0-or-later
"""Followers of tournaments: notified of each change."""

from collections import Counter, defaultdict
from collections.abc import Callable

from arena.watching.leaderboards import Follower


class Tournaments:
    """Followers of tournaments. They get only a notification of a change, and read the standings from the API."""

    def __init__(self) -> None:
        self._versions: Counter[int] = Counter()
        self._followers: defaultdict[int, set[Follower]] = defaultdict(set)
        self.news: Callable[[int], None] = lambda number: None
        """Called with each tournament that changed at this server."""

    def version(self, number: int) -> int:
        """Return the number of changes of a tournament since the start of the server."""
        return self._versions[number]

    def changed(self, number: int, *, elsewhere: bool = False) -> None:
        """Notify the followers of a tournament of a change; ``elsewhere``: at another server."""
        if not elsewhere:
            self.news(number)
        self._versions[number] += 1
        for spectator in tuple(self._followers.get(number, ())):
            spectator.stir()

    def follow(self, spectator: Follower, number: int) -> None:
        """Add a follower of a tournament."""
        self._followers[number].add(spectator)

    def unfollow(self, spectator: Follower, number: int) -> None:
        """Remove a follower."""
        self._followers[number].discard(spectator)
        if not self._followers[number]:
            del self._followers[number]
