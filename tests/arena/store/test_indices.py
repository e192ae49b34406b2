# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists stay pages however long they grow: SQLite says itself that it walks an index and neither scans nor sorts."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import Connection, event, text

from arena.store import Store
from arena.store.engines import Engines
from arena.store.rows import Page

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@dataclass
class Plans:
    """What SQLite plans for the queries that are run."""

    lines: list[str]


@pytest.fixture
def plans(store: Store) -> Iterator[Plans]:
    seen = Plans([])
    engines: Engines = store._engines

    def explain(
        connection: Connection, cursor: object, statement: str, parameters: object, context: object, many: bool
    ) -> None:
        if statement.startswith("SELECT") and connection.get_execution_options().get("explain", True):
            raw = connection.connection.cursor()
            raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            seen.lines += [row[3] for row in raw.fetchall()]

    event.listen(engines.reading, "before_cursor_execute", explain)
    yield seen
    event.remove(engines.reading, "before_cursor_execute", explain)


Query = Callable[[Store, str | None], Awaitable[Page[object]]]


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (lambda store, after: store.bots.page(after=after, limit=2), "INTEGER PRIMARY KEY"),
        (lambda store, after: store.matches.page("finished", after=after, limit=2), "ix_match_status_id"),
        (
            lambda store, after: store.matches.page("finished", game="nim", after=after, limit=2),
            "ix_match_game_status_id",
        ),
        (
            lambda store, after: store.matches.page("finished", bot_id=1, after=after, limit=2),
            "ix_player_bot_id_live_match_id",
        ),
        (
            lambda store, after: store.ratings.leaderboard("nim", "bullet", after=after, limit=2),
            "ix_rating_leaderboard",
        ),
    ],
)
async def test_a_page_walks_its_index(store: Store, plans: Plans, query: Query, index: str) -> None:
    await fill(store)
    first = await query(store, None)
    assert first.next is not None
    plans.lines.clear()
    await query(store, first.next)
    assert any(index in line and line.startswith("SEARCH") for line in plans.lines), plans.lines
    of_page = [line for line in plans.lines if "SCAN" in line or "TEMP B-TREE" in line]
    # What is sorted afterwards is the page itself, found by its keys.
    assert all(line == "USE TEMP B-TREE FOR ORDER BY" for line in of_page), plans.lines


async def fill(store: Store) -> None:
    """Put three of everything into the store."""
    await store._writer.run(lambda connection: [connection.execute(text(line)) for line in FILLING])


FILLING = (
    "INSERT INTO bot (id, name, kind, owner, description, created) VALUES"
    " (1, 'a', 'own', '', '', 0), (2, 'b', 'own', '', '', 0), (3, 'c', 'own', '', '', 0)",
    "INSERT INTO version (id, bot_id, label, created) VALUES (1, 1, '1', 0), (2, 2, '1', 0), (3, 3, '1', 0)",
    "INSERT INTO rating VALUES (1, 'nim', 'bullet', 1500, 1, 1, 0, 0, 0, 0),"
    " (2, 'nim', 'bullet', 1400, 1, 1, 0, 0, 0, 0), (3, 'nim', 'bullet', 1300, 1, 1, 0, 0, 0, 0)",
    *(
        "INSERT INTO match (id, game, time_class, rated, seed, opening, kind, status, started, finished, result, detail,"
        f" pruned) VALUES ({match_id}, 'nim', 'bullet', 1, 0, '[]', 'ladder', 'finished', 0, 0, '1-0', '', 0)"
        for match_id in (1, 2, 3)
    ),
    "INSERT INTO player (match_id, seat, bot_id, version_id, live, rating_before)"
    " SELECT match.id, seat.value, 1 + seat.value, 1 + seat.value, 0, 1500 FROM match, json_each('[0, 1]') AS seat",
)
