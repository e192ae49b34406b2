# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the processes that a server has started live on after it is killed (SIGKILL)

Measured in three states: while they compile, while they play and breed and verify, and while they are suspended.
"""

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

from lab.bench.measurements import Measurement, Skipped
from tests.end_to_end.server import Server
from tests.end_to_end.test_orphans import SETTLED, all_started, compiling, living

PATIENCE = 900.0
"""Seconds to reach a state."""
MOST = 5.0
"""Seconds that are promised."""
GIVEN_UP = 60.0


async def _compile(folder: Path) -> tuple[Server, list[int]]:
    """Return a server and its processes while they compile."""
    server = Server(folder, "--games=checkers", environment={"NUMBA_CACHE_DIR": str(folder / "kernels")})
    await server.start()
    processes = await all_started(server, "engine.warm", "bots.built_in.process")
    while not any(map(compiling, processes)):  # noqa: ASYNC110  # nothing tells when they compile
        await asyncio.sleep(0.1)
    return server, list(processes)


async def _play(folder: Path) -> tuple[Server, list[int]]:
    """Return a server and its processes while they play and breed."""
    server = Server(folder, *SETTLED, "--breeding=checkers", "--breeding-pace=0.1")
    await server.start()
    processes = await all_started(server, "bots.built_in.process", "bots.built_in.process", "bots.evolution.process")
    while not (await server.get("/api/v1/populations"))["items"]:  # noqa: ASYNC110  # another process makes it
        await asyncio.sleep(0.1)
    return server, list(processes)


async def _suspended(folder: Path) -> tuple[Server, list[int]]:
    """Return a server and its processes, all of them suspended."""
    server, processes = await _play(folder)
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    return server, processes


async def _measure(state: Callable[[Path], Awaitable[tuple[Server, list[int]]]]) -> tuple[float, int]:
    """Kill a server in a state; return the seconds until its processes have ended, and how many there were."""
    with tempfile.TemporaryDirectory(prefix="arena-orphans-") as folder:
        async with asyncio.timeout(PATIENCE):
            server, processes = await state(Path(folder))
        try:
            began = time.monotonic()
            await server.kill()
            while living(processes) and time.monotonic() - began < GIVEN_UP:  # noqa: ASYNC110  # nothing tells it
                await asyncio.sleep(0.01)
            return time.monotonic() - began, len(processes)
        finally:
            for process in processes:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


def run() -> Iterator[Measurement]:
    """Measure each state once."""
    if not Path("/proc/self/stat").exists():
        raise Skipped("processes are found under /proc, which this system does not have")
    for name, state in (("compile", _compile), ("play and breed", _play), ("are suspended", _suspended)):
        seconds, count = asyncio.run(_measure(state))
        yield Measurement(
            what=f"children that {name}: all ended after the server was killed",
            unit="s",
            ours=seconds,
            target=MOST,
            of="figure",
            bound="at most",
            note=f"{count} processes",
        )


BENCHMARKS = {"orphans": run}
