# SPDX-License-Identifier: GPL-3.0-or-later
"""The breeder beside a real server: it breeds, its champions are rated, and a kill loses nothing."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.server import Server
from tests.proofs.ledger import verified

FAST = ("--games=checkers", "--breeding=checkers", "--breeding-pace=0.1", "--breeding-every=3", "--breeding-size=8")
PATIENCE = 240


def breeder_of(server: int) -> int:
    """Return the number of the breeder's process."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == server and b"bots.evolution" in command:
            return int(folder.name)
    raise LookupError("there is no breeder")


async def until(server: Server, path: str, wanted: Callable[[list[Any]], bool]) -> list[Any]:
    """Return the items of a list as soon as they are as wanted."""
    while not wanted(items := (await server.get(f"/api/v1{path}"))["items"]):  # noqa: ASYNC110  # in another process
        await asyncio.sleep(0.2)
    found: list[Any] = items
    return found


def bred(generations: int) -> Callable[[list[Any]], bool]:
    """Return what tells whether the population has come so far."""
    return lambda items: bool(items) and items[0]["generations"] >= generations


@pytest.mark.timeout(PATIENCE)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the breeder's process under /proc")
async def test_generations_advance_champions_are_rated_and_a_kill_loses_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, *FAST, environment={"ARENA_LADDER_PAUSE": "0"})
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            (before,) = await until(server, "/populations", bred(5))
            os.kill(breeder_of(server.pid), signal.SIGKILL)
            await until(server, "/populations", bred(before["generations"] + 5))
            await until(server, "/genomes?game=checkers", lambda items: any(item["rating"] for item in items))
        names = [item["bot"]["name"] for item in await server.all("/leaderboard?game=checkers")]
        assert "evolved" in names
    finally:
        await server.stop()
    report = await verified(server.database)
    assert report["clean"], report
    assert report["report"]["generations"] > 8
