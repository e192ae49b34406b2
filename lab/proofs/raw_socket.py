# SPDX-License-Identifier: GPL-3.0-or-later
"""A WebSocket client that keeps no rule it is not told to keep: frames as bytes, written and read one by one."""

import asyncio
import json
import os
import struct
from dataclasses import dataclass
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


class RawSocket:
    """An open connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int, path: str, address: str = "127.0.0.1") -> Self:
        """Connect from an address of this machine and shake hands."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22, local_addr=(address, 0))
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
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
        """Send a message over and over until the peer has enough; returns how it ended."""
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
