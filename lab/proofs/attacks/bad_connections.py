# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections that break rules: a WebSocket client that writes any frame, and a TCP proxy with faults."""

import asyncio
import json
import os
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Any, Self

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame as it came."""

    opcode: int
    payload: bytes
    final: bool = True

    @property
    def code(self) -> int:
        """Of a close frame; 1005 where it says none."""
        return int.from_bytes(self.payload[:2], "big") if len(self.payload) >= 2 else 1005


def frame(opcode: int, payload: bytes = b"", *, final: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    """Return a frame's bytes."""
    first = (0x80 if final else 0) | reserved << 4 | opcode
    mask = os.urandom(4) if masked else b""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", first, size | 0x80 * masked)
    elif size < 65_536:
        head = struct.pack("!BBH", first, 126 | 0x80 * masked, size)
    else:
        head = struct.pack("!BBQ", first, 127 | 0x80 * masked, size)
    if masked:
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        payload = (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")
    return head + mask + payload


def handshake(port: int, path: str) -> bytes:
    """Return the request that opens a WebSocket."""
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


class RawSocket:
    """An open connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int, path: str, address: str = "127.0.0.1") -> Self:
        """Connect from an address of this machine and shake hands."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22, local_addr=(address, 0))
        writer.write(handshake(port, path))
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 101"), head
        except BaseException:
            writer.transport.abort()
            raise
        return cls(reader, writer)

    async def say(self, **message: Any) -> None:
        """Send a message."""
        self.writer.write(frame(TEXT, json.dumps(message).encode()))
        await self.writer.drain()

    async def hear(self, kind: str) -> dict[str, Any]:
        """Return the next message of a type."""
        while True:
            heard = await self.read()
            if heard.opcode == PING:
                self.writer.write(frame(PONG, heard.payload))
                continue
            assert heard.opcode == TEXT, heard
            message: dict[str, Any] = json.loads(heard.payload)
            if message["type"] == kind:
                return message

    async def read(self) -> Frame:
        """Return the next frame; raises IncompleteReadError or ConnectionError where there is none any more."""
        first, second = await self.reader.readexactly(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        return Frame(first & 0x0F, await self.reader.readexactly(size), bool(first & 0x80))

    async def closed(self) -> int | None:
        """Read until the end; returns the code of the close frame, None when there was none."""
        try:
            while True:
                heard = await self.read()
                if heard.opcode == CLOSE:
                    self.writer.close()
                    return heard.code
        except (asyncio.IncompleteReadError, ConnectionError):
            self.writer.transport.abort()
            return None

    async def press(self, message: dict[str, Any], *, reading: bool) -> str:
        """Send a message again and again until the peer closes; returns the end."""
        sent = frame(TEXT, json.dumps(message).encode())
        end = asyncio.create_task(self.closed()) if reading else None
        try:
            for _ in range(100_000):
                self.writer.write(sent)
                async with asyncio.timeout(30):
                    await self.writer.drain()
                await asyncio.sleep(0)
                if end is not None and end.done():
                    break
        except (ConnectionError, TimeoutError):
            pass
        code = await (end or self.closed())
        return "reset" if code is None else f"ended with {code}"

    async def hang_up(self) -> None:
        """Close as one should."""
        self.writer.write(frame(CLOSE, struct.pack("!H", 1000)))
        await self.closed()

    def abort(self) -> None:
        """Reset the connection."""
        self.writer.transport.abort()


# ---------------------------------------------------------------- a proxy with faults


@dataclass(frozen=True, slots=True)
class Fault:
    """The faults of one connection; by default none."""

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
    """A proxy before a server, which asks for the faults of each new connection."""

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
        """Leave all connections half open: the clients vanish without closing, and the server does not notice."""
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
    """Return when both directions have ended, one was reset, or the proxy stopped passing bytes."""
    left = set(ways)
    while left and not silence.done():
        done, _ = await asyncio.wait({*left, silence}, return_when=asyncio.FIRST_COMPLETED)
        if any(task.exception() for task in done):
            return
        left -= done
    for way in left:
        way.cancel()
