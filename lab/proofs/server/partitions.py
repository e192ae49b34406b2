# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection from a node to a service that can be cut: nothing passes, and neither side gets an error."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Way:
    """Passes the bytes of all connections on, unless it is cut; once mended, connections of before are reset."""

    def __init__(self, target: Callable[[], Awaitable[Ends]], path: Path | None = None) -> None:
        """``target`` opens a connection to the service; ``path``: the Unix socket to listen at, None: a TCP port."""
        self._target = target
        self._path = path
        self._whole = asyncio.Event()
        self._whole.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        if self._path is None:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        else:
            self._server = await asyncio.start_unix_server(self._accept, self._path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._reset()

    @property
    def port(self) -> int:
        """The TCP port where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Let nothing pass from now on."""
        self._whole.clear()

    async def mend(self) -> None:
        """Reset what stood still, and let new connections pass."""
        await self._reset()
        self._whole.set()

    async def _reset(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        try:
            await self._whole.wait()
            with suppress(OSError):
                inner_reader, inner_writer = await self._target()
                writers.append(inner_writer)
                ways = [
                    asyncio.create_task(self._pass(reader, inner_writer)),
                    asyncio.create_task(self._pass(inner_reader, writer)),
                ]
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for way in ways:
                        way.cancel()
        finally:
            for each in writers:
                each.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
