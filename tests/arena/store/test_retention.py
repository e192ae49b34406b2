# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.errors import StoreError
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


def copies(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("copy*")}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_backup_of_a_busy_store_is_a_store_of_one_moment(store: Store, tmp_path: Path) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    acknowledged = 0
    copied = asyncio.Event()

    async def play_on() -> None:
        nonlocal acknowledged
        while not copied.is_set():
            await store.matches.append(match_id, [(acknowledged, b"0")])
            acknowledged += 1
            await play(store, first, second)

    player = asyncio.create_task(play_on())
    await asyncio.sleep(0.1)
    least = acknowledged
    await store.backup(tmp_path / "copy.db")
    most = acknowledged + 1
    copied.set()
    await player
    assert copies(tmp_path) == {"copy.db", "copy.db.manifest.json"}
    async with await Store.open(f"sqlite:///{tmp_path / 'copy.db'}") as copy:
        stored = await copy.matches.get(match_id)
        assert stored is not None
        assert least <= len(stored.events) <= most
        assert [event.number for event in stored.events] == list(range(len(stored.events)))
        games = (await copy.ratings.get(first.id, "checkers", "bullet")).games
        assert games == len(await copy.ratings.history(first.bot_id, "checkers", "bullet"))
        assert games in {len(stored.events), len(stored.events) - 1}
    with pytest.raises(StoreError, match="exists"):
        await store.backup(tmp_path / "copy.db")
    with pytest.raises(StoreError, match="backup failed"):
        await store.backup(tmp_path / "no such folder" / "copy.db")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_postgresql_has_its_own_tool(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        await store.backup(tmp_path / "copy.db")
