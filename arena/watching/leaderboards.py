# SPDX-License-Identifier: GPL-3.0-or-later
"""Followers of leaderboards: notified when new ratings can be read, at most once a second for each leaderboard."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog

PAUSE = 1.0
"""Minimum seconds between two notifications about a leaderboard."""

BoardKey = tuple[str, str]
"""A game and a time class."""

log = structlog.get_logger(__name__)


class Follower(Protocol):
    """A spectator that follows a leaderboard."""

    @property
    def stir(self) -> Callable[[], None]:
        """Called when there is news."""


@dataclass(eq=False, slots=True)
class _Followed:
    """A leaderboard that spectators follow."""

    followers: set[Follower] = field(default_factory=set)
    matches: int | None = None
    """Number of rated matches behind the newest ratings; None before the first computation."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a match of any game has ended."""
    task: asyncio.Task[None] | None = None


async def _no_ratings(game: str, time_class: str) -> int:
    return 0


class Leaderboards:
    """The followed leaderboards. Nothing is computed for leaderboards without followers."""

    def __init__(self) -> None:
        self.rated: Callable[[str, str], Awaitable[int]] = _no_ratings
        """Wait until the newest ratings of a leaderboard are computed; return the number of rated matches in them. Set
        by the arena."""
        self.offers: Callable[[str], bool] = lambda game: True
        """Return whether the arena offers a game. Set by the arena."""
        self.pause = PAUSE
        self._boards: dict[BoardKey, _Followed] = {}

    def matches(self, key: BoardKey) -> int | None:
        """Return the number of rated matches behind the newest ratings; None if it is not known yet."""
        board = self._boards.get(key)
        return None if board is None else board.matches

    def follow(self, follower: Follower, key: BoardKey) -> None:
        """Add a follower."""
        board = self._boards.get(key)
        if board is None:
            board = self._boards[key] = _Followed()
            board.task = asyncio.create_task(self._watch(key, board), name=f"leaderboard of {key[0]}, {key[1]}")
        board.followers.add(follower)

    def unfollow(self, follower: Follower, key: BoardKey) -> None:
        """Remove a follower."""
        board = self._boards[key]
        board.followers.discard(follower)
        if not board.followers:
            del self._boards[key]
            if board.task is not None:
                board.task.cancel()

    def match_over(self) -> None:
        """Note that a match has ended, whose result may change ratings."""
        for board in self._boards.values():
            board.ended.set()

    async def _watch(self, key: BoardKey, board: _Followed) -> None:
        while True:
            board.ended.clear()
            try:
                matches: int | None = await self.rated(*key)
            except Exception:
                log.exception("the ratings of a followed leaderboard cannot be computed", game=key[0])
                matches = board.matches  # the next match is the next attempt
            if matches != board.matches:
                board.matches = matches
                for follower in tuple(board.followers):
                    follower.stir()
            await board.ended.wait()
            await asyncio.sleep(self.pause)
