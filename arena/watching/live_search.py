# SPDX-License-Identifier: GPL-3.0-or-later
"""The running search of the side to move, as spectators see it: the newest info, at most four times a second."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from arena.matches.search_info import cut
from arena.protocol.codec import encode
from arena.protocol.messages import Expected, Info
from arena.protocol.watching import LiveThinking

INTERVAL = 0.25
"""Seconds between two infos that spectators see."""


@dataclass(frozen=True, slots=True)
class Thought:
    """Search info about a position."""

    ply: int
    seat: int
    info: Info


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
        self.version += 1
        self._show()

    def frame(self, match: int, draw: Callable[[list[str]], tuple[list[str], list[int]]]) -> str:
        """Return the message with the newest thought, encoded once for all spectators. ``draw`` returns the legal moves
        of a principal variation in the usual notation, and the squares of the first.
        """
        if self._frame is None or self._frame[0] != self.version:
            assert self.newest is not None
            kept, _ = cut(self.newest.info)
            info = Info(
                score=kept.score,
                depth=kept.depth,
                nodes=kept.nodes,
                pv=list(kept.pv),
                expected=[Expected(one.move, one.probability) for one in kept.expected],
            )
            line, squares = draw(info.pv)
            message = LiveThinking(match, self.newest.ply, self.newest.seat, info, line, squares)
            self._frame = self.version, encode(message)
        return self._frame[1]
