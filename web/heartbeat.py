# SPDX-License-Identifier: GPL-3.0-or-later
"""Pings to one peer: how long the way to it and back takes, and whether it is there at all."""

import asyncio
import secrets
from collections.abc import Callable

from aiohttp import web


class Heartbeat:
    """Pings a socket in regular intervals, and cuts off a peer that has been silent for too long."""

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
        """Ping every ``period`` seconds and tell ``measured`` the round trips in seconds, the first at once; without
        it, ping only after a silence of ``period``. ``dead`` is called after a silence of ``patience``. A ping is left
        out where ``has_room`` says that the peer is behind with reading.
        """
        self._socket = socket
        self._has_room = has_room
        self._dead = dead
        self._period = period
        self._patience = patience
        self._measured = measured
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        """When the peer was heard last."""
        self._pinged = 0.0
        self._sent: dict[bytes, float] = {}
        """When each ping that is unanswered was sent, the oldest first."""
        if measured is not None:
            self._ping()
        self._timer = self._loop.call_at(self._due(), self._wake, self._due())

    def heard(self) -> None:
        """Note that something came from the peer."""
        self._heard = self._loop.time()

    def pong(self, payload: bytes) -> None:
        """Take in a pong; one that answers no ping counts for nothing."""
        if payload not in self._sent:
            return
        sent = self._sent.pop(payload)
        # pongs come in order, and a peer may answer the newest ping alone (RFC 6455, section 5.5.3)
        self._sent = {other: at for other, at in self._sent.items() if at > sent}
        if self._measured is not None:
            self._measured(self._loop.time() - sent)

    def stop(self) -> None:
        """Ping no more."""
        self._timer.cancel()

    def _due(self) -> float:
        last = self._pinged if self._measured is not None else max(self._heard, self._pinged)
        return min(last + self._period, self._heard + self._patience)

    def _wake(self, due: float) -> None:
        now = self._loop.time()
        if now - due > HELD_UP:
            # the arena was held up or suspended: what the peer has sent meanwhile is still to be read
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
            raise RuntimeError("a ping for which there is room had to wait")


HELD_UP = 1.0
"""Seconds by which a timer is late when peers could not be read, and that they are given then."""
