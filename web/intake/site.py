# SPDX-License-Identifier: GPL-3.0-or-later
"""Listening socket that refuses connections above the limit of their address before it creates objects for them.

Creating a connection's objects takes ten times as long as closing its socket, and refused clients often reconnect at
once. Event loops that cannot watch a socket, as on Windows, create every connection and refuse it afterwards.
"""

import asyncio
import contextlib
import errno
import socket
import struct
from collections.abc import Callable
from typing import Any, cast

from aiohttp import web

from web.intake.connection import IntakeServer
from web.intake.connection_limits import CONNECTION_LIMITS, ConnectionLimits

AT_ONCE = 32
"""Maximum connections accepted in one iteration of the event loop."""

REST = 0.02
"""Seconds without accepting after a refusal: clients that reconnect at once wait in the system's queue, which costs the
event loop nothing.
"""

PAUSE = 1.0
"""Seconds without accepting after the system ran out of file descriptors or memory."""

_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER value: close at once by a reset."""


class IntakeSite(web.SockSite):
    """aiohttp site that applies ``ConnectionLimits`` when it accepts connections."""

    __slots__ = ("_connection_limits",)

    def __init__(self, runner: web.AppRunner, listener: socket.socket, *, backlog: int = 512) -> None:
        """``runner``: already set up; ``backlog``: maximum connections that wait to be accepted."""
        super().__init__(runner, listener, backlog=backlog)
        self._connection_limits = runner.app[CONNECTION_LIMITS]

    async def start(self) -> None:
        """Start accepting connections."""
        server = self._runner.server
        assert isinstance(server, IntakeServer)
        self._sock.setblocking(False)
        self._sock.listen(self._backlog)
        accepting = _Accepting(self._sock, server.admitted, self._connection_limits)
        try:
            accepting.resume()
        except NotImplementedError:
            await super().start()
        else:
            await web.BaseSite.start(self)
            self._server = cast(asyncio.AbstractServer, accepting)


class _Accepting:
    """Accepts connections until it is closed; implements the part of ``asyncio.AbstractServer`` that aiohttp uses."""

    def __init__(
        self, listener: socket.socket, make: Callable[[], asyncio.Protocol], connection_limits: ConnectionLimits
    ) -> None:
        self._listener = listener
        self._make = make
        self._connection_limits = connection_limits
        self._loop = asyncio.get_running_loop()
        self._opening: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """The listening socket, until it is closed."""
        return () if self._closed else (self._listener,)

    def resume(self) -> None:
        """Accept connections from now on. Raises NotImplementedError if the event loop cannot watch sockets."""
        if not self._closed:
            self._loop.add_reader(self._listener.fileno(), self._accept)

    def close(self) -> None:
        """Stop accepting connections."""
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._listener.fileno())
            self._listener.close()
            for task in self._opening:
                task.cancel()

    async def wait_closed(self) -> None:
        """Return at once: the runner owns the accepted connections."""

    def _accept(self) -> None:
        refused = False
        for _ in range(AT_ONCE):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                break
            except ConnectionError:
                continue  # the client has disconnected
            except OSError as error:
                self._loop.call_exception_handler({"message": "failed to accept a connection", "exception": error})
                if error.errno in _NO_ROOM:
                    self._rest(PAUSE)
                return
            if not self._connection_limits.admits(address):
                _refuse(connection)
                refused = True
                continue
            connection.setblocking(False)
            task = self._loop.create_task(self._open(connection))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)
        if refused:
            self._rest(REST)

    async def _open(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, connection)
        except OSError:  # the client has disconnected
            connection.close()
        except BaseException:
            connection.close()
            raise

    def _rest(self, seconds: float) -> None:
        """Stop accepting connections for some seconds."""
        self._loop.remove_reader(self._listener.fileno())
        self._loop.call_later(seconds, self.resume)


def _refuse(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    connection.close()
