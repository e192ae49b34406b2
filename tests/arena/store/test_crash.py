# SPDX-License-Identifier: GPL-3.0-or-later
"""PostgreSQL crashes while the arena goes on: acknowledged events are there, and play continues."""

import pytest

from arena.connections.admission import hash_token
from arena.store import Store
from arena.store.rows import NewMatch
from tests.postgres import Postgres


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_crash_of_postgresql_loses_nothing_acknowledged(store: Store, postgres: Postgres) -> None:
    versions = []
    for name in ("one", "other"):
        bot = await store.bots.add(name, hash_token(name))
        versions.append((await store.bots.version(bot.id, "1")).id)
    new = NewMatch("tictactoe", "blitz", "60+0", True, 1, None, (), (versions[0], versions[1]))
    for crash in range(3):
        match = await store.matches.start(new)
        await store.matches.append(match, [(0, b"{}")])
        postgres.stop("immediate")
        postgres.start()
        stored = await store.matches.get(match)
        assert stored is not None, crash
        assert [event.number for event in stored.events] == [0]
        await store.matches.append(match, [(1, b"{}")])
