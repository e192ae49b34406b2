# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of a round trip over the bus between two bare clients: what no arrangement of nodes can save.

As a program it is the client that answers: ``python -m tests.features.cluster.round_trips URL``.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lab.processes import usage_of
from tests import nats

BODY = bytes(300)
"""About as long as what a node tells another for a move."""


class RoundTrips:
    """A bus, a client in this process, and one in another that answers each message."""

    def __init__(self, bus: nats.Nats, answering: asyncio.subprocess.Process) -> None:
        self._url = bus.url
        self._pids = [bus.pid, answering.pid]

    async def measure(self, seconds: float) -> float:
        """Return microseconds of processor time for a round trip, one after the other for so long."""
        from nats.aio.client import Client
        from nats.aio.msg import Msg

        came = asyncio.Event()

        async def hear(message: Msg) -> None:
            came.set()

        client = Client()
        await client.connect(self._url)
        await client.subscribe("answer", cb=hear)
        await client.flush()
        ends = time.monotonic() + seconds
        before = self._used()
        trips = 0
        while not trips or time.monotonic() < ends:
            came.clear()
            await client.publish("ask", BODY)
            await came.wait()
            trips += 1
        spent = self._used() - before
        await client.close()
        return 1e6 * spent / trips

    def _used(self) -> float:
        usages = map(usage_of, self._pids)
        return time.process_time() + sum(usage.cpu for usage in usages if usage is not None)


@asynccontextmanager
async def round_trips() -> AsyncIterator[RoundTrips]:
    """Run a bus and the client that answers."""
    with nats.running() as bus:
        command = [sys.executable, "-m", __name__, bus.url]
        answering = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        try:
            assert answering.stdout is not None
            assert await answering.stdout.readline(), "the client that answers did not start"
            yield RoundTrips(bus, answering)
        finally:
            answering.kill()
            await answering.wait()


async def _answer(url: str) -> None:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

    client = Client()

    async def hear(message: Msg) -> None:
        await client.publish("answer", message.data)

    await client.connect(url)
    await client.subscribe("ask", cb=hear)
    await client.flush()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_answer(sys.argv[1]))
