# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import time
from dataclasses import replace

from arena.store import Store
from tests.arena.store.company import CHECKERS, play, versions


async def test_old_events_go_results_and_ratings_stay(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    old = [(await play(store, first, second)).match_id for _ in range(3)]
    live = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    await store.matches.append(live, [(0, b"0")])
    await asyncio.sleep(0.01)
    between = time.time()
    young = (await play(store, first, second)).match_id
    before = await store.ratings.history(first.bot_id, "checkers", "bullet")
    assert await store.prune(0) == 0
    assert await store.prune(between) == 3
    assert await store.prune(between) == 0
    for match_id, count in [*((match_id, 0) for match_id in old), (live, 1), (young, 2)]:
        stored = await store.matches.get(match_id)
        assert stored is not None
        assert len(stored.events) == count
        assert stored.row.pruned == (match_id in old)
        if match_id != live:
            assert (stored.row.result, stored.row.plies) == ("1-0", 4)
            assert stored.row.players[0].rating_change is not None
    assert await store.ratings.history(first.bot_id, "checkers", "bullet") == before
    assert (await store.ratings.get(first.id, "checkers", "bullet")).games == 4
