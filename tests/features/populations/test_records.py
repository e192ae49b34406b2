# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations in both databases."""

import pytest

from arena.features.populations.records import PopulationRecords, UnknownPopulation
from arena.store import Store
from arena.store.errors import Conflict, NameTaken

POPULATIONS = (("One", "nim"), ("Two", "nim"), ("Other", "chess"))


async def test_generations_are_kept_in_order(store: Store) -> None:
    row = await store.records(PopulationRecords).add("Home", "chess", b'{"seed": 1}')
    assert (row.name, row.length) == ("Home", 0)
    assert await store.records(PopulationRecords).add("Home", "chess", b'{"seed": 1}') == row
    for number in range(3):
        await store.records(PopulationRecords).append(row.id, number, b"%d" % number)
    assert [each.body for each in await store.records(PopulationRecords).generations(row.id)] == [b"0", b"1", b"2"]
    assert [each.number for each in await store.records(PopulationRecords).generations(row.id, since=1, limit=1)] == [1]
    assert [each.number for each in await store.records(PopulationRecords).generations(row.id, every=2)] == [0, 2]
    assert (await store.records(PopulationRecords).get(row.id)).length == 3


async def test_what_is_repeated_does_no_harm_and_what_is_out_of_order_is_refused(store: Store) -> None:
    row = await store.records(PopulationRecords).add("Home", "chess", b"{}")
    await store.records(PopulationRecords).append(row.id, 0, b"first")
    await store.records(PopulationRecords).append(row.id, 0, b"first")
    for number, body in ((0, b"other"), (2, b"third"), (7, b"first")):
        with pytest.raises(Conflict, match="the next is 1"):
            await store.records(PopulationRecords).append(row.id, number, body)
    assert [each.body for each in await store.records(PopulationRecords).generations(row.id)] == [b"first"]


async def test_two_populations_do_not_share_a_name(store: Store) -> None:
    await store.records(PopulationRecords).add("Home", "chess", b"{}")
    with pytest.raises(NameTaken):
        await store.records(PopulationRecords).add("Home", "chess", b'{"seed": 2}')
    with pytest.raises(UnknownPopulation):
        await store.records(PopulationRecords).append(99, 0, b"{}")
    with pytest.raises(UnknownPopulation):
        await store.records(PopulationRecords).get(99)


async def test_pages_begin_with_the_newest(store: Store) -> None:
    numbers = [(await store.records(PopulationRecords).add(f"Home {number}", "nim", b"{}")).id for number in range(5)]
    first = await store.records(PopulationRecords).page(limit=3)
    second = await store.records(PopulationRecords).page(after=first.next, limit=3)
    assert [row.id for row in (*first.items, *second.items)] == numbers[::-1]
    assert second.next is None


async def test_active_populations_begin_with_the_newest_generation(store: Store) -> None:
    records = store.records(PopulationRecords)
    first, second, other = [await records.add(name, game, b"{}") for name, game in POPULATIONS]
    await records.add("Not begun", "nim", b"{}")
    for row, number in ((second, 0), (other, 0), (first, 0), (first, 1)):
        await records.append(row.id, number, b"{}")
    assert [(row.name, row.length) for row in await records.active(None, 5)] == [("One", 2), ("Other", 1), ("Two", 1)]
    assert [row.name for row in await records.active("nim", 1)] == ["One"]
    (newest,) = await records.active("chess", 5)
    (kept,) = await records.generations(other.id)
    assert newest == (other.id, "Other", "chess", 1, kept.created)
