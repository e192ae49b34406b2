# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of runners, on each database."""

import pytest

from arena.features.runners.records import Runners
from arena.features.runners.rows import Hosted, UnknownRunner
from arena.store import Store
from arena.store.errors import BadName, NameTaken
from tests.arena.store.company import versions


async def test_a_name_is_free_again_after_its_runner_was_removed(store: Store) -> None:
    records = store.records(Runners)
    first = await records.add("cellar", "hash 1")
    with pytest.raises(NameTaken, match="there is a runner called cellar"):
        await records.add("cellar", "hash 2")
    assert await records.by_token("hash 1") == first
    assert await records.by_token("hash 2") is None
    await records.remove("cellar")
    assert await records.by_token("hash 1") is None
    with pytest.raises(UnknownRunner, match="no runner is called cellar"):
        await records.remove("cellar")
    second = await records.add("cellar", "hash 2")
    assert [row.id for row in await records.all()] == [second.id]


@pytest.mark.parametrize("name", ["", " ", " cellar", "a\nb", "x" * 41])
async def test_names_that_no_runner_has(store: Store, name: str) -> None:
    with pytest.raises(BadName, match="is not a name for a runner"):
        await store.records(Runners).add(name, "hash")


async def test_the_times_of_hosting_are_those_of_the_matches_that_overlap(store: Store) -> None:
    records = store.records(Runners)
    runner = await records.add("cellar", "hash 1")
    one, other = [version.bot_id for version in await versions(store, "one", "other")]
    begun = Hosted(runner.id, one, "0.1.0", "Linux", 5e6, 4)
    await records.moved([], [begun, begun._replace(bot_id=other)])
    await records.moved([other], [begun._replace(cores=8)])
    times = await records.during([one, other], 0.0, None)
    assert [(row.bot_id, row.cores, row.ended is None) for row in times] == [
        (one, 4, False),
        (other, 4, False),
        (one, 8, True),
    ]
    assert {row.runner for row in times} == {"cellar"}
    first, _, last = times
    assert first.ended is not None
    assert first.ended <= last.began
    assert await records.during([one], 0.0, first.began - 1) == []
    assert await records.during([other], last.began + 1e6, None) == []
    await records.interrupted()
    assert all(row.ended is not None for row in await records.during([one, other], 0.0, None))
