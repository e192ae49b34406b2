# SPDX-License-Identifier: GPL-3.0-or-later
"""The adaptive bot beside the other built-in bots of a real server: its own process has a lower priority, is started
again when it dies, and ends with the server.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.server import Server

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes under /proc")

PATIENCE = 840.0
NAME = "adaptive"
GAME = "checkers"
BOTS = ("random", "minimax-2", NAME)
"""The built-in bots: two that play games in seconds, so that there are games of them to learn from."""
OPTIONS = (
    f"--games={GAME}", f"--time-controls={GAME}=7000+60", "--learning=yes", "--built-in-move-time=0",
)  # fmt: skip


def hosts(server: int) -> list[int]:
    """Return the processes of built-in bots that a server has started, the oldest first."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(fields[1]) == server and b"bots.built_in.process" in command:
            found.append((int(fields[19]), int(folder.name)))
    return [number for _, number in sorted(found)]


async def stands_behind(server: Server, process: int, steps: int) -> None:
    """Wait until a process, which has its orders then, runs with a niceness of `steps` above the server's."""
    own = os.getpriority(os.PRIO_PROCESS, server.pid)
    while os.getpriority(os.PRIO_PROCESS, process) - own != steps:  # noqa: ASYNC110  # in another process
        await asyncio.sleep(0.05)


async def guests(server: Server, but: int = 0) -> int:
    """Return the process of the guests as soon as there is one, another than ``but``."""
    while len(found := [one for one in hosts(server.pid) if one != but]) < 2:  # noqa: ASYNC110  # in other processes
        await asyncio.sleep(0.1)
    return found[-1]


async def matches(server: Server) -> list[Any]:
    """Return the matches of the bot that learns which have ended."""
    ended = await server.all("/matches?status=finished&limit=500")
    return [one for one in ended if NAME in [player["name"] for player in one["players"]]]


async def opponent_models(server: Server) -> AsyncIterator[Any]:
    """Yield what was learned of all bots, until for ever."""
    while True:
        for bot in await server.all("/bots"):
            for item in (await server.get(f"/api/v1/bots/{bot['id']}/opponent-models"))["items"]:
                yield item
        await asyncio.sleep(0.5)


async def test_learning_comes_last_comes_back_and_loses_nothing_on_time(tmp_path: Path) -> None:
    environment = {"ARENA_BUILT_IN_MATCHES": "4", "ARENA_LADDER_PATIENCE": "5"}
    # the bot reads games by requests, which would wait for matches on a busy machine
    server = Server(tmp_path, *OPTIONS, environment=environment | {"ARENA_VISITOR_SHARE": "1"}, bots=BOTS)
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            first = await guests(server)
            assert "the built-in bots are ready" in server.log
            await stands_behind(server, first, 7)
            os.kill(first, signal.SIGKILL)
            second = await guests(server, but=first)
            first_host = hosts(server.pid)[0]
            async for item in opponent_models(server):
                assert item["author"] == NAME
                assert item["model"]["games"] >= 2
                break
            # the model may be of the process that was killed, and the second be new
            await stands_behind(server, first_host, 5)
            await stands_behind(server, second, 7)
            while not (ended := await matches(server)):  # noqa: ASYNC110  # in another process
                await asyncio.sleep(0.5)
        endings = Counter(match["termination"] for match in ended)
        print(endings)
        assert not {"time", "void", "crash", "bad message", "disconnect"} & set(endings)
    finally:
        left = hosts(server.pid)
        await server.stop()
    assert len(left) == 2
    assert not [one for one in left if os.path.exists(f"/proc/{one}")]  # noqa: ASYNC240, PTH110  # at once
    assert "Traceback" not in server.log, server.log[-3000:]
