# SPDX-License-Identifier: GPL-3.0-or-later
"""The server is killed in mid-play and started again: nothing that it acknowledged is lost, nothing counts twice."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

KILLS = 2
MOVES_BETWEEN = 60
"""Acknowledged moves, of all bots together, between two kills."""


async def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    server = Server(
        tmp_path, "--no-built-in-bots", "--games", "checkers", "--time-controls", "checkers=3000+1",
        "--ladder-interval", "0.05", "--ladder-pause", "0", real=True,
    )  # fmt: skip
    tokens = await server.register("anna", "bert", "cleo", "dora")
    witnesses = [Witness(name, token) for name, token in tokens.items()]
    live: set[int] = set()
    unheard: set[int] = set()
    """Matches that ended right before a kill: their bots may not have heard of it, and do not hear of it later."""
    await server.start()
    players = [asyncio.create_task(witness.play(lambda: server.play_url)) for witness in witnesses]
    try:
        for _ in range(KILLS):
            goal = moves(witnesses) + MOVES_BETWEEN
            await until(players, lambda: moves(witnesses) >= goal)  # noqa: B023  # it is called right here
            await server.kill()
            played = {number for witness in witnesses for number, _ in witness.acknowledged} - ended(witnesses)
            unheard |= played - going_on(tmp_path)
            live |= played - unheard
            await server.start()
        await until(players, lambda: live <= ended(witnesses) | unheard)
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    try:
        await compare(server, witnesses)
    finally:
        assert await server.stop() == 0
    assert live, "matches were going on when the server was killed"
    assert live <= {number for witness in witnesses for number in witness.resumed}, "each came back to its bots"
    assert "Traceback" not in server.log


def going_on(folder: Path) -> set[int]:
    """Return the matches that a killed server was about to go on with."""
    with closing(sqlite3.connect(folder / "arena.db", timeout=600)) as connection:
        return {number for (number,) in connection.execute("SELECT id FROM match WHERE status = 'live'")}
