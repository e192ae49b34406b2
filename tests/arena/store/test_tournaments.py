# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from arena.store import Store
from arena.store.errors import BadStatus, Conflict, UnknownTournament
from arena.store.rows import TournamentStatus


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
