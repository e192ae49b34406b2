# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import time
from dataclasses import replace

import pytest
from sqlalchemy import event

from arena.store import Store
from tests.arena.store.company import CHECKERS, versions

MATCHES = 500
MOVES = 12
BODY = b'{"type":"moved","ply":12,"seat":0,"move":"11-15","elapsed":512,"clock":59000,"info":{"score":0.1,"depth":8}}'


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_many_matches_share_the_price_of_a_commit(store: Store) -> None:
    """Prints the speed, which is the machine's; holds only that the moves of many matches are not committed singly."""
    commits: list[object] = []
    event.listen(store._engines.writing, "commit", commits.append)
    first, second = await versions(store, "marion", "tinsley")
    new = replace(CHECKERS, players=(first.id, second.id))
    started = await asyncio.gather(*(store.matches.start(new) for _ in range(MATCHES)))

    async def play(match_id: int) -> None:
        for number in range(MOVES):
            await store.matches.append(match_id, [(number, BODY)])

    commits.clear()
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(play(match_id) for match_id in started))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    moves = MATCHES * MOVES
    print(f"{moves / wall:,.0f} moves/s from {MATCHES} tasks, {cpu / moves * 1e6:.1f} µs of processor each")
    print(f"{len(commits)} commits")
    assert 0 < len(commits) < moves / 20
