# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import time
from dataclasses import replace
from functools import partial

import pytest

from arena.store import Store
from arena.store.errors import BadCursor, BadMatch, BadValue, Conflict, MatchFinished, UnknownMatch
from arena.store.rows import EventRow, Page, write_cursor
from tests.arena.store.company import CHECKERS, play, versions


async def test_a_match_comes_back_as_it_was_started(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    begun = time.time()
    new = replace(CHECKERS, players=(first.id, second.id), pair=7, kind="challenge", start="W:W21:B1")
    match_id = await store.matches.start(new)
    stored = await store.matches.get(match_id)
    assert stored is not None
    row = stored.row
    for name in ("game", "time_class", "time_control", "rated", "seed", "start", "opening", "pair", "kind"):
        assert getattr(row, name) == getattr(new, name), name
    assert (row.status, row.finished, row.result, row.termination, row.plies, row.pruned) == (
        ("live", None, None, None, None, False)
    )
    assert begun <= row.started <= time.time()
    assert [player.bot for player in row.players] == ["marion", "tinsley"]
    assert [player.version_id for player in row.players] == [first.id, second.id]
    assert [(player.rating_before, player.rating_change) for player in row.players] == [(1500.0, None)] * 2
    assert stored.events == []


async def test_events_come_back_in_order_and_repeating_them_does_no_harm(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    events = [(number, b'{"n":%d,"text":"\xc3\xa9 \\u0000"}' % number) for number in range(12)]
    await store.matches.append(match_id, events[6:])
    await store.matches.append(match_id, events)
    await store.matches.append(match_id, [])
    stored = await store.matches.get(match_id)
    assert stored is not None
    assert stored.events == [EventRow(*event) for event in events]


async def test_a_number_holds_one_event_only(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    await store.matches.append(match_id, [(0, b"{}")])
    with pytest.raises(Conflict, match="event 0"):
        await store.matches.append(match_id, [(0, b"[]"), (1, b"{}")])
    with pytest.raises(Conflict):
        await store.matches.finish(match_id, result="*", termination="void", plies=0, events=[(0, b"[]"), (1, b"{}")])
    stored = await store.matches.get(match_id)
    assert stored is not None
    assert stored.row.status == "live"
    assert stored.events == [EventRow(0, b"{}")]


async def test_only_live_matches_grow(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    finished = await play(store, first, second)
    with pytest.raises(MatchFinished):
        await store.matches.append(finished.match_id, [(2, b"{}")])
    with pytest.raises(UnknownMatch):
        await store.matches.append(finished.match_id + 1, [(0, b"{}")])
    with pytest.raises(UnknownMatch):
        await store.matches.finish(finished.match_id + 1, result="*", termination="void", plies=0)
    assert await store.matches.get(finished.match_id + 1) is None


async def test_the_second_of_a_pair_starts_with_the_end_of_the_first(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    one = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    end = partial(store.matches.finish, one, result="1-0", termination="decided", plies=2)
    with pytest.raises(BadMatch):
        await end(sequel=replace(CHECKERS, players=(second.id, second.id + 1), pair=one))
    assert [live.row.id for live in await store.matches.unfinished()] == [one], "both or nothing"
    finished = await end(sequel=replace(CHECKERS, players=(second.id, first.id), pair=one))
    (other,) = await store.matches.unfinished()
    assert finished.sequel == other.row.id
    assert (other.row.pair, other.row.players[0].bot) == (one, "tinsley")
    assert finished.changes is not None
    assert other.row.players[1].rating_before == finished.changes[0].after
    again = await end(sequel=replace(CHECKERS, players=(second.id, first.id), pair=one))
    assert again.sequel == finished.sequel
    assert len(await store.matches.unfinished()) == 1


async def test_players_must_be_registered_and_rated_ones_must_differ(store: Store) -> None:
    (first,) = await versions(store, "marion")
    another = await store.bots.version(first.bot_id, "2")
    with pytest.raises(BadMatch):
        await store.matches.start(replace(CHECKERS, players=(first.id, another.id + 1)))
    with pytest.raises(BadMatch):
        await store.matches.start(replace(CHECKERS, players=(first.id, another.id)))
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, first.id), rated=False))
    finished = await store.matches.finish(match_id, result="1-0", termination="decided", plies=1)
    assert finished.changes is None
    assert [row.id for row in (await store.matches.page("finished", bot_id=first.bot_id)).items] == [match_id]


async def test_an_end_is_recorded_once(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    once = await store.matches.finish(
        match_id, result="1-0", termination="time", detail="flag", plies=3, events=[(0, b"{}")]
    )
    again = await store.matches.finish(match_id, result="0-1", termination="decided", plies=9, events=[(1, b"{}")])
    assert again == once
    stored = await store.matches.get(match_id)
    assert stored is not None
    row = stored.row
    assert (row.status, row.result, row.termination, row.detail, row.plies) == ("finished", "1-0", "time", "flag", 3)
    assert [(player.rating_before, player.rating_after) for player in row.players] == [(1500, 1520), (1500, 1480)]
    assert stored.events == [EventRow(0, b"{}")]


async def test_many_ends_at_once_count_once(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    ends = [store.matches.finish(match_id, result="1-0", termination="decided", plies=2) for _ in range(20)]
    assert len(set(await asyncio.gather(*ends))) == 1
    assert (await store.ratings.get(first.id, "checkers", "bullet")).games == 1


async def test_unfinished_matches_come_back_whole_after_a_restart(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        first, second = await versions(store, "marion", "tinsley")
        await play(store, first, second)
        started = [await store.matches.start(replace(CHECKERS, players=(first.id, second.id))) for _ in range(3)]
        for match_id in started:
            await store.matches.append(match_id, [(n, b"%d" % (match_id * n)) for n in range(match_id)])
    async with await Store.open(database_url) as store:
        found = await store.matches.unfinished()
    assert [stored.row.id for stored in found] == started
    for match_id, stored in zip(started, found, strict=True):
        assert stored.events == [EventRow(n, b"%d" % (match_id * n)) for n in range(match_id)]


async def test_finished_matches_are_found_among_many(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    finished = [(await play(store, first, second)).match_id for _ in range(2)]
    live = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    assert {row.id for row in await store.matches.ended([*finished, live, live + 1])} == set(finished)
    assert await store.matches.ended([]) == []


async def test_lists_filter_by_status_game_and_bot_newest_first(store: Store) -> None:
    marion, tinsley, chinook = await versions(store, "marion", "tinsley", "chinook")
    played = []
    for first, second, game in [
        (marion, tinsley, "checkers"),
        (tinsley, chinook, "nim"),
        (chinook, marion, "nim"),
        (marion, chinook, "checkers"),
        (tinsley, marion, "nim"),
    ]:
        played.append((await play(store, first, second, game=game)).match_id)
    live = await store.matches.start(replace(CHECKERS, players=(marion.id, tinsley.id)))

    async def ids(status: str, **filters: object) -> list[int]:
        found: list[int] = []
        after: str | None = None
        while True:
            page = await store.matches.page(status, after=after, limit=2, **filters)  # type: ignore[arg-type]  # by name
            found += [row.id for row in page.items]
            if page.next is None:
                return found
            assert len(page.items) == 2
            after = page.next

    one, two, three, four, five = played
    assert await ids("live") == [live]
    assert await ids("finished") == [five, four, three, two, one]
    assert await ids("finished", game="nim") == [five, three, two]
    assert await ids("finished", bot_id=marion.bot_id) == [five, four, three, one]
    assert await ids("finished", bot_id=marion.bot_id, game="nim") == [five, three]
    assert await ids("live", bot_id=tinsley.bot_id) == [live]
    assert await ids("live", bot_id=chinook.bot_id) == []
    assert await ids("live", game="nim") == []


async def test_a_list_is_read_backwards_as_well_and_holds_what_goes_on_where_no_status_is_named(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    played = [(await play(store, marion, tinsley)).match_id for _ in range(3)]
    live = await store.matches.start(replace(CHECKERS, players=(marion.id, tinsley.id)))
    played += [(await play(store, marion, tinsley)).match_id for _ in range(3)]
    newest_first = sorted([*played, live], reverse=True)
    for filters in ({}, {"game": "checkers"}, {"bot_id": marion.bot_id}):
        pages = [await store.matches.page(None, limit=3, **filters)]
        while pages[-1].next:
            pages.append(await store.matches.page(None, limit=3, after=pages[-1].next, **filters))
        assert [row.id for page in pages for row in page.items] == newest_first
        assert [len(page.items) for page in pages] == [3, 3, 1]
        back = await store.matches.page(None, limit=3, before=pages[2].previous, **filters)
        assert back == pages[1]
        nearest = await store.matches.page(None, limit=2, before=pages[2].previous, **filters)
        assert [row.id for row in nearest.items] == newest_first[4:6]
        nothing = await store.matches.page(None, limit=3, before=pages[0].previous, **filters)
        assert nothing == Page([], None)


async def test_matches_that_ended_before_a_time_are_found_whenever_they_started(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    clock = [1000.0]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    ends: dict[int, float] = {}
    for number in range(40):
        clock[0] = 1000.0 + 10 * number
        match_id = await store.matches.start(replace(CHECKERS, players=(marion.id, tinsley.id)))
        clock[0] += 95 if number % 4 == 0 else 5  # every fourth outlasts nine that start later
        await store.matches.finish(match_id, result="1-0", termination="decided", plies=1)
        ends[match_id] = clock[0]
    live = await store.matches.start(replace(CHECKERS, players=(marion.id, tinsley.id)))
    for moment in (0.0, 1000.0, 1005.0, 1006.0, 1111.0, 1205.0, 1250.5, 1400.0, 1e12):
        expected = sorted((number for number, end in ends.items() if end < moment), reverse=True)
        for filters in ({}, {"bot_id": tinsley.bot_id}, {"game": "checkers"}):
            page = await store.matches.page(None, ended=(0.0, moment), limit=50, **filters)
            assert [row.id for row in page.items] == expected
    assert live not in ends


async def test_texts_that_no_database_holds_are_mended_and_what_cannot_be_is_not_found(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    detail = "played 'a\0b\ud800c' \U0001f600"
    await store.matches.finish(match_id, result="0-1", termination="illegal move", detail=detail, plies=0)
    stored = await store.matches.get(match_id)
    assert stored is not None
    assert stored.row.detail == "played 'a\ufffdb\ufffdc' \U0001f600"
    label = (await store.bots.version(first.bot_id, "1\0")).label
    assert label == "1\ufffd"
    for ask in (
        store.matches.get(2**70),
        store.bots.get(-(2**70)),
        store.matches.page("live", bot_id=2**70),
        store.bots.named("\ud800"),
    ):
        with pytest.raises(BadValue):
            await ask
    with pytest.raises(BadCursor):
        await store.matches.page("live", after=write_cursor(2**70))


async def test_rated_challenges_have_both_bots_and_their_time(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    began = time.time()
    rated = replace(CHECKERS, players=(first.id, second.id), kind="challenge")
    one = await store.matches.start(rated)
    await store.matches.start(replace(rated, pair=one))
    await store.matches.start(replace(rated, rated=False))
    await store.matches.start(replace(rated, kind="ladder"))
    ((*bots, started),) = await store.matches.rated_challenges(began - 1)
    assert bots == [first.bot_id, second.bot_id]
    assert began <= started <= time.time()
    assert await store.matches.rated_challenges(time.time() + 1) == []
