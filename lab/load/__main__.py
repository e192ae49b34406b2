# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m lab.load``: one process of clients; see ``lab.load``."""

import asyncio
import sys
from collections.abc import Callable

import msgspec
from aiohttp import ClientSession, TCPConnector

from lab.load.jobs import Job, LoadCounts, WatchersJob
from lab.load.players import Players
from lab.load.watchers import Watchers


async def work(job: Job) -> None:
    """Do a job; each line on standard input ends a stage of it, and the end of the input ends it at once."""
    async with ClientSession(connector=TCPConnector(limit=0)) as http:
        clients = Watchers(job, http) if isinstance(job, WatchersJob) else Players(job, http)
        await clients.start()
        print("ready", flush=True)
        if await _line():
            clients.report = LoadCounts()
            if await _line():
                print(msgspec.json.encode(clients.report).decode(), flush=True)
        await clients.stop()


async def _line() -> str:
    return await asyncio.to_thread(sys.stdin.readline)


def main() -> None:
    """Read the job and do it."""
    job = msgspec.json.decode(sys.stdin.readline(), type=Job)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(work(job))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


main()
