# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK's bot, as short as the documentation shows it, plays on through a restart of the server in mid-game."""

import asyncio
from pathlib import Path
from random import Random

from arena.protocol import messages as wire
from bots import Bot
from bots.client import Client
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, until


class Mine(Bot):
    name = "mine"
    games = ("checkers",)

    def move(self, turn: wire.Turn) -> str:
        return Random(turn.ply).choice(turn.legal_moves or [])


async def test_the_bot_of_ten_lines_plays_through_a_restart(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-built-in-bots", "--games", "checkers", "--ladder-interval", "0.05")
    tokens = await server.register("mine", "other")
    accepted: set[tuple[int, int]] = set()
    over: dict[int, wire.Over] = {}

    def heard(message: wire.ArenaMessage) -> None:
        if isinstance(message, wire.Accepted):
            accepted.add((message.match, message.ply))
        elif isinstance(message, wire.Over):
            over[message.match] = message

    await server.start()
    client = Client(Mine(), url=server.play_url, token=tokens["mine"], heard=heard)
    players = [
        asyncio.create_task(client.run()),
        asyncio.create_task(Witness("other", tokens["other"]).play(lambda: server.play_url)),
    ]
    try:
        await until(players, lambda: len(accepted) >= 5)
        assert await server.stop() == 0
        (number, ply) = max(accepted)
        assert number not in over
        await server.start()
        await until(players, lambda: number in over)
    finally:
        await client.close()
        players[1].cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await server.stop()
    assert over[number].termination not in ("void", "disconnect", "time")
    assert max(accepted_ply for match, accepted_ply in accepted if match == number) > ply
