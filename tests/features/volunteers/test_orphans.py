# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that is killed leaves no verifier, whatever it is doing."""

import asyncio
from pathlib import Path

import pytest

from tests.end_to_end.server import Server
from tests.end_to_end.test_orphans import PATIENCE, all_started, end_with, suspend
from tests.features.volunteers.people import EXCHANGE, Volunteer, invite, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes under /proc")


@pytest.mark.timeout(PATIENCE + 60)
@pytest.mark.parametrize("suspended", [False, True])
async def test_the_verifier_ends_with_the_server(tmp_path: Path, suspended: bool) -> None:
    server, volunteer = Server(tmp_path, *EXCHANGE), Volunteer(tmp_path, "volunteer")
    async with asyncio.timeout(PATIENCE):
        await server.start()
        try:
            await invite(server, volunteer)
            await volunteer.start(server)
            # the verifier has a claim to try
            await until(server, volunteer, lambda island: island["reports"] >= 1)
            processes = await all_started(server, "bots.evolution.evochess.verifier")
            if suspended:
                await suspend(processes)
            await end_with(server, processes)
        finally:
            await volunteer.kill()
            await server.kill()
