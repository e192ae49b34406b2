# SPDX-License-Identifier: GPL-3.0-or-later
"""A server whose database fails says so, to programs and on pages, and says when it works again."""

import asyncio
import resource
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.arena.store.test_health import garble
from tests.end_to_end.server import Server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """A server without bots."""
    server = Server(tmp_path, "--games", "nim", "--no-built-in-bots", real=True)
    await server.start()
    await server.ready()
    yield server
    await server.kill()


async def ask(server: Server, path: str) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    async with ClientSession() as http, http.get(server.url + path) as response:
        return response.status, await response.text()


async def health(server: Server) -> tuple[int, Any]:
    """Return the status and the answer of /healthz."""
    async with ClientSession() as http, http.get(server.url + "/healthz") as response:
        return response.status, await response.json()


async def until_status(server: Server, status: int) -> Any:
    """Wait until /healthz answers so; returns its answer."""
    async with asyncio.timeout(600):
        while True:
            found, answer = await health(server)
            if found == status:
                return answer
            await asyncio.sleep(0.1)


async def test_writes_that_fail_are_reported_until_they_succeed(server: Server) -> None:
    well = await until_status(server, 200)
    assert (well["ready"], well["store"]) == (True, {"writes": True, "reason": ""})
    assert well["games"] == {"nim": {"ready": True, "reason": ""}}
    _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (8192, hard))  # as if the disk were full
    answer = await until_status(server, 503)
    assert (answer["status"], answer["ready"], answer["store"]["writes"]) == ("failing", False, False)
    assert answer["store"]["reason"] in answer["problems"]
    assert answer["games"]["nim"]["ready"] is False
    assert (await ask(server, "/"))[0] == 200, "what can be read is read"
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))
    answer = await until_status(server, 200)
    assert (answer["ready"], answer["problems"]) == (True, [])


async def test_a_damaged_database_is_reported(server: Server, tmp_path: Path) -> None:
    garble(tmp_path / "arena.db")
    status, text = await ask(server, "/api/v1/tournaments")
    assert (status, "database-failed" in text) == (503, True)
    status, page = await ask(server, "/tournaments")
    assert status == 503
    assert "malformed" in page
    answer = await until_status(server, 503)
    assert "the database is damaged" in answer["problems"][0]
    _, answer = await ask(server, "/api/v1/status")
    assert "the database is damaged" in answer
