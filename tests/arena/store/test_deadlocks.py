# SPDX-License-Identifier: GPL-3.0-or-later
"""Several servers end matches of the same bots at once, and no transaction waits for another one in a circle."""

import asyncio
import random
from contextlib import AsyncExitStack

from arena.store import Store
from tests.arena.store.ends import deadlocks, end_group, rated_games, register
from tests.postgres import Postgres, end_sessions

SERVERS, GROUPS = 3, 20


async def test_ends_of_matches_of_the_same_bots_at_several_servers_never_deadlock(postgres: Postgres) -> None:
    """Also where the bots have no rating yet: the first groups insert the rows."""
    postgres.sweep()
    before = deadlocks(postgres)
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(await Store.open(postgres.url)) for _ in range(SERVERS)]
        players = await register(servers[0])

        async def end(seed: int, store: Store) -> int:
            dice = random.Random(seed)
            return sum([await end_group(store, dice, players) for _ in range(GROUPS)])

        ended = sum(await asyncio.gather(*(end(seed, store) for seed, store in enumerate(servers))))
    assert rated_games(postgres) == 2 * ended
    # a session counts its deadlocks at its end at the latest
    end_sessions(postgres.url)
    assert deadlocks(postgres) == before
