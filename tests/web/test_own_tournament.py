# SPDX-License-Identifier: GPL-3.0-or-later
"""A rated tournament of a game with hidden information, through real sockets: bots of one owner play unrated there."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from arena.connections.admission import hash_token, make_token
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats.round_robin import RoundRobin
from tests.arena.peers import ready
from tests.arena.tournaments.test_manager import over
from tests.web.door import Door, opened, unhurried

OWNERS = {"ann-1": "Ann", "ann-2": "ann ", "bob": "Bob"}


async def resigning(door: Door, game: str, token: str) -> None:
    """Play as a bot that resigns each match at once."""
    async with door.http.ws_connect(door.play_url) as socket:
        await socket.send_json({"type": "hello", "protocol": 1, "token": token, "games": [game], "capacity": 4})
        async for frame in socket:
            message = frame.json()
            if message["type"] == "match":
                await socket.send_json({"type": "resign", "match": message["match"]})


@pytest.mark.parametrize(("game", "hidden"), [("kuhn", True), ("tictactoe", False)])
async def test_bots_of_one_owner_play_unrated_where_a_game_hides(tmp_path: Path, game: str, hidden: bool) -> None:
    async with opened(tmp_path, unhurried(game, ladder=False)) as door:
        await ready(door.arena)
        bots = []
        for name, owner in OWNERS.items():
            token = make_token()
            await door.arena.store.bots.add(name, hash_token(token), owner=owner)
            bots.append(asyncio.create_task(resigning(door, game, token)))
        entries = tuple(map(Entry, OWNERS))
        config = Config(name="Cup", game=game, format=RoundRobin(), entries=entries, games=1, rated=True)
        row = await door.arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        await door.arena.store.tournaments.become(row.id, "running")
        await over(door.arena, row.id)
        found = {
            tuple(sorted(player.bot for player in match.players)): match.rated
            for match in await door.arena.store.tournaments.matches(row.id)
        }
        assert found == {("ann-1", "ann-2"): not hidden, ("ann-1", "bob"): True, ("ann-2", "bob"): True}
        async with door.http.get(f"/api/v1/tournaments/{row.id}") as answer:
            shown = await answer.json()
        assert (shown["rated"], shown["own_unrated"]) == (True, hidden)
        async with door.http.get(f"/api/v1/tournaments/{row.id}/shares?dynamics=replicator") as answer:
            assert (answer.status, (await answer.json())["names"]) == (200, list(OWNERS))
        async with door.http.get(f"/api/v1/tournaments/{row.id}/shares?dynamics=none") as answer:
            assert answer.status == 400
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)
