# SPDX-License-Identifier: GPL-3.0-or-later
"""The server is killed in mid-play and started again: nothing that it acknowledged is lost, nothing counts twice."""

import asyncio
from pathlib import Path

from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

KILLS = 2
MOVES_BETWEEN = 60
"""Acknowledged moves, of all bots together, between two kills."""


async def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    server = Server(
        tmp_path, "--no-built-in-bots", "--games", "checkers", "--ladder-interval", "0.05", "--ladder-pause", "0"
    )
    tokens = await server.register("anna", "bert", "cleo", "dora")
    witnesses = [Witness(name, token) for name, token in tokens.items()]
    live: set[int] = set()
    await server.start()
    players = [asyncio.create_task(witness.play(lambda: server.play_url)) for witness in witnesses]
    try:
        for _ in range(KILLS):
            goal = moves(witnesses) + MOVES_BETWEEN
            await until(players, lambda: moves(witnesses) >= goal)  # noqa: B023  # it is called right here
            await server.kill()
            live |= {number for witness in witnesses for number, _ in witness.acknowledged} - ended(witnesses)
            await server.start()
        await until(players, lambda: live <= ended(witnesses))
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
