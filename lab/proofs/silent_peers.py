# SPDX-License-Identifier: GPL-3.0-or-later
"""Attackers that take places: sockets that say nothing, tokens that nobody has, a token that comes in over and over,
and HTTP that stops halfway or idles.

Each attacker is a coroutine that runs until it is cancelled and counts into a ``Counter``: ``opened``, and how what was
opened ended: ``closed`` with a code of the WebSocket's, ``reset``, or ``refused`` with an HTTP status.

- ``silent_sockets(port, path, counts, most)``: keep so many sockets open and say nothing on them.
- ``unknown_tokens(port, counts, most)``: say hello with tokens that nobody has, so many at a time.
- ``reconnecting(port, token, counts, most)``: come in with one token over and over, so many at a time.
- ``idle_requests(port, counts, most, said)``: keep so many connections open that said ``HALF`` a request, or one and no
  other (``WHOLE``), or nothing (``NOTHING``).

``address`` is the attackers' own: any of 127.0.0.0/8 counts as another client where the system lets programs use it.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count

from arena.protocol.version import PLAY_PATH
from lab.proofs.raw_socket import CLOSE, TEXT, RawSocket, frame

LOOPBACK = "127.0.0.1"

PAUSE = 0.01
"""Seconds before a connection that ended is opened again."""

NOTHING = b""
HALF = b"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n"
WHOLE = HALF + b"\r\n"

Counts = Counter[str]

_guesses = count(1)


async def silent_sockets(port: int, path: str, counts: Counts, most: int, address: str = LOOPBACK) -> None:
    """Keep ``most`` sockets open and say nothing on them; for ever."""

    async def wait() -> None:
        await _to_its_end(await RawSocket.open(port, path, address), counts)

    await _keep(wait, counts, most)


async def unknown_tokens(port: int, counts: Counts, most: int = 10, address: str = LOOPBACK) -> None:
    """Say hello with one made-up token after another; for ever."""

    async def guess() -> None:
        socket = await RawSocket.open(port, PLAY_PATH, address)
        socket.writer.write(hello(f"guess {next(_guesses)}"))
        await _to_its_end(socket, counts)

    await _keep(guess, counts, most)


async def reconnecting(port: int, token: str, counts: Counts, most: int = 10, address: str = LOOPBACK) -> None:
    """Come in with a token over and over; for ever."""

    async def come() -> None:
        socket = await RawSocket.open(port, PLAY_PATH, address)
        try:
            socket.writer.write(hello(token))
            while (answer := await socket.read()).opcode not in (TEXT, CLOSE):
                pass
            counts["welcomed" if b'"welcome"' in answer.payload else "turned away"] += 1
        finally:
            socket.abort()

    await _keep(come, counts, most)


async def idle_requests(port: int, counts: Counts, most: int, said: bytes = HALF, address: str = LOOPBACK) -> None:
    """Keep ``most`` connections open that said so much of a request; for ever."""

    async def idle() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        try:
            writer.write(said)
            while await reader.read(65_536):
                pass
            counts["closed"] += 1
        finally:
            writer.transport.abort()

    await _keep(idle, counts, most)


def hello(token: str) -> bytes:
    """Return a bot's first message as a frame."""
    return frame(TEXT, json.dumps({"type": "hello", "protocol": 1, "token": token, "games": ["nim"]}).encode())


async def _keep(attack: Callable[[], Awaitable[None]], counts: Counts, most: int) -> None:
    """Do something ``most`` times at once, each again as soon as it ended."""

    async def again() -> None:
        while True:
            try:
                counts["opened"] += 1
                await attack()
            except AssertionError:  # the handshake was refused
                counts["refused"] += 1
            except (OSError, asyncio.IncompleteReadError):
                counts["reset"] += 1
            await asyncio.sleep(PAUSE)

    async with asyncio.TaskGroup() as group:
        for _ in range(most):
            group.create_task(again())


async def _to_its_end(socket: RawSocket, counts: Counts) -> None:
    """Read until the arena closes the socket, and close it without a word."""
    try:
        while (heard := await socket.read()).opcode != CLOSE:
            pass
        counts[f"closed with {heard.code}"] += 1
    finally:
        socket.abort()
