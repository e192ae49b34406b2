# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of other nodes for the spectators of this one, over a real bus and a real database."""

import asyncio
from pathlib import Path

from arena.application import Arena
from arena.features.cluster.play.views import Views
from arena.settings import Settings
from arena.store import Store
from tests.features.cluster.company import company
from tests.nats import Nats


async def test_a_match_that_nobody_sees_any_more_is_not_read(tmp_path: Path, database: str, nats: Nats) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'arena.db'}")
    arena = Arena(Settings(), store)
    async with company("a", database, nats.url) as [member]:
        views = Views(arena, member.links)
        assert views.fetch(7)
        [reading] = views._tasks
        # without spectators it watches no match, and it has not begun to read this one
        views.look(None)
        await reading
        assert views.fetch(7), "nobody has looked for it yet"
        [reading] = views._tasks
        await reading
        assert not views.fetch(7), "no node referees it"
    await store.close()


async def test_a_spectator_who_comes_while_the_matches_are_read_keeps_the_match(
    tmp_path: Path, database: str, nats: Nats
) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'arena.db'}")
    arena = Arena(Settings(), store)
    async with company("a", database, nats.url) as [member]:
        views = Views(arena, member.links)
        assert not views.wanted
        spectator = arena.watch("test")
        assert views.fetch(7)
        views.look(None)  # it was asked for when nobody was there
        assert list(views._watched) == [7]
        arena.broadcast.leave(spectator)
        views.look(None)
        assert not views._watched
        await asyncio.gather(*views._tasks)
    await store.close()
