# SPDX-License-Identifier: GPL-3.0-or-later
"""A TCP proxy that does to connections what networks do: delay, drop, cut, leave half open, let later ones overtake."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Fault:
    """What befalls one connection; by default nothing."""

    delay: float = 0.0
    """Seconds that each piece takes, either way."""
    jitter: float = 0.0
    """Seconds that chance adds; pieces keep their order."""
    piece: int = 65_536
    """Bytes that are passed on at once."""
    cut_after: int | None = None
    """Bytes from the client after which both sides are reset, in the middle of whatever it was."""
    drop_after: int | None = None
    """Bytes from the client after which nothing passes any more, though both sides stay open."""
    held: float = 0.0
    """Seconds before the first byte is passed on, so that connections made later come first."""


class Proxy:
    """Stands before a server; what befalls each connection is asked for as it comes."""

    def __init__(self, port: int, fault: Callable[[int], Fault]) -> None:
        """``fault`` is asked with the connection's number, from 0."""
        self.connections = 0
        self._port = port
        self._fault = fault
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._random = Random(port)
        self._silent = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # the transports close in the loop's next round

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def fall_silent(self) -> None:
        """Leave all connections half open: the clients are gone without a word, and the server is told nothing."""
        self._silent.set()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fault = self._fault(self.connections)
        self.connections += 1
        task = asyncio.create_task(self._carry(fault, reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, fault: Fault, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(fault.held)
        ends = [writer]
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._port)
            ends.append(inner_writer)
            ways = [
                asyncio.create_task(self._pass(reader, inner_writer, fault, forth=True)),
                asyncio.create_task(self._pass(inner_reader, writer, fault, forth=False)),
            ]
            silence = asyncio.create_task(self._silent.wait())
            try:
                await _until_one_fails(ways, silence)
                if self._silent.is_set():
                    writer.transport.abort()
                    await asyncio.sleep(3600)
            finally:
                for task in (*ways, silence):
                    task.cancel()
        except OSError:
            pass
        finally:
            for end in ends:
                end.transport.abort()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: Fault, *, forth: bool
    ) -> None:
        """Pass bytes on one way until the end; raises ConnectionResetError when the connection shall be cut."""
        passed = 0
        while data := await reader.read(fault.piece):
            passed += len(data)
            if forth and fault.cut_after is not None and passed > fault.cut_after:
                raise ConnectionResetError
            if forth and fault.drop_after is not None and passed > fault.drop_after:
                await asyncio.sleep(3600)
            wait = fault.delay + self._random.random() * fault.jitter
            if wait:
                await asyncio.sleep(wait)
            writer.write(data)
            await writer.drain()
        with suppress(OSError):
            writer.write_eof()


async def _until_one_fails(ways: Sequence[asyncio.Task[None]], silence: asyncio.Task[bool]) -> None:
    """Return when both ways have come to their end, one was cut, or silence fell."""
    left = set(ways)
    while left and not silence.done():
        done, _ = await asyncio.wait({*left, silence}, return_when=asyncio.FIRST_COMPLETED)
        if any(task.exception() for task in done):
            return
        left -= done
    for way in left:
        way.cancel()
