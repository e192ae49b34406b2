# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import itertools
import random
from dataclasses import replace

import pytest

from arena.rating import elo
from arena.store import Store
from arena.store.errors import BadCursor
from tests.arena.store.company import CHECKERS, play, versions

RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


async def test_a_player_without_games_has_the_rating_1500(store: Store) -> None:
    (version,) = await versions(store, "marion")
    standing = await store.ratings.get(version.id, "checkers", "bullet")
    assert (standing.rating, standing.games, standing.last_played, standing.provisional) == (1500.0, 0, None, True)
    assert await store.ratings.of_bot(version.bot_id) == []


async def test_a_series_of_results_rates_as_the_formula_does_by_hand(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    dice = random.Random(7)
    by_hand = (elo.EloRating(), elo.EloRating())
    history = []
    for number in range(1, 40):
        result = dice.choice(list(RESULTS))
        new = elo.rate(*by_hand, RESULTS[result])
        finished = await play(store, first, second, result)
        assert finished.changes is not None
        assert [(change.before, change.after) for change in finished.changes] == [
            (old.rating, rating) for old, rating in zip(by_hand, new, strict=True)
        ]
        by_hand = elo.EloRating(new[0], number), elo.EloRating(new[1], number)
        history.append((finished.match_id, new[0]))
    standing = await store.ratings.get(first.id, "checkers", "bullet")
    assert (standing.rating, standing.games, standing.provisional) == (by_hand[0].rating, 39, False)
    assert standing.wins + standing.draws + standing.losses == 39
    mirrored = await store.ratings.get(second.id, "checkers", "bullet")
    assert (mirrored.wins, mirrored.draws, mirrored.losses) == (standing.losses, standing.draws, standing.wins)
    assert standing.last_change == pytest.approx(history[-1][1] - history[-2][1])
    points = await store.ratings.history(first.bot_id, "checkers", "bullet")
    assert [(point.match_id, point.rating) for point in points] == history
    points = await store.ratings.history(first.bot_id, "checkers", "bullet", limit=5)
    assert [(point.match_id, point.rating) for point in points] == history[-5:]


@pytest.mark.parametrize(("result", "rated"), [("*", True), ("1-0", False)])
async def test_void_and_unrated_matches_change_nothing(store: Store, result: str, rated: bool) -> None:
    first, second = await versions(store, "marion", "tinsley")
    finished = await play(store, first, second, result, rated=rated)
    assert finished.changes is None
    assert (await store.ratings.get(first.id, "checkers", "bullet")).games == 0
    assert await store.ratings.history(first.bot_id, "checkers", "bullet") == []
    stored = await store.matches.get(finished.match_id)
    assert stored is not None
    assert [player.rating_change for player in stored.row.players] == [None, None]


async def test_ratings_belong_to_version_game_and_time_class(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    newer = await store.bots.version(first.bot_id, "2")
    await play(store, first, second, "1-0")
    await play(store, newer, second, "0-1")
    await play(store, first, second, "1-0", game="nim")
    standings = {(row.version_id, row.game): row.wins for row in await store.ratings.of_bot(first.bot_id)}
    assert standings == {(first.id, "checkers"): 1, (first.id, "nim"): 1, (newer.id, "checkers"): 0}
    assert [row.version_id for row in await store.ratings.of_bot(first.bot_id)] == [newer.id, first.id, first.id]
    assert [row.version_id for row in await store.ratings.of_bot(first.bot_id, 2)] == [newer.id, first.id]
    assert (await store.ratings.get(first.id, "checkers", "blitz")).games == 0
    board = await store.ratings.leaderboard("checkers", "bullet")
    assert [(row.bot, row.version) for row in board.items] == [("marion", "1"), ("tinsley", "1"), ("marion", "2")]


async def test_matches_that_end_at_once_and_share_bots_all_count(store: Store) -> None:
    players = await versions(store, *(f"bot-{number}" for number in range(4)))
    dice = random.Random(3)
    pairs = [dice.sample(players, 2) for _ in range(60)]
    ended = await asyncio.gather(*(play(store, first, second, "1-0") for first, second in pairs))
    for version in players:
        mine = [change for each in ended for change in each.changes or () if change.version_id == version.id]
        # However the ends were ordered, each began where the one before it had left off.
        befores, afters = {change.before for change in mine}, {change.after for change in mine}
        standing = await store.ratings.get(version.id, "checkers", "bullet")
        assert standing.games == len(mine) == sum(version in pair for pair in pairs)
        assert standing.wins == sum(pair[0] is version for pair in pairs)
        assert (befores | afters) - befores <= {standing.rating}
        assert (befores | afters) - afters <= {1500.0}


async def test_the_leaderboards_pages_join_in_order_without_the_removed(store: Store) -> None:
    players = await versions(store, *(f"bot-{number}" for number in range(9)))
    for first, second in itertools.pairwise(players):
        await play(store, first, second, random.Random(first.id).choice(["1-0", "1/2-1/2"]))
    await store.bots.remove("bot-3")
    page = await store.ratings.leaderboard("checkers", "bullet", limit=3)
    rows = list(page.items)
    while page.next:
        page = await store.ratings.leaderboard("checkers", "bullet", after=page.next, limit=3)
        rows += page.items
    assert [row.rank for row in rows] == list(range(1, 9))
    assert "bot-3" not in {row.bot for row in rows}
    assert rows == sorted(rows, key=lambda row: (-row.rating_row.rating, row.rating_row.version_id))
    assert (await store.ratings.leaderboard("checkers", "bullet", limit=8)).next is None
    assert (await store.ratings.leaderboard("nim", "bullet")).items == []
    with pytest.raises(BadCursor):
        await store.ratings.leaderboard("checkers", "bullet", after="WzFd")


async def test_the_rating_that_a_match_shows_is_the_one_right_before_its_end(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    await play(store, first, second, "1-0")
    stored = await store.matches.get(match_id)
    assert stored is not None
    assert stored.row.players[0].rating_before == 1500
    finished = await store.matches.finish(match_id, result="1-0", termination="decided", plies=2)
    assert finished.changes is not None
    assert finished.changes[0].before == 1520


async def test_a_new_version_starts_at_the_rating_that_the_version_before_has_now(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    second = await store.bots.version(marion.bot_id, "2")
    third = await store.bots.version(marion.bot_id, "3")
    await play(store, marion, tinsley)
    now = (await store.ratings.get(marion.id, "checkers", "bullet")).rating
    before = await store.ratings.get(third.id, "checkers", "bullet")
    assert (before.rating, before.initial, before.games) == (now, now, 0), "the second has not played"
    ended = await play(store, third, tinsley)
    assert ended.changes is not None
    assert ended.changes[0].before == now
    after = await store.ratings.get(third.id, "checkers", "bullet")
    assert (after.initial, after.games, after.provisional) == (now, 1, True)
    assert (await store.ratings.get(second.id, "checkers", "bullet")).rating == now, "no later version counts"
    assert (await store.ratings.get(third.id, "nim", "bullet")).rating == 1500


@pytest.mark.parametrize("how", ["crash", "disconnect", "bad message", "illegal move", "time", "resignation"])
async def test_wins_by_an_opponents_failure_are_counted(store: Store, how: str) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(marion.id, tinsley.id)))
    await store.matches.finish(match_id, result="0-1", termination=how, plies=2)
    failed = how not in ("time", "resignation")
    counts = [(await store.ratings.get(each.id, "checkers", "bullet")).wins_by_failure for each in (marion, tinsley)]
    assert counts == [0, int(failed)]


async def test_games_against_bots_of_the_same_owner_are_counted(store: Store) -> None:
    owners = {"one": "Ann", "two": " ann", "other": "Bob", "free": "", "loose": ""}
    bots = {name: await store.bots.add(name, f"hash of {name}", owner=owner) for name, owner in owners.items()}
    of = {name: await store.bots.version(bot.id, "1") for name, bot in bots.items()}
    await play(store, of["one"], of["two"])
    await play(store, of["free"], of["loose"])
    await play(store, of["two"], of["one"], rated=False)
    await play(store, of["other"], of["two"])
    found = {name: await store.ratings.get(version.id, "checkers", "bullet") for name, version in of.items()}
    assert {name: (row.own_games, row.own) for name, row in found.items()} == {
        "one": (1, "only"),
        "two": (1, ""),
        "other": (0, ""),
        "free": (0, ""),
        "loose": (0, ""),
    }
    mostly = [replace(found["one"], games=10, own_games=own).own for own in (8, 9, 10)]
    assert mostly == ["", "mostly", "only"]
