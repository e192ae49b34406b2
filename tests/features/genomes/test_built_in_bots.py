# SPDX-License-Identifier: GPL-3.0-or-later
"""The evolved bot of the built-in ones publishes its genome."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from arena.connections.admission import hash_token
from arena.protocol.orders import HostedBot, HostOrders, HostProgress
from bots.built_in import process
from bots.catalogue import make
from bots.testing import TOKEN
from tests.web.door import Door, opened, unhurried


async def test_the_champion_plays_its_own_game_and_shows_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_let_the_arena_go_first", lambda: None)
    told: list[HostProgress] = []
    async with opened(tmp_path, unhurried("nim,chess", ladder=False)) as door:
        own = await door.arena.store.bots.admit_built_in("evochess", hash_token(TOKEN))
        assert own is not None
        orders = HostOrders(door.play_url, [HostedBot("evolved", "evochess", TOKEN)])
        running = asyncio.create_task(process.BuiltInBots(orders, told.append).run())
        path = f"/api/v1/genome-views?bot=evochess&version={make('evochess').version}"
        async with asyncio.timeout(840):
            while (answer := await get(door, path)) is None:
                assert not running.done()
                await asyncio.sleep(1)
        (entrant,) = door.arena.roster
        assert (entrant.bot.name, entrant.games) == ("evochess", ("chess",))
        assert told[0] == HostProgress(ready=True), "nobody waits for it"
        assert answer["genome"]["lineage"]["dynamics"] == "evochess"
        assert [look["searches"][1]["name"] for look in answer["view"]["search_traces"]] == ["f-negascout-5"] * 3
        running.cancel()
        await asyncio.wait({running})


async def get(door: Door, path: str) -> Any:
    """What the API answers, None where there is nothing."""
    async with door.http.get(path) as response:
        return await response.json() if response.status == 200 else None
