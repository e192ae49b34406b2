# SPDX-License-Identifier: GPL-3.0-or-later
"""Two servers on one database: the second is refused, and a server that was overtaken ends without harm to a match."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.server import Server

OPTIONS = (
    "--games", "tictactoe", "--built-in-move-time", "0.05", "--learning", "no",
    # a server that is late voids matches that would be decided on time
    "--time-controls", "tictactoe=3000+0",
)  # fmt: skip


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """A server whose built-in bots play."""
    server = Server(tmp_path, *OPTIONS, real=True)
    await server.start()
    async with asyncio.timeout(600):
        while (await server.get("/api/v1/status"))["live"] < 2:  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.05)
    yield server
    await server.kill()


def overtaken(folder: Path) -> bool:
    """Do to the database what another server would do, if matches are live; return whether they are."""
    connection = sqlite3.connect(folder / "arena.db", timeout=600, isolation_level=None)
    with closing(connection):
        connection.execute("BEGIN IMMEDIATE")
        (live,) = connection.execute("SELECT count(*) FROM match WHERE status = 'live'").fetchone()
        if live:
            connection.execute("UPDATE server SET epoch = epoch + 1, version = '9.9', host = 'elsewhere', pid = 7")
        connection.execute("COMMIT")
        return bool(live)


def voids(folder: Path) -> int:
    """Return how many matches ended without a result."""
    with sqlite3.connect(folder / "arena.db") as connection:
        (count,) = connection.execute("SELECT count(*) FROM match WHERE result = '*'").fetchone()
        return int(count)


@pytest.mark.parametrize("deleted", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_second_server_by_another_name_is_refused(server: Server, tmp_path: Path, deleted: bool) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "arena.db").symlink_to(tmp_path / "arena.db")
    if deleted:
        (tmp_path / "arena.db-server").unlink()
    second = [sys.executable, "-m", "arena.cli", "serve", "--no-built-in-bots", "--no-browser", "--port", "0"]
    run = await asyncio.to_thread(
        subprocess.run, [*second, "--data", str(other)], capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 2
    assert "another server runs on this database" in run.stderr
    # it plays on; between two matches there may be none for a moment
    async with asyncio.timeout(600):
        while (await server.get("/api/v1/status"))["live"] < 1:  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.05)
    assert await server.stop() == 0
    assert voids(tmp_path) == 0


async def test_a_server_that_was_overtaken_stops_and_voids_nothing(server: Server, tmp_path: Path) -> None:
    async with asyncio.timeout(600):
        while not await asyncio.to_thread(overtaken, tmp_path):  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.05)
        assert await server.ended() == 2
    assert "another server took over this database: arena 9.9, process 7 on elsewhere" in server.log
    assert voids(tmp_path) == 0
    with sqlite3.connect(tmp_path / "arena.db") as connection:
        (live,) = connection.execute("SELECT count(*) FROM match WHERE status = 'live'").fetchone()
    assert live > 0, "they wait for the server that owns them"
