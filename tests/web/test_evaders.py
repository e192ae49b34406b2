# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that leave between the two matches of a pair, over real sockets."""

import asyncio

import pytest

from lab.proofs.attacks.abusive_bots import Evader
from tests.web.door import Door
from tests.web.players import connected, first_move

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_message_before_a_close_ends_only_its_match(door: Door) -> None:
    _, token = await door.register()
    honest_name, honest_token = await door.register()
    evader = Evader(door.play_url, token, "tictactoe")
    async with connected(door.play_url) as honest:
        await honest.hello(honest_token, ["tictactoe"])
        playing = asyncio.create_task(honest.play(first_move, matches=12))
        for _ in range(6):
            await evader.evade()
            await evader.come_back()
        await playing
    assert len(evader.left) == len(evader.owed) == 6
    for first, over in zip(evader.left, evader.owed, strict=True):
        stored = await door.arena.store.matches.get(over["match"])
        assert stored is not None
        assert (stored.row.pair, stored.row.termination) == (first, "decided")
        assert honest_name in [player.bot for player in stored.row.players]
