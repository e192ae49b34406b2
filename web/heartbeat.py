# SPDX-License-Identifier: GPL-3.0-or-later
"""WebSocket heartbeat: pings that measure the round-trip time and detect dead peers."""

import asyncio
import secrets
from collections.abc import Callable

from aiohttp import web


class Heartbeat:
    """Pings a socket in regular intervals and disconnects a peer that has been silent for too long."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        has_room: Callable[[], bool],
        dead: Callable[[], None],
        *,
        period: float,
        patience: float,
        measured: Callable[[float], None] | None = None,
    ) -> None:
        """Ping every ``period`` seconds, the first time at once, and pass round-trip times in seconds to ``measured``.
        Without ``measured``, ping only after ``period`` seconds of silence. Call ``dead`` after ``patience`` seconds of
        silence. Skip a ping if ``has_room`` returns False, because the peer reads too slowly.
        """
        self._socket = socket
        self._has_room = has_room
        self._dead = dead
        self._period = period
        self._patience = patience
        self._measured = measured
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        """Time of the last frame from the peer."""
        self._pinged = 0.0
        self._sent: dict[bytes, float] = {}
        """Send times of unanswered pings, oldest first."""
        if measured is not None:
            self._ping()
        self._timer = self._loop.call_at(self._due(), self._wake, self._due())

    def heard(self) -> None:
        """Record that the peer sent a frame."""
        self._heard = self._loop.time()

    def pong(self, payload: bytes) -> None:
        """Handle a pong; ignore one that answers no ping."""
        if payload not in self._sent:
            return
        sent = self._sent.pop(payload)
        # pongs come in order, and a peer may answer only the newest ping (RFC 6455, section 5.5.3)
        self._sent = {other: at for other, at in self._sent.items() if at > sent}
        if self._measured is not None:
            self._measured(self._loop.time() - sent)

    def stop(self) -> None:
        """Stop pinging."""
        self._timer.cancel()

    def _due(self) -> float:
        last = self._pinged if self._measured is not None else max(self._heard, self._pinged)
        return min(last + self._period, self._heard + self._patience)

    def _wake(self, due: float) -> None:
        now = self._loop.time()
        if now - due > HELD_UP:
            # the server was blocked or suspended: frames that the peer sent meanwhile are still unread
            self._heard = max(self._heard, now - self._patience + HELD_UP)
        if now >= self._heard + self._patience:
            self._dead()
            return
        if now >= self._due():
            self._ping()
        self._timer = self._loop.call_at(self._due(), self._wake, self._due())

    def _ping(self) -> None:
        self._pinged = self._loop.time()
        if not self._has_room():
            return
        payload = secrets.token_bytes(8)
        sending = self._socket.ping(payload)
        try:
            sending.send(None)
        except StopIteration:
            self._sent[payload] = self._pinged
        except ConnectionError:
            pass  # the reading side notices as well
        else:
            raise RuntimeError("a ping had to wait although the buffer has room")


HELD_UP = 1.0
"""If a timer is later than this, in seconds, the server was blocked; peers then get this much time."""
