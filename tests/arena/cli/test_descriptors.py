# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection limits fit the descriptor limit, and a lack of descriptors is logged once a minute."""

import asyncio
import errno
import os
import sys
import time
from pathlib import Path
from typing import TypeAlias

import pytest
from aiohttp import ClientError
from structlog.testing import capture_logs

from arena.cli.support.serving.descriptors import CONNECTIONS, EVERY, LEAST, RESERVED, Scarcity, fitted
from arena.settings import Settings
from tests.arena.peers import PATIENCE
from tests.end_to_end.server import Server

Connected: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

FEW = 150
"""Descriptors of a server that is to run out of them."""
SCARCE = "no free file descriptors"


@pytest.mark.parametrize("limit", [None, 20_000, 4096, 1024, 256, 10])
def test_connections_fit_into_the_limit(limit: int | None) -> None:
    settings = Settings()
    with capture_logs() as logs:
        found = fitted(settings, limit)
    total = sum(getattr(found, name) for name in CONNECTIONS)
    if limit is None or limit >= 20_000:
        assert found is settings
        assert not logs
    else:
        assert total + RESERVED <= limit or total <= max(limit // 2 + LEAST * 2, LEAST * len(CONNECTIONS))
        assert logs[0]["log_level"] == "warning"
        assert "LimitNOFILE" in logs[0]["event"]


def test_a_lack_of_descriptors_is_logged_once_a_minute() -> None:
    now = 100.0
    scarcity = Scarcity(lambda: now)
    loop = asyncio.new_event_loop()
    with capture_logs() as logs:
        for _ in range(1000):
            context = {"message": "socket.accept() out of system resource", "exception": OSError(errno.EMFILE, "full")}
            scarcity.on_exception(loop, context)
        assert len(logs) == 1
        now += 61
        scarcity.on_exception(loop, {"exception": OSError(errno.ENFILE, "full")})
        scarcity.look()
        assert len(logs) == 2
    loop.close()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set and read as on Linux")
async def test_a_server_raises_its_limit_and_bears_being_without_descriptors(tmp_path: Path) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    server = Server(tmp_path, "--games", "nim", "--no-built-in-bots", real=True)
    # one less is a limit to raise, and leaves this process as many as it may have opened so far
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard - 1), hard))
    try:
        await server.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (hard, hard)
    await server.ready()  # loading the rules of a game opens files
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (FEW, hard))
    held: list[Connected] = []
    began = time.monotonic()
    try:
        async with asyncio.timeout(PATIENCE):
            while SCARCE not in server.log:
                # all at once, and others for those that it closed: it closes connections that stay silent
                held = [one for one in held if not one[0].at_eof()]
                more = (asyncio.open_connection("127.0.0.1", server.port) for _ in range(2 * FEW - len(held)))
                held += await asyncio.gather(*more)
                await asyncio.sleep(0.1)
        await asyncio.sleep(2.5)  # it would be logged again by now
    finally:
        for _, writer in held:
            writer.transport.abort()
    async with asyncio.timeout(PATIENCE):
        while not await answers(server):  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.1)
    # once a minute, on a machine of any speed
    assert 1 <= server.log.count(SCARCE) <= 1 + (time.monotonic() - began) / EVERY
    # and no connection by itself
    assert server.log.count(os.strerror(errno.EMFILE)) == server.log.count(SCARCE), server.log
    assert "Traceback" not in server.log, server.log
    assert await server.stop() == 0


async def answers(server: Server) -> bool:
    """Tell whether the server answers."""
    try:
        return bool((await server.health())["status"] == "ok")
    except (ClientError, OSError):
        return False
