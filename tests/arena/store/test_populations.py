# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations in both databases."""

import pytest

from arena.store import Store
from arena.store.errors import Conflict, NameTaken, UnknownPopulation
from tests.arena.store.company import play, versions


async def test_generations_are_kept_in_order(store: Store) -> None:
    row = await store.populations.add("House", "chess", b'{"seed": 1}')
    assert (row.name, row.length) == ("House", 0)
    assert await store.populations.add("House", "chess", b'{"seed": 1}') == row
    for number in range(3):
        await store.populations.append(row.id, number, b"%d" % number)
    assert [each.body for each in await store.populations.generations(row.id)] == [b"0", b"1", b"2"]
    assert [each.number for each in await store.populations.generations(row.id, since=1, limit=1)] == [1]
    assert [each.number for each in await store.populations.generations(row.id, every=2)] == [0, 2]
    assert (await store.populations.get(row.id)).length == 3


async def test_what_is_repeated_does_no_harm_and_what_is_out_of_order_is_refused(store: Store) -> None:
    row = await store.populations.add("House", "chess", b"{}")
    await store.populations.append(row.id, 0, b"first")
    await store.populations.append(row.id, 0, b"first")
    for number, body in ((0, b"other"), (2, b"third"), (7, b"first")):
        with pytest.raises(Conflict, match="the next is 1"):
            await store.populations.append(row.id, number, body)
    assert [each.body for each in await store.populations.generations(row.id)] == [b"first"]


async def test_two_populations_do_not_share_a_name(store: Store) -> None:
    await store.populations.add("House", "chess", b"{}")
    with pytest.raises(NameTaken):
        await store.populations.add("House", "chess", b'{"seed": 2}')
    with pytest.raises(UnknownPopulation):
        await store.populations.append(99, 0, b"{}")
    with pytest.raises(UnknownPopulation):
        await store.populations.get(99)


async def test_pages_begin_with_the_newest(store: Store) -> None:
    numbers = [(await store.populations.add(f"Deme {number}", "nim", b"{}")).id for number in range(5)]
    first = await store.populations.page(limit=3)
    second = await store.populations.page(after=first.next, limit=3)
    assert [row.id for row in (*first.items, *second.items)] == numbers[::-1]
    assert second.next is None


async def test_genomes_come_with_their_ratings(store: Store) -> None:
    one, other, third = await versions(store, "one", "other", "third")
    for version in (one, other, third):
        await store.populations.express(version.id, "checkers", b'{"of": %d}' % version.id)
    await store.populations.express(one.id, "checkers", b'{"another": 1}')
    assert [row.rating for row in await store.populations.genomes("checkers")] == [None, None, None]
    await play(store, other, one)
    found = await store.populations.genomes("checkers")
    assert [row.bot for row in found] == ["other", "one", "third"]
    assert found[0].rating is not None
    assert found[0].games == 1
    assert found[1].body == f'{{"of": {one.id}}}', "what was noted first stays"
    assert await store.populations.genomes("chess") == []
    await store.bots.remove("other")
    assert [row.bot for row in await store.populations.genomes("checkers")] == ["one", "third"]
