# SPDX-License-Identifier: GPL-3.0-or-later
"""The listening socket: an address that opens too many connections is refused before anything is made for them.

To make a connection's objects takes ten times as long as to close its socket, and whoever is refused comes again at
once. Event loops that cannot watch a socket, as on Windows, make every connection; it is refused a little later then.
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
from web.strangers import STRANGERS, Strangers

AT_ONCE = 32
"""Connections that are accepted in one round of the event loop at most."""

REST = 0.02
"""Seconds for which none is accepted after one was refused: those who come again at once wait in the system's queue,
which costs the event loop nothing.
"""

PAUSE = 1.0
"""Seconds until connections are accepted again where the system has no room for more."""

_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

_RESET = struct.pack("ii", 1, 0)
"""Close at once, without a word, and keep nothing."""


class IntakeSite(web.SockSite):
    """Serves the connections of a listening socket, for a runner that counts their bytes."""

    __slots__ = ("_strangers",)

    def __init__(self, runner: web.AppRunner, listener: socket.socket, *, backlog: int = 512) -> None:
        """``runner``: one that was set up; ``backlog``: connections that may wait to be accepted."""
        super().__init__(runner, listener, backlog=backlog)
        self._strangers = runner.app[STRANGERS]

    async def start(self) -> None:
        """Begin to accept connections."""
        server = self._runner.server
        assert isinstance(server, IntakeServer)
        self._sock.setblocking(False)
        self._sock.listen(self._backlog)
        accepting = _Accepting(self._sock, server.admitted, self._strangers)
        try:
            accepting.resume()
        except NotImplementedError:
            await super().start()
        else:
            await web.BaseSite.start(self)
            self._server = cast(asyncio.AbstractServer, accepting)


class _Accepting:
    """Accepts connections until it is closed: as much of ``asyncio.AbstractServer`` as aiohttp asks of it."""

    def __init__(self, listener: socket.socket, make: Callable[[], asyncio.Protocol], strangers: Strangers) -> None:
        self._listener = listener
        self._make = make
        self._strangers = strangers
        self._loop = asyncio.get_running_loop()
        self._opening: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """Where it listens."""
        return () if self._closed else (self._listener,)

    def resume(self) -> None:
        """Accept connections from now on. Raises NotImplementedError where the event loop cannot tell of them."""
        if not self._closed:
            self._loop.add_reader(self._listener.fileno(), self._accept)

    def close(self) -> None:
        """Accept no more."""
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._listener.fileno())
            self._listener.close()
            for task in self._opening:
                task.cancel()

    async def wait_closed(self) -> None:
        """Wait for nothing: what was accepted is the runner's."""

    def _accept(self) -> None:
        refused = False
        for _ in range(AT_ONCE):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                break
            except ConnectionError:
                continue  # it is gone already
            except OSError as error:
                self._loop.call_exception_handler({"message": "a connection was not accepted", "exception": error})
                if error.errno in _NO_ROOM:
                    self._rest(PAUSE)
                return
            if not self._strangers.admits(address):
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
        except OSError:  # it is gone already
            connection.close()
        except BaseException:
            connection.close()
            raise

    def _rest(self, seconds: float) -> None:
        """Accept none for a while."""
        self._loop.remove_reader(self._listener.fileno())
        self._loop.call_later(seconds, self.resume)


def _refuse(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    connection.close()
