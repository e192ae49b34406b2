# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands, verifications and migrations in both databases."""

import asyncio
from typing import Any

import pytest

from arena.features.volunteers.records import Gift, IslandRecords, Stand, check_islands
from arena.features.volunteers.rows import IslandRow, UnknownIsland, UnknownMigration, UnknownVerification
from arena.store import Store
from arena.store.errors import BadName, NameTaken


def stand(row: IslandRow, sequence: int, **more: Any) -> Stand:
    """Return how an island stands after so many reports."""
    values = {"game": "chess", "joined": "{}", "sequence": sequence, "report": f"[{sequence}]", "seen": 1.0}
    return Stand(row.id, values | {"reports": sequence, "repeated": 0, "refusals": "{}"}, **more)


async def tried(store: Store, row: IslandRow, digest: str, verdict: str = "confirmed", **more: Any) -> int:
    """Note an verification."""
    return await store.records(IslandRecords).add_verification(row.id, "chess", digest, verdict, b"{}", at=5.0, **more)


async def test_an_island_is_let_in_found_and_let_in_no_more(store: Store) -> None:
    row = await store.records(IslandRecords).add("island", "secret")
    assert (row.name, row.sequence, row.game, row.quarantined) == ("island", 0, None, None)
    assert (
        await store.records(IslandRecords).by_token("secret") == await store.records(IslandRecords).get(row.id) == row
    )
    for name, refusal in (("island", NameTaken), ("", BadName), ("\n", BadName), ("x" * 61, BadName)):
        with pytest.raises(refusal):
            await store.records(IslandRecords).add(name, f"secret of {name}")
    await store.records(IslandRecords).remove("island")
    assert await store.records(IslandRecords).by_token("secret") is None
    assert await store.records(IslandRecords).keys() == [(row.id, None, 0)]
    for work in (
        store.records(IslandRecords).remove("nobody"),
        store.records(IslandRecords).lift("nobody"),
        store.records(IslandRecords).get(99),
    ):
        with pytest.raises(UnknownIsland):
            await work


async def test_islands_are_saved_together(store: Store) -> None:
    rows = [await store.records(IslandRecords).add(f"island {number}", f"token {number}") for number in range(20)]
    await asyncio.gather(
        *(store.records(IslandRecords).save(stand(row, row.id, points=[(row.id, b"{}")])) for row in rows)
    )
    assert [row.sequence for row in await store.records(IslandRecords).all()] == [row.id for row in rows]
    assert [point.generation for point in await store.records(IslandRecords).course(rows[3].id)] == [rows[3].id]
    # of two that are written together the later stays
    await asyncio.gather(*(store.records(IslandRecords).save(stand(rows[0], number)) for number in (7, 8, 9)))
    assert (await store.records(IslandRecords).get(rows[0].id)).report == "[9]"


async def test_a_course_is_thinned_and_begun_anew(store: Store) -> None:
    one, other = [await store.records(IslandRecords).add(name, name) for name in ("one", "other")]
    for row in (one, other):
        await store.records(IslandRecords).save(
            stand(row, 1, points=[(number, b'{"of": %d}' % number) for number in range(9)])
        )
    await store.records(IslandRecords).save(stand(one, 2, points=[(9, b"{}"), (8, b"another")], thin=4))
    course = await store.records(IslandRecords).course(one.id)
    assert [point.generation for point in course] == [0, 4, 8]
    assert course[-1].body == b'{"of": 8}', "what is noted already stays"
    await store.records(IslandRecords).save(stand(one, 3, points=[(0, b"new")], begun=True))
    assert await store.records(IslandRecords).course(one.id) == [(0, b"new")]
    assert len(await store.records(IslandRecords).course(other.id)) == 9


async def test_verifications_are_kept_and_the_refuted_in_quarantine(store: Store) -> None:
    one, other = [await store.records(IslandRecords).add(name, name) for name in ("one", "other")]
    numbers = [await tried(store, row, "a") for row in (one, other, one)]
    last = await tried(store, one, "b", "refuted", quarantined="it lied")
    row = await store.records(IslandRecords).get(one.id)
    assert (row.quarantined, row.why) == (5.0, "it lied")
    page = await store.records(IslandRecords).verifications(island=one.id, limit=2)
    assert [verification.id for verification in page.items] == [last, numbers[2]]
    rest = await store.records(IslandRecords).verifications(island=one.id, limit=2, after=page.next)
    assert [(verification.id, verification.island) for verification in rest.items] == [(numbers[0], "one")]
    assert [verification.id for verification in await store.records(IslandRecords).last_verifications()] == [
        numbers[1],
        numbers[2],
        last,
    ]
    assert (await store.records(IslandRecords).verification(last)).verdict == "refuted"
    with pytest.raises(UnknownVerification):
        await store.records(IslandRecords).verification(99)
    await store.records(IslandRecords).lift("one")
    row = await store.records(IslandRecords).get(one.id)
    assert (row.quarantined, row.why, row.pardons) == (None, "", 1)


async def test_migrations_are_offered_and_arrive_once(store: Store) -> None:
    giver, taker, other = [await store.records(IslandRecords).add(name, name) for name in ("giver", "taker", "other")]
    verification = await tried(store, giver, "abc")
    first, second = [
        await store.records(IslandRecords).mate(verification, giver.id, taker.id, "chess") for _ in range(2)
    ]
    await store.records(IslandRecords).save(stand(other, 1, arrived=[first]))
    assert (await store.records(IslandRecords).mating(first)).arrived is None, "who takes says so"
    await store.records(IslandRecords).save(stand(taker, 1, arrived=[first]))
    arrived = (await store.records(IslandRecords).mating(first)).arrived
    await store.records(IslandRecords).save(stand(taker, 2, arrived=[first]))
    assert (await store.records(IslandRecords).mating(first)).arrived == arrived is not None
    assert await store.records(IslandRecords).gifts() == [
        Gift(first, verification, "abc", giver.id, taker.id, True),
        Gift(second, verification, "abc", giver.id, taker.id, False),
    ]
    page = await store.records(IslandRecords).matings(game="chess", limit=1)
    assert [(one.id, one.giver, one.taker, one.verification.digest) for one in page.items] == [
        (second, "giver", "taker", "abc")
    ]
    rest = await store.records(IslandRecords).matings(after=page.next)
    assert [one.id for one in rest.items] == [first]
    assert (await store.records(IslandRecords).matings(game="checkers")).items == []
    with pytest.raises(UnknownMigration):
        await store.records(IslandRecords).mating(99)


async def test_what_should_not_have_spread_is_found(store: Store) -> None:
    giver, taker = [await store.records(IslandRecords).add(name, name) for name in ("giver", "taker")]
    await store.records(IslandRecords).save(stand(giver, 3))
    good, bad = await tried(store, giver, "abc"), await tried(store, giver, "def", "doubtful")
    await store.records(IslandRecords).mate(good, giver.id, taker.id, "chess")
    wrong = [
        await store.records(IslandRecords).mate(bad, giver.id, taker.id, "chess"),
        await store.records(IslandRecords).mate(good, taker.id, giver.id, "chess"),
        await store.records(IslandRecords).mate(good, giver.id, giver.id, "chess"),
    ]
    found = await store.audit(lambda audit: list(check_islands(audit)))
    assert [one.where for one in found] == [f"migration {number}" for number in wrong]
    values = stand(giver, 4).values | {"reports": 3}
    await store.records(IslandRecords).save(Stand(giver.id, values))
    (first, *_) = await store.audit(lambda audit: list(check_islands(audit)))
    assert (first.where, first.what) == (f"island {giver.id}", "3 up to 4")
