# SPDX-License-Identifier: GPL-3.0-or-later
"""Many matches in one file, as the API writes them."""

import asyncio
import json

import pytest

from arena.records.export import MatchFilter
from engine.formats import catalogue
from tests.web.door import Door
from tests.web.players import connected, first_move, start_match
from web.answer_limits import READING
from web.api import exports

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_many_matches_are_exported_as_they_are_written(door: Door) -> None:
    (one, one_token), (other, other_token) = await door.register(), await door.register()
    match = 0
    async with connected(door.play_url) as first, connected(door.play_url) as second:
        await first.hello(one_token, ["tictactoe"], ladder=False)
        await second.hello(other_token, ["tictactoe"], ladder=False)
        for number in range(3):
            match, *sides = await start_match(first, second, other)
            await asyncio.gather(*(side.play(first_move, number + 1) for side in sides))
    bot = await door.arena.store.bots.named(one)
    assert bot is not None
    path = "/api/v1/matches/export?format=jsonl"
    async with door.http.get(f"{path}&bot={bot.id}") as response:
        assert response.headers["Content-Disposition"] == 'attachment; filename="matches.jsonl"'
        lines = (await response.text()).splitlines()
    async with door.http.get(f"/api/v1/matches/{match}/export?format=jsonl") as response:
        assert lines[0] == (await response.text()).rstrip("\n"), "the newest first"
    assert len(lines) == 3
    assert {player["name"] for line in lines for player in json.loads(line)["players"]} == {one, other}
    for narrow, count in (("since=1&until=2", 0), ("since=1", 3), ("game=nim", 0)):
        async with door.http.get(f"{path}&bot={bot.id}&{narrow}") as response:
            assert len((await response.text()).splitlines()) == count
    async with door.http.head(f"{path}&bot={bot.id}") as response:
        assert (response.status, await response.read()) == (200, b"")
    for wrong, status in (
        ("format=xml", 400),
        ("format=pdn&game=tictactoe", 400),
        ("format=pgn&bot=9999999", 404),
        ("format=pgn&tournament=9999999", 404),
        ("bot=1", 400),
    ):
        async with door.http.get(f"/api/v1/matches/export?{wrong}") as response:
            assert response.status == status
            assert "error" in await response.json()


async def test_unread_exports_hold_no_slot(door: Door) -> None:
    """A match is read and written in one of few places, and its text waits outside."""
    for _ in range(READING.free + 1):
        wanted = catalogue()["jsonl"]
        parts = exports._written(door.arena.store, MatchFilter(), wanted)
        assert await anext(parts)
        assert READING.free
