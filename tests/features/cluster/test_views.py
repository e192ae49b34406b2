# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of other nodes for the spectators of this one, over a real bus and a real database."""

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
        views.drop()
        await reading
        assert views.fetch(7), "nobody has looked for it yet"
        [reading] = views._tasks
        await reading
        assert not views.fetch(7), "no node referees it"
    await store.close()
