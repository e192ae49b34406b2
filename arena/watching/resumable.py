# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches that wait to be resumed after a restart, and who asked to follow them meanwhile."""

from collections import defaultdict
from typing import Protocol


class Follower(Protocol):
    """Who asked to follow a match that waits to be resumed."""

    def settled(self, match: int) -> None:
        """Ask again: the match is resumed now, or it never will be."""


class Resumable:
    """Matches that a restart left and that wait to be resumed, and the spectators who asked to follow one of them.

    Until ``known`` is called nobody can tell which matches those are: then every match may be one.
    """

    def __init__(self) -> None:
        self._matches: set[int] = set()
        self._known = False
        self._held: defaultdict[int, set[Follower]] = defaultdict(set)

    def waits(self, match: int) -> bool:
        """Tell whether a match waits to be resumed, as far as that is known."""
        return match in self._matches if self._known else True

    def hold(self, spectator: Follower, match: int) -> None:
        """Keep a spectator's request to follow a match until the match is resumed, or never will be."""
        self._held[match].add(spectator)

    def drop(self, spectator: Follower, match: int) -> None:
        """Keep it no longer."""
        self._held[match].discard(spectator)
        if not self._held[match]:
            del self._held[match]

    def expect(self, match: int) -> None:
        """Note a match that waits to be resumed."""
        self._matches.add(match)

    def known(self) -> None:
        """Note that all matches that wait to be resumed are known; requests to follow other matches are answered."""
        self._known = True
        for match in self._held.keys() - self._matches:
            self._settle(match)

    def settle(self, match: int) -> None:
        """Note that a match is resumed, or never will be; requests to follow it are answered."""
        self._matches.discard(match)
        self._settle(match)

    def _settle(self, match: int) -> None:
        for spectator in self._held.pop(match, ()):
            spectator.settled(match)
