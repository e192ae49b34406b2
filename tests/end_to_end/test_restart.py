# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK's bot, as short as the documentation shows it, plays on through a restart of the server in mid-game."""

import asyncio
from pathlib import Path
from random import Random
from threading import Event

from arena.protocol import messages as wire
from bots import Bot
from bots.client import Client
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, until

ENOUGH = 20
"""Plies after which a match waits for the restart; no match of checkers is over by then."""


class Mine(Bot):
    name = "mine"
    games = ("checkers",)

    def __init__(self) -> None:
        self.goes_on = Event()

    def move(self, turn: wire.Turn) -> str:
        if turn.ply >= ENOUGH:
            self.goes_on.wait()
        return Random(turn.ply).choice(turn.legal_moves or [])


async def test_the_bot_of_ten_lines_plays_through_a_restart(tmp_path: Path) -> None:
    server = Server(
        tmp_path, "--no-built-in-bots", "--games", "checkers", "--time-controls", "checkers=3000+1",
        "--ladder-interval", "0.05",
    )  # fmt: skip
    tokens = await server.register("mine", "other")
    accepted: set[tuple[int, int]] = set()
    over: dict[int, wire.Over] = {}

    def heard(message: wire.ArenaMessage) -> None:
        if isinstance(message, wire.Accepted):
            accepted.add((message.match, message.ply))
        elif isinstance(message, wire.Over):
            over[message.match] = message

    await server.start()
    mine = Mine()
    client = Client(mine, url=server.play_url, token=tokens["mine"], heard=heard)
    players = [
        asyncio.create_task(client.run()),
        asyncio.create_task(Witness("other", tokens["other"]).play(lambda: server.play_url)),
    ]
    try:
        await until(players, lambda: len(accepted) >= 5)
        assert await server.stop() == 0
        (number, ply) = max(accepted)
        assert number not in over
        mine.goes_on.set()
        await server.start()
        await until(players, lambda: number in over)
    finally:
        mine.goes_on.set()
        await client.close()
        players[1].cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await server.stop()
    assert over[number].termination not in ("void", "disconnect", "time")
    assert max(accepted_ply for match, accepted_ply in accepted if match == number) > ply
