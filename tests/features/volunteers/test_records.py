# SPDX-License-Identifier: GPL-3.0-or-later
"""Demes, exams and migrations in both databases."""

import asyncio
from typing import Any

import pytest

from arena.features.volunteers.errors import UnknownDeme, UnknownExam, UnknownMigration
from arena.features.volunteers.records import DemeRecords, Gift, Stand
from arena.features.volunteers.rows import DemeRow
from arena.features.volunteers.verification import check_demes
from arena.store import Store
from arena.store.errors import BadName, NameTaken


def stand(row: DemeRow, sequence: int, **more: Any) -> Stand:
    """Return how a deme stands after so many reports."""
    values = {"game": "chess", "joined": "{}", "sequence": sequence, "report": f"[{sequence}]", "seen": 1.0}
    return Stand(row.id, values | {"reports": sequence, "repeated": 0, "refusals": "{}"}, **more)


async def tried(store: Store, row: DemeRow, digest: str, verdict: str = "confirmed", **more: Any) -> int:
    """Note an exam."""
    return await store.records(DemeRecords).add_exam(row.id, "chess", digest, verdict, b"{}", at=5.0, **more)


async def test_a_deme_is_let_in_found_and_let_in_no_more(store: Store) -> None:
    row = await store.records(DemeRecords).add("island", "secret")
    assert (row.name, row.sequence, row.game, row.quarantined) == ("island", 0, None, None)
    assert await store.records(DemeRecords).by_token("secret") == await store.records(DemeRecords).get(row.id) == row
    for name, refusal in (("island", NameTaken), ("", BadName), ("\n", BadName), ("x" * 61, BadName)):
        with pytest.raises(refusal):
            await store.records(DemeRecords).add(name, f"secret of {name}")
    await store.records(DemeRecords).remove("island")
    assert await store.records(DemeRecords).by_token("secret") is None
    assert await store.records(DemeRecords).keys() == [(row.id, None, 0)]
    for work in (
        store.records(DemeRecords).remove("nobody"),
        store.records(DemeRecords).pardon("nobody"),
        store.records(DemeRecords).get(99),
    ):
        with pytest.raises(UnknownDeme):
            await work


async def test_demes_are_saved_together(store: Store) -> None:
    rows = [await store.records(DemeRecords).add(f"deme {number}", f"token {number}") for number in range(20)]
    await asyncio.gather(
        *(store.records(DemeRecords).save(stand(row, row.id, points=[(row.id, b"{}")])) for row in rows)
    )
    assert [row.sequence for row in await store.records(DemeRecords).all()] == [row.id for row in rows]
    assert [point.generation for point in await store.records(DemeRecords).course(rows[3].id)] == [rows[3].id]
    # of two that are written together the later stays
    await asyncio.gather(*(store.records(DemeRecords).save(stand(rows[0], number)) for number in (7, 8, 9)))
    assert (await store.records(DemeRecords).get(rows[0].id)).report == "[9]"


async def test_a_course_is_thinned_and_begun_anew(store: Store) -> None:
    one, other = [await store.records(DemeRecords).add(name, name) for name in ("one", "other")]
    for row in (one, other):
        await store.records(DemeRecords).save(
            stand(row, 1, points=[(number, b'{"of": %d}' % number) for number in range(9)])
        )
    await store.records(DemeRecords).save(stand(one, 2, points=[(9, b"{}"), (8, b"another")], thin=4))
    course = await store.records(DemeRecords).course(one.id)
    assert [point.generation for point in course] == [0, 4, 8]
    assert course[-1].body == b'{"of": 8}', "what is noted already stays"
    await store.records(DemeRecords).save(stand(one, 3, points=[(0, b"new")], begun=True))
    assert await store.records(DemeRecords).course(one.id) == [(0, b"new")]
    assert len(await store.records(DemeRecords).course(other.id)) == 9


async def test_exams_are_kept_and_the_refuted_in_quarantine(store: Store) -> None:
    one, other = [await store.records(DemeRecords).add(name, name) for name in ("one", "other")]
    numbers = [await tried(store, row, "a") for row in (one, other, one)]
    last = await tried(store, one, "b", "refuted", quarantined="it lied")
    row = await store.records(DemeRecords).get(one.id)
    assert (row.quarantined, row.why) == (5.0, "it lied")
    page = await store.records(DemeRecords).exams(deme=one.id, limit=2)
    assert [exam.id for exam in page.items] == [last, numbers[2]]
    rest = await store.records(DemeRecords).exams(deme=one.id, limit=2, after=page.next)
    assert [(exam.id, exam.deme) for exam in rest.items] == [(numbers[0], "one")]
    assert [exam.id for exam in await store.records(DemeRecords).last_exams()] == [numbers[1], numbers[2], last]
    assert (await store.records(DemeRecords).exam(last)).verdict == "refuted"
    with pytest.raises(UnknownExam):
        await store.records(DemeRecords).exam(99)
    await store.records(DemeRecords).pardon("one")
    row = await store.records(DemeRecords).get(one.id)
    assert (row.quarantined, row.why, row.pardons) == (None, "", 1)


async def test_migrations_are_offered_and_arrive_once(store: Store) -> None:
    giver, taker, other = [await store.records(DemeRecords).add(name, name) for name in ("giver", "taker", "other")]
    exam = await tried(store, giver, "abc")
    first, second = [await store.records(DemeRecords).mate(exam, giver.id, taker.id, "chess") for _ in range(2)]
    await store.records(DemeRecords).save(stand(other, 1, arrived=[first]))
    assert (await store.records(DemeRecords).mating(first)).arrived is None, "who takes says so"
    await store.records(DemeRecords).save(stand(taker, 1, arrived=[first]))
    arrived = (await store.records(DemeRecords).mating(first)).arrived
    await store.records(DemeRecords).save(stand(taker, 2, arrived=[first]))
    assert (await store.records(DemeRecords).mating(first)).arrived == arrived is not None
    assert await store.records(DemeRecords).gifts() == [
        Gift(first, exam, "abc", giver.id, taker.id, True),
        Gift(second, exam, "abc", giver.id, taker.id, False),
    ]
    page = await store.records(DemeRecords).matings(game="chess", limit=1)
    assert [(one.id, one.giver, one.taker, one.exam.digest) for one in page.items] == [
        (second, "giver", "taker", "abc")
    ]
    rest = await store.records(DemeRecords).matings(after=page.next)
    assert [one.id for one in rest.items] == [first]
    assert (await store.records(DemeRecords).matings(game="checkers")).items == []
    with pytest.raises(UnknownMigration):
        await store.records(DemeRecords).mating(99)


async def test_what_should_not_have_spread_is_found(store: Store) -> None:
    giver, taker = [await store.records(DemeRecords).add(name, name) for name in ("giver", "taker")]
    await store.records(DemeRecords).save(stand(giver, 3))
    good, bad = await tried(store, giver, "abc"), await tried(store, giver, "def", "doubtful")
    await store.records(DemeRecords).mate(good, giver.id, taker.id, "chess")
    wrong = [
        await store.records(DemeRecords).mate(bad, giver.id, taker.id, "chess"),
        await store.records(DemeRecords).mate(good, taker.id, giver.id, "chess"),
        await store.records(DemeRecords).mate(good, giver.id, giver.id, "chess"),
    ]
    found = await store.audit(lambda audit: list(check_demes(audit)))
    assert [one.where for one in found] == [f"migration {number}" for number in wrong]
    values = stand(giver, 4).values | {"reports": 3}
    await store.records(DemeRecords).save(Stand(giver.id, values))
    (first, *_) = await store.audit(lambda audit: list(check_demes(audit)))
    assert (first.where, first.what) == (f"island {giver.id}", "3 up to 4")
