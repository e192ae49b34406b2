# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
from dataclasses import replace

import pytest

from arena.store import Store
from arena.store.errors import AlreadyLive, BadStatus, Conflict, UnknownTournament
from arena.store.rows import NewMatch, TournamentStatus
from tests.arena.store.company import CHECKERS, versions


async def test_a_tournament_is_kept_with_its_events(store: Store) -> None:
    row = await store.tournaments.add("Spring", "nim", b'{"seed": 1}')
    assert (row.name, row.game, row.config, row.status, row.length) == ("Spring", "nim", '{"seed": 1}', "created", 0)
    await store.tournaments.append(row.id, 0, [b"1", b"2"])
    await store.tournaments.append(row.id, 2, [b"3"])
    assert await store.tournaments.events(row.id) == [b"1", b"2", b"3"]
    assert (await store.tournaments.get(row.id)).length == 3


async def test_an_append_at_a_wrong_length_is_a_conflict(store: Store) -> None:
    row = await store.tournaments.add("Spring", "nim", b"{}")
    await store.tournaments.append(row.id, 0, [b"1", b"2"])
    with pytest.raises(Conflict):
        await store.tournaments.append(row.id, 0, [b"1", b"other"])
    with pytest.raises(Conflict):
        await store.tournaments.append(row.id, 1, [b"2", b"3"])
    with pytest.raises(Conflict):
        await store.tournaments.append(row.id, 5, [b"6"])
    await store.tournaments.append(row.id, 0, [b"1", b"2"])
    assert await store.tournaments.events(row.id) == [b"1", b"2"]


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        (["running", "paused", "running", "finished"], ["running", "paused", "cancelled"]),
        (["running", "cancelled"], ["running", "finished"]),
        (["cancelled"], ["running"]),
        ([], ["paused", "finished"]),
    ],
)
async def test_how_it_may_stand(store: Store, path: list[TournamentStatus], refused: list[TournamentStatus]) -> None:
    row = await store.tournaments.add("Spring", "nim", b"{}")
    for status in path:
        assert (await store.tournaments.become(row.id, status)).status == status
        assert (await store.tournaments.become(row.id, status)).status == status
    for status in refused:
        with pytest.raises(BadStatus):
            await store.tournaments.become(row.id, status)
    assert ((await store.tournaments.get(row.id)).ended is not None) == (path[-1:] in (["finished"], ["cancelled"]))


async def test_lists_are_pages(store: Store) -> None:
    numbers = [(await store.tournaments.add(f"Cup {number}", "nim", b"{}")).id for number in range(5)]
    await store.tournaments.become(numbers[0], "running")
    first = await store.tournaments.page(limit=3)
    second = await store.tournaments.page(after=first.next, limit=3)
    assert [row.id for row in (*first.items, *second.items)] == numbers[::-1]
    assert second.next is None
    assert [row.id for row in (await store.tournaments.page(["running"])).items] == numbers[:1]
    assert [row.id for row in await store.tournaments.under_way()] == numbers[:1]


async def test_unknown_tournaments_are_refused(store: Store) -> None:
    with pytest.raises(UnknownTournament):
        await store.tournaments.get(7)
    with pytest.raises(UnknownTournament):
        await store.tournaments.become(7, "running")
    with pytest.raises(UnknownTournament):
        await store.tournaments.append(7, 0, [b"1"])


async def game_of(store: Store, *places: str) -> list[NewMatch]:
    """Return the matches of games of a new tournament."""
    first, second = await versions(store, "marion", "tinsley")
    number = (await store.tournaments.add("Spring", "checkers", b"{}")).id
    new = replace(CHECKERS, players=(first.id, second.id), kind="tournament", tournament=number)
    return [replace(new, round=place, seed=seed) for seed, place in enumerate(places)]


async def test_a_game_of_a_tournament_has_one_live_match(store: Store) -> None:
    game, other = await game_of(store, "1.1.1", "1.1.2")
    numbers = [await store.matches.start(each) for each in (game, other, replace(game, tournament=7), CHECKERS_TWICE)]
    assert len(set(numbers)) == 4
    with pytest.raises(
        AlreadyLive, match=f"game 1.1.1 of tournament {game.tournament} .* in match {numbers[0]}$"
    ) as no:
        await store.matches.start(replace(game, seed=99))
    assert no.value.match == numbers[0]
    await store.matches.finish(numbers[0], result="*", termination="void", plies=2)
    assert await store.matches.start(replace(game, seed=99)) > numbers[-1], "a void game is played again"


CHECKERS_TWICE = replace(CHECKERS, players=(1, 2))


async def test_two_servers_cannot_start_the_same_game(database_url: str, store: Store) -> None:
    """One of them may lead no more, and not know it yet. Other commands of the same groups are carried out."""
    places = [f"1.{board}.1" for board in range(1, 21)]
    games = await game_of(store, *places)
    async with await Store.open(database_url) as stale:

        async def start(server: Store) -> list[int | BaseException]:
            others = [server.bots.describe("marion", str(number)) for number in range(20)]
            starts = [server.matches.start(game) for game in (games if server is store else games[::-1])]
            found = await asyncio.gather(*starts, return_exceptions=True)
            await asyncio.gather(*others)
            return found

        outcomes = [*await asyncio.gather(start(store), start(stale))]
        live = [stored.row for stored in await store.matches.unfinished()]
    assert sorted(str(row.round) for row in live) == sorted(places)
    numbers = {row.id for row in live}
    refused = [each for each in (*outcomes[0], *outcomes[1]) if not isinstance(each, int)]
    assert len(refused) == len(places)
    assert {each.match for each in refused if isinstance(each, AlreadyLive)} <= numbers
    assert all(isinstance(each, AlreadyLive) for each in refused)
