# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes in both databases."""

import json

from sqlalchemy import text

from arena.features.genomes.records import GenomeRecords
from arena.store import Store
from arena.store.database.engines import make_engines
from tests.arena.store.company import play, versions
from tests.arena.store.older import at_schema


async def test_genomes_come_with_their_ratings(store: Store) -> None:
    one, other, third = await versions(store, "one", "other", "third")
    for version in (one, other, third):
        await store.records(GenomeRecords).put(version.id, "checkers", {"of": version.id})
    await store.records(GenomeRecords).put(one.id, "checkers", {"another": 1})
    assert [row.rating for row in await store.records(GenomeRecords).of_game("checkers")] == [None, None, None]
    await play(store, other, one)
    found = await store.records(GenomeRecords).of_game("checkers")
    assert [row.bot for row in found] == ["other", "one", "third"]
    assert found[0].rating is not None
    assert found[0].games == 1
    assert found[1].body == f'{{"of":{one.id}}}', "what was noted first stays"
    assert await store.records(GenomeRecords).of_game("chess") == []
    await store.bots.remove("other")
    assert [row.bot for row in await store.records(GenomeRecords).of_game("checkers")] == ["one", "third"]


async def test_views_of_older_arenas_are_read(database_url: str) -> None:
    at_schema(database_url, "0009")
    look = {
        "position": "-",
        "diagram": ".",
        "to_move": 0,
        "searches": [{"name": "a", "nodes": 1, "depth": 1, "move": "b"}],
    }
    view = {"schema": "s", "nodes": 5, "formula": "1", "program": [], "modules": [], "looks": [look]}
    bodies = ({"genome": {"a": 1}, "exhibit": view}, {"a": 1, "looks": 2})
    engines = make_engines(database_url)
    with engines.writing.begin() as connection:
        for number, body in enumerate(bodies, 1):
            connection.execute(text(f"INSERT INTO version (bot_id, label, created) VALUES (1, 'v{number}', 0)"))
            statement = text("INSERT INTO genome (version_id, game, body) VALUES (:number, 'nim', :body)")
            connection.execute(statement, {"number": number, "body": json.dumps(body)})
    engines.dispose()
    async with await Store.open(database_url) as store:
        records = store.records(GenomeRecords)
        seen, plain = await records.get("marion", "v1"), await records.get("marion", "v2")
    assert seen is not None
    assert seen.view is not None
    assert (json.loads(bytes(seen.genome)), seen.view.search_traces[0].searches[0].name) == ({"a": 1}, "a")
    assert plain is not None
    assert (json.loads(bytes(plain.genome)), plain.view) == (bodies[1], None)
