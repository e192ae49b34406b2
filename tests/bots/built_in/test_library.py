# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of players as they are read in an arena: each once, of many the newest."""

import asyncio
from pathlib import Path

import pytest

from arena.settings import Settings
from bots.built_in import library
from bots.built_in.library import GameLibrary
from bots.client.rest import RestClient
from tests.web.door import Door, opened
from tests.web.players import connected, first_move, start_match


async def play(door: Door, one: tuple[str, str], other: tuple[str, str], count: int) -> None:
    """Let two bots play so many matches."""
    async with connected(door.play_url) as first, connected(door.play_url) as second:
        await first.hello(one[1], ["tictactoe"], ladder=False)
        await second.hello(other[1], ["tictactoe"], ladder=False)
        for number in range(count):
            _, *sides = await start_match(first, second, other[0])
            await asyncio.gather(*(side.play(first_move, number + 1) for side in sides))


async def test_a_player_s_games_are_read_once_and_the_newest_of_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, Settings(games="tictactoe", ladder=False)) as door:
        (_, one), (_, other), (_, token) = [await door.register(name) for name in ("anna", "bert", "adaptive")]
        reader = GameLibrary(door.play_url, token)

        async def newer(name: str) -> list[str | None]:
            found = await asyncio.to_thread(reader.newer, "tictactoe", name)
            times = [record.finished or "" for record in found]
            assert times == sorted(times), "the oldest first"
            return [record.finished for record in found]

        await door.arena.prepared.wait()
        assert await newer("anna") == []
        assert await newer("nobody") == []
        await play(door, ("anna", one), ("bert", other), 3)
        assert len(await newer("anna")) == 3
        assert await newer("anna") == []
        await play(door, ("anna", one), ("bert", other), 2)
        assert len(await newer("anna")) == 2
        assert len(await newer("bert")) == 5
        monkeypatch.setattr(library, "MOST", 2)
        assert await newer("anna") == []
        reader.forget("tictactoe", "anna")
        assert len(await newer("anna")) == 2
        assert await asyncio.to_thread(reader.lead, "tictactoe", "anna", "nobody") == 0.0
        monkeypatch.setattr(reader, "_rest", RestClient("http://127.0.0.1:1"))
        with pytest.raises(OSError, match="refused"):
            await newer("anna")
