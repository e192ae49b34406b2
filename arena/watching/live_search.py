# SPDX-License-Identifier: GPL-3.0-or-later
"""The running search of the side to move, as spectators see it: when its turn began, then the newest info, at most four
times a second.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from arena.matches.search_info import cut
from arena.protocol.codec import encode
from arena.protocol.messages import Info
from arena.protocol.watching import LiveThinking
from engine.match.events import Info as Reported

INTERVAL = 0.25
"""Seconds between two infos that spectators see."""


@dataclass(frozen=True, slots=True)
class Thought:
    """Search info about a position; an empty one at the beginning of a turn."""

    ply: int
    seat: int
    info: Info
    began: float
    """When the turn began, in seconds of the loop's clock."""
    at: float
    """When the info came."""


class LiveSearch:
    """The newest thought in one match. It exists while spectators want it, so other matches have no work with it."""

    def __init__(self, show: Callable[[], None]) -> None:
        """``show``: called when there is a new thought for spectators."""
        self.watchers = 0
        self.version = 0
        """Increases with each thought that spectators see."""
        self.newest: Thought | None = None
        self._show = show
        self._loop = asyncio.get_running_loop()
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._frame: tuple[int, str] | None = None
        """The version of the encoded message, and the message."""

    def begin(self, ply: int, seat: int, began: float) -> None:
        """Take the beginning of a turn, which delays no info."""
        self.newest = Thought(ply, seat, Info(), began, began)
        if self._timer is None:
            self._tell()

    def put(self, thought: Thought) -> None:
        """Take a thought; a newer one before it is shown replaces it."""
        self.newest = thought
        if self._timer is None:
            wait = self._due - self._loop.time()
            if wait > 0:
                self._timer = self._loop.call_later(wait, self._publish)
            else:
                self._publish()

    def close(self) -> None:
        """Show nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _publish(self) -> None:
        self._timer = None
        self._due = self._loop.time() + INTERVAL
        self._tell()

    def _tell(self) -> None:
        self.version += 1
        self._show()

    def frame(self, match: int, draw: Callable[[Reported], tuple[Info, list[str], list[int]]], *, first: bool) -> str:
        """Return the message with the newest thought.

        ``first``: whether it is the spectator's first message, which is encoded with its present age; all other
        spectators share one encoded message. ``draw`` returns the info as spectators see it, the legal moves of its
        principal variation in the usual notation, and the squares of the first of them.
        """
        if first or self._frame is None or self._frame[0] != self.version:
            newest = self.newest
            assert newest is not None
            kept, _ = cut(newest.info)
            info, line, squares = draw(kept)
            times = [round(1000 * span) for span in (newest.at - newest.began, self._loop.time() - newest.at)]
            self._frame = (
                self.version,
                encode(LiveThinking(match, newest.ply, newest.seat, info, line, squares, *times)),
            )
        return self._frame[1]
