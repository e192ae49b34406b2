# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that is killed leaves no breeder, whatever it is doing."""

import asyncio
from pathlib import Path

import pytest

from tests.end_to_end.server import Server
from tests.end_to_end.test_orphans import PATIENCE, all_started, end_with, suspend

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes under /proc")

BREEDING = ("--games=checkers", "--breeding=checkers", "--breeding-pace=0.1")


@pytest.mark.timeout(PATIENCE + 60)
@pytest.mark.parametrize("suspended", [False, True])
async def test_the_breeder_ends_with_the_server(tmp_path: Path, suspended: bool) -> None:
    server = Server(tmp_path, *BREEDING, bots=["random"])
    async with asyncio.timeout(PATIENCE):
        await server.start()
        try:
            processes = await all_started(server, "bots.evolution.process")
            while not (await server.get("/api/v1/populations"))["items"]:  # noqa: ASYNC110  # in another process
                await asyncio.sleep(0.1)
            if suspended:
                await suspend(processes)
            await end_with(server, processes)
        finally:
            await server.kill()
