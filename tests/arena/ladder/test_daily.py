# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches that an owner's bots start within 24 hours, and bots of an owner that are connected: both have limits."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.connections.challenges import RatedChallenges
from arena.ladder.daily import HOUR, DailyMatches
from arena.store import Store
from tests.arena.conftest import OpenArena
from tests.arena.ladder.test_shares import challenge, owned
from tests.arena.peers import Peer, seat, until
from tests.arena.store.company import CHECKERS


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000 * HOUR + 1800.0

    def __call__(self) -> float:
        return self.now


async def test_matches_count_for_24_hours(tmp_path: Path) -> None:
    clock = Clock()
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        daily = DailyMatches(store, 3, clock)
        daily.begin(["ann", "ann"])
        clock.now += 2 * HOUR
        for _ in range(2):
            assert daily.why_not("ann") is None
            daily.begin(["ann", "bob"])
        assert (daily.played("ann"), daily.played("bob"), daily.played(7)) == (3, 2, 0)
        why = daily.why_not("ann")
        assert why == "at most 3 in 24 hours for all bots of one owner; try again in 1290 minutes"
        assert daily.why_not("bob") is None
        clock.now += 1290 * 60.0
        assert daily.why_not("ann") is None
        assert daily.played("ann") == 2
        clock.now += 3 * HOUR
        assert daily.played("ann") == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_matches_that_are_recalled_again_count_once(store: Store) -> None:
    """As at a server that becomes the leader of others: it has recalled them at its start."""
    bots = [await store.bots.add(name, f"hash of {name}", owner="ann") for name in ("one", "two")]
    first, second = [await store.bots.version(bot.id, "1") for bot in bots]
    await store.matches.start(replace(CHECKERS, players=(first.id, second.id), kind="challenge"))
    daily, challenges = DailyMatches(store, 5, time.time), RatedChallenges(store, 2, time.time)
    challenges.begin(frozenset((7, 8)))
    for _ in range(2):
        await daily.recall()
        await challenges.recall()
    assert daily.played("ann") == 2
    assert challenges.why_not(frozenset(bot.id for bot in bots)) is None
    assert challenges.why_not(frozenset(bot.id for bot in bots), open_ones=1) is not None
    assert challenges.why_not(frozenset((7, 8)), open_ones=1) is None, "another server counts it"


async def test_no_limit_counts_nothing(tmp_path: Path) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        daily = DailyMatches(store, 0, Clock())
        daily.begin(["ann"])
        assert (daily.played("ann"), daily.why_not("ann")) == (0, None)


async def test_an_owner_plays_no_more_than_its_matches_of_a_day_also_after_a_restart(open_arena: OpenArena) -> None:
    arena = await open_arena(owner_matches_per_day=2)
    one, two = await owned(arena, "one", "Ann", capacity=8), await owned(arena, "two", "ann ")
    others = [await seat(arena, name, ["tictactoe"], capacity=8) for name in ("other", "another")]
    assert await challenge(one, "other", others[0]) == "accepted"
    assert await challenge(two, "another", others[1]) == "accepted"
    await until(lambda: arena.matches_today("Ann") == 2)
    refusal = await challenge(others[0], "one", one)
    assert refusal.startswith("one has played its maximum number of matches: at most 2 in 24 hours for all bots of one")
    assert await challenge(others[0], "another", others[1]) == "accepted", "others play on"
    await arena.stop()
    arena = await open_arena(owner_matches_per_day=2)
    assert arena.matches_today("ann") == 2
    assert arena.conductor.daily.why_not("ann") is not None


async def test_an_owner_has_no_more_than_its_connections(open_arena: OpenArena) -> None:
    arena = await open_arena(owner_connections=1)
    first = await owned(arena, "first", "Ann")
    second = await owned(arena, "second", "ann")
    assert (second.connection.close_code, arena.connections_of("ANN")) == (4503, 1)
    assert "the limit of connected bots of one owner is 1" in second.connection.close_reason
    await owned(arena, "of-another", "Bob")
    for name in ("free-1", "free-2"):
        await seat(arena, name, ["tictactoe"])
    again = await Peer(arena).hello(first.token, ["tictactoe"])
    assert again["type"] == "welcome", "in its own place"
