# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurement of the bus under bursts: many frames at once, each to another client, as a busy node sends them.

A cluster of three nodes makes few frames, and each of them wakes the bus. This tells what a frame costs when it comes
together with others.
"""

import asyncio
from contextlib import AsyncExitStack

from arena.cli.support.output import say_error
from lab.simulation.clusters import cpu
from lab.simulation.costs import Burst
from tests import nats

CLIENTS = 20
SIZE = 400
"""Bytes of a frame, about those of a turn."""

PAUSE = 0.004
"""Seconds between two bursts."""

SECONDS = 8.0


async def flood(frames: int) -> Burst:
    """Send bursts of ``frames`` frames, each to another client, and return what that costs the bus."""
    async with AsyncExitStack() as stack:
        bus = stack.enter_context(nats.running())
        for number in range(CLIENTS):
            reader, writer = await _connected(bus.port)
            writer.write(f"SUB burst.{number} 1\r\n".encode())
            drain = asyncio.create_task(_drain(reader))
            stack.callback(drain.cancel)
            stack.callback(writer.close)
        reader, writer = await _connected(bus.port)
        stack.callback(writer.close)
        payload = bytes(SIZE)
        burst = b"".join(b"PUB burst.%d %d\r\n%b\r\n" % (number, SIZE, payload) for number in range(frames))
        await asyncio.sleep(1)
        loop = asyncio.get_running_loop()
        before, began, count = cpu(bus.pid), loop.time(), 0
        while loop.time() - began < SECONDS:
            writer.write(burst)
            count += 1
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(0.2)
        used, seconds = cpu(bus.pid) - before, loop.time() - began
    found = Burst(frames, count / seconds, used / seconds)
    say_error(f"bus: {found.bursts:.0f} bursts of {frames} frames a second: {found.use:.3f}")
    return found


async def _connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reader.readline()
    writer.write(b'CONNECT {"verbose":false,"pedantic":false}\r\n')
    return reader, writer


async def _drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass
