# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches that will be resumed after a restart, and held requests to follow them."""

from collections import defaultdict
from typing import Protocol


class Follower(Protocol):
    """A spectator with a held request to follow a match."""

    def settled(self, match: int) -> None:
        """Answer the held request: the match is resumed or void."""


class Resumable:
    """Matches that wait to be resumed after a restart, and the spectators with held requests.

    Until ``known`` is called, every match may be one of them.
    """

    def __init__(self) -> None:
        self._matches: set[int] = set()
        self._known = False
        self._held: defaultdict[int, set[Follower]] = defaultdict(set)

    def waits(self, match: int) -> bool:
        """Return whether a match waits to be resumed, or may do so."""
        return match in self._matches if self._known else True

    def hold(self, spectator: Follower, match: int) -> None:
        """Hold a spectator's request until the match is resumed or void."""
        self._held[match].add(spectator)

    def held(self) -> set[int]:
        """Return the matches of all held requests."""
        return set(self._held)

    def drop(self, spectator: Follower, match: int) -> None:
        """Remove a held request."""
        self._held[match].discard(spectator)
        if not self._held[match]:
            del self._held[match]

    def expect(self, match: int) -> None:
        """Add a match that waits to be resumed."""
        self._matches.add(match)

    def known(self) -> None:
        """Mark the set of waiting matches as complete, and answer held requests for other matches."""
        self._known = True
        for match in self._held.keys() - self._matches:
            self._settle(match)

    def settle(self, match: int) -> None:
        """Mark a match as resumed or void, and answer the held requests to follow it."""
        self._matches.discard(match)
        self._settle(match)

    def _settle(self, match: int) -> None:
        for spectator in self._held.pop(match, ()):
            spectator.settled(match)
