# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts of results by pair, on both databases."""

from collections import Counter

from arena.store import Store
from arena.store.results import MeetingRows
from tests.arena.store.company import play, versions


def counted(rows: MeetingRows) -> Counter[tuple[str, str, int]]:
    """How often each outcome of each two came, over all days."""
    names = [leader.bot for leader in rows.leaders]
    found = Counter[tuple[str, str, int]]()
    for first, second, outcome in zip(rows.first, rows.second, rows.outcomes, strict=True):
        for place, count in enumerate(outcome):
            found[names[first], names[second], place] += int(count)
    return +found


async def test_rated_matches_are_counted_by_seats_and_results(store: Store) -> None:
    marion, tinsley, idle = await versions(store, "marion", "tinsley", "idle")
    for result, times in (("1-0", 3), ("1/2-1/2", 2), ("0-1", 1)):
        for _ in range(times):
            await play(store, marion, tinsley, result)
    await play(store, tinsley, marion, "1-0")
    await play(store, tinsley, marion, "*")
    await play(store, marion, idle, "1-0", rated=False)
    await play(store, marion, tinsley, "1-0", game="nim")
    assert await store.results.games("checkers", "bullet") == 7
    rows = await store.results.read("checkers", "bullet", 10)
    assert counted(rows) == {
        ("marion", "tinsley", 0): 3,
        ("marion", "tinsley", 1): 2,
        ("marion", "tinsley", 2): 1,
        ("tinsley", "marion", 0): 1,
    }
    assert (rows.days > 19_000).all()
    board = await store.ratings.leaderboard("checkers", "bullet")
    assert rows.leaders == board.items
    assert rows.removed == frozenset()


async def test_of_many_versions_those_with_the_most_games_are_taken(store: Store) -> None:
    often, seldom, other = await versions(store, "often", "seldom", "other")
    for _ in range(3):
        await play(store, often, other)
    await play(store, seldom, often)
    rows = await store.results.read("checkers", "bullet", 2)
    assert {leader.bot for leader in rows.leaders} == {"often", "other"}
    assert counted(rows) == {("often", "other", 0): 3}


async def test_matches_of_the_removed_count(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    await store.bots.remove("tinsley")
    rows = await store.results.read("checkers", "bullet", 10)
    assert rows.removed == {tinsley.id}
    assert sum(counted(rows).values()) == 1


async def test_nobody_played(store: Store) -> None:
    assert await store.results.games("checkers", "bullet") == 0
    rows = await store.results.read("checkers", "bullet", 10)
    assert (rows.leaders, len(rows.first)) == ([], 0)


async def test_head_to_head_is_seen_by_the_one_asked_about(store: Store) -> None:
    marion, tinsley, third = await versions(store, "marion", "tinsley", "third")
    for result, times in (("1-0", 3), ("1/2-1/2", 2), ("0-1", 1), ("*", 1)):
        for _ in range(times):
            await play(store, marion, tinsley, result)
    await play(store, tinsley, marion, "1-0")
    await play(store, third, marion, "0-1")
    await play(store, third, marion, "0-1", rated=False)
    await play(store, marion, tinsley, "1-0", game="nim")
    found = await store.results.of_bot(marion.bot_id, "checkers", "bullet")
    assert [(row.bot, row.wins, row.draws, row.losses) for row in found] == [("tinsley", 3, 2, 2), ("third", 1, 0, 0)]
    (mirrored,) = await store.results.of_bot(tinsley.bot_id, "checkers", "bullet")
    assert (mirrored.bot, mirrored.wins, mirrored.draws, mirrored.losses) == ("marion", 2, 2, 3)
    assert await store.results.of_bot(marion.bot_id, "checkers", "blitz") == []
    assert len(await store.results.of_bot(marion.bot_id, "checkers", "bullet", limit=1)) == 1
