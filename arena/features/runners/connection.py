# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena's side of the socket of one runner: frames in and out, silence and floods. No I/O."""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
import structlog

from arena.connections.limits import RateLimits
from arena.features.runners.rows import RunnerRow
from arena.protocol.errors import CloseCode
from arena.protocol.runner_messages import FromRunner, ToRunner

log = structlog.get_logger("arena.runners")

RATE, BURST = 50.0, 400
"""Messages of a runner in a second, and at once: a beat is one in a second, and matches end."""
FRAMES = 200
"""Frames that may wait for a runner that reads slowly."""

HELD_UP = 1.0
"""Seconds by which a timer is late only when the server was held up."""

_decoder: Final = msgspec.json.Decoder(FromRunner)


class RunnerConnection:
    """The socket of a runner, as ``web.sockets`` carries it (``SocketSession``)."""

    bounded = False
    known = True
    """A runner is identified by its token before its socket opens."""
    stir: Callable[[], None] = staticmethod(lambda: None)
    vouched: Callable[[], None] = staticmethod(lambda: None)

    def __init__(
        self,
        row: RunnerRow,
        address: str,
        silence: float,
        heard: "Callable[[RunnerConnection, FromRunner], None]",
        gone: "Callable[[RunnerConnection], None]",
    ) -> None:
        """``silence``: seconds without a message after which the runner is lost; ``heard``: called with each message;
        ``gone``: called once at the end.
        """
        self.row = row
        self.address = address
        self.close_code: CloseCode | None = None
        self.close_reason = ""
        self.over = False
        self._heard = heard
        self._tell_gone: Callable[[RunnerConnection], None] | None = gone
        self._silence = silence
        self._frames: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._budget: RateLimits[str] = RateLimits(RATE, BURST)
        self._wait()

    def receive(self, frame: str | bytes) -> None:
        """Handle a frame of the runner. Never raises: an invalid frame ends the connection."""
        if self.over:
            return
        if not self._budget.take("", self._loop.time()):
            self.flood()
            return
        self._timer.cancel()
        self._wait()
        try:
            self._heard(self, _decoder.decode(frame))
        except msgspec.DecodeError as error:
            self.end(CloseCode.BAD_MESSAGES, f"invalid message: {error}")
        except Exception:
            log.exception("failed to handle a message of a runner", runner=self.row.name)
            self.end(CloseCode.INTERNAL_ERROR, "internal error while handling a message")

    def send(self, message: ToRunner) -> None:
        """Queue a message; a runner that reads too slowly is disconnected."""
        if self.over:
            return
        if len(self._frames) >= FRAMES:
            self.end(CloseCode.TOO_SLOW, "the runner reads messages too slowly", drop=True)
            return
        self._frames.append(msgspec.json.encode(message).decode())
        self.stir()

    def next_frame(self) -> str | None:
        """Return the next frame to send, if there is one."""
        return self._frames.pop(0) if self._frames else None

    def flood(self) -> None:
        """End the connection of a runner that sends too much."""
        self.end(CloseCode.FLOODING, "too many messages")

    def end(self, code: CloseCode, reason: str, *, drop: bool = False) -> None:
        """Close the socket after all frames are sent, or drop them."""
        if drop:
            self._frames.clear()
        if not self.over:
            self.over = True
            self.close_code, self.close_reason = code, reason
            self._leave()
            self.stir()

    def lost(self) -> None:
        """Handle the loss of the socket."""
        self.over = True
        self._leave()

    def _wait(self) -> None:
        due = self._loop.time() + self._silence
        self._timer = self._loop.call_at(due, self._silent, due)

    def _silent(self, due: float) -> None:
        if self._loop.time() - due > HELD_UP:
            self._wait()  # the server was held up: what the runner sent meanwhile is still unread
            return
        self.end(CloseCode.TOO_SLOW, f"silent for {self._silence:g} s", drop=True)

    def _leave(self) -> None:
        self._timer.cancel()
        if self._tell_gone is not None:
            tell, self._tell_gone = self._tell_gone, None
            tell(self)
