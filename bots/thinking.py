# SPDX-License-Identifier: MIT
"""Search info while the clock runs: a bot calls ``think``, and spectators see the newest info.

It costs nothing in local matches, and little in an arena: at most four messages per second are sent, and only the info
of these is made.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from arena.protocol import codec
from arena.protocol import messages as wire
from bots.bot import Reply, Turn

log = logging.getLogger(__name__)

INTERVAL = 0.25
"""Seconds between two messages; the arena drops what comes faster."""

SoFar: TypeAlias = Reply | Callable[[], Reply]


def think(turn: Turn, so_far: SoFar) -> None:
    """Show spectators the search of a turn: the reply that the bot would give now, or a function that returns it.

    Call it as often as you like, from any thread, in ``move``. The newest info replaces the others; the function is
    called only for those that are sent, from another thread. ``turn.watched`` says whether spectators would see it.
    """
    telling = _telling.get(id(turn))
    if telling is not None:
        telling.put(so_far)


class Telling:
    """Sends the newest search info of one turn."""

    def __init__(self, turn: Turn, send: Callable[[wire.Thinking], None]) -> None:
        """``send`` is called on the event loop that runs now."""
        self._turn = turn
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._newest: SoFar | None = None
        self._waits = False
        """Whether the event loop will send the newest info."""
        self._due = 0.0
        self._closed = False

    def put(self, so_far: SoFar) -> None:
        """Take the newest info. May be called from any thread."""
        self._newest = so_far
        if self._waits or self._closed:
            return
        self._waits = True
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._send_newest)

    def close(self) -> None:
        """Send nothing more: the turn is over."""
        self._closed = True

    def _send_newest(self) -> None:
        if self._closed:
            return
        wait = self._due - time.monotonic()
        if wait > 0:
            self._loop.call_later(wait, self._send_newest)
            return
        self._waits = False
        so_far, self._newest = self._newest, None
        self._due = time.monotonic() + INTERVAL
        try:
            info = None if so_far is None else (so_far if isinstance(so_far, Reply) else so_far()).info
            if info is not None:
                message = wire.Thinking(self._turn.match, self._turn.ply, info)
                # a message that the arena would refuse is the bot's error, and must not cost the match
                codec.from_bot(codec.encode(message))
                self._send(message)
        except Exception:
            log.exception("match %d: the search info cannot be sent", self._turn.match)
            self.close()


_telling: dict[int, Telling] = {}
"""The sender of the search info of each turn, by the turn's identity."""


@contextlib.contextmanager
def telling(turn: Turn, send: Callable[[wire.Thinking], None]) -> Iterator[None]:
    """Send the search info of a turn until the context ends."""
    made = _telling[id(turn)] = Telling(turn, send)
    try:
        yield
    finally:
        made.close()
        del _telling[id(turn)]
