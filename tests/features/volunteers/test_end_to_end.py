# SPDX-License-Identifier: GPL-3.0-or-later
"""Volunteers beside a real server: one is killed, one lies; the others go on, and nothing false spreads."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from lab.proofs.ledger import verified
from tests.end_to_end.server import Server
from tests.features.volunteers.people import EXCHANGE, LIAR, Volunteer, invite, until
from tests.forked import starts

PATIENCE = 1200  # compiles the frame for checkers where it is not in the cache


@pytest.mark.long
@pytest.mark.timeout(PATIENCE)
async def test_one_is_killed_one_lies_and_nothing_false_spreads(tmp_path: Path) -> None:
    server = Server(tmp_path, *EXCHANGE)
    steady, mortal = (Volunteer(tmp_path, name) for name in ("steady", "mortal"))
    liar = Volunteer(tmp_path, "liar", LIAR)
    every = (steady, mortal, liar)
    try:
        async with asyncio.timeout(PATIENCE - 20):
            await server.start()
            await invite(server, *every)
            await steady.start(server, 1)
            # what it had to compile, all others find in the cache
            await until(server, steady, lambda island: island["reports"] >= 1)
            await mortal.start(server, 2)
            await liar.start(server, 3)
            caught = await until(server, liar, lambda island: island["quarantined"] is not None)
            assert (
                "1.000 for its best genome in 80 games against an opponent of depth 4" in caught["quarantined"]["why"]
            )
            await until(server, mortal, lambda island: island["reports"] >= 2)
            await mortal.kill()
            killed = await until(server, mortal, lambda island: True)
            going = await until(server, steady, lambda island: island["confirmed"] is not None)
            await until(server, steady, lambda island: island["generation"] > going["generation"] + 2)

            await mortal.start(server, 2)
            back = await until(server, mortal, lambda island: island["reports"] > killed["reports"] + 1)
            assert back["generation"] >= killed["generation"]
            assert back["course"][0] == killed["course"][0], "it is the same run"
            await given(server)

            await server.kill()
            await asyncio.sleep(1.0)
            await server.start()
            later = await until(server, steady, lambda island: island["reports"] > going["reports"])
            assert later["generation"] > going["generation"]
            await until(server, mortal, lambda island: island["reports"] > back["reports"])
            still = await until(server, liar, lambda island: island["reports"] > caught["reports"])
            assert still["quarantined"] == caught["quarantined"]
            assert still["given"] == 0

            for volunteer in every:
                await volunteer.stop()
            migrations = await server.all("/migrations")
            assert migrations
            assert {one["giver"] for one in migrations} <= {steady.id, mortal.id}
            verifications = {one["id"]: one for one in await server.all("/verifications")}
            assert {verifications[one["verification"]]["verdict"] for one in migrations} == {"confirmed"}
            assert "in quarantine" in liar.log
    finally:
        for volunteer in every:
            await volunteer.kill()
        await server.kill()
    assert (await verified(server.database))["clean"]


async def given(server: Server) -> list[Any]:
    """Return the transfers between islands, as soon as there is one."""
    while True:
        found = await server.all("/migrations")
        if any(one["arrived"] for one in found):
            return found
        await asyncio.sleep(0.2)


async def test_a_refused_island_gets_the_reason(tmp_path: Path) -> None:
    server = Server(tmp_path, *EXCHANGE, "--volunteer-verification=no")
    known, stranger = Volunteer(tmp_path, "known"), Volunteer(tmp_path, "stranger")
    try:
        await server.start()
        await stranger.start(server)
        assert await stranger.wait() == 2
        assert "this token does not belong to an island" in stranger.log
        await invite(server, known)
        options = (f"--join={server.url}", f"--token={known.token}", f"--out={tmp_path / 'chess'}", "--game=chess")
        with starts():
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "arena.cli",
                "evolve",
                *options,
                stderr=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        _, told = await process.communicate()
        assert process.returncode == 2
        assert "accepted games: checkers" in told.decode()
    finally:
        await server.kill()
