# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists stay pages however long they grow: SQLite says itself that it walks an index, and neither scans nor sorts."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert

from arena.store import Store, tables
from arena.store.database.engines import make_engines
from arena.store.rows import Page, write_cursor

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@dataclass
class Plans:
    """What SQLite plans to do for the queries that are run."""

    lines: list[str] = field(default_factory=list)


@pytest.fixture
def plans(store: Store) -> Iterator[Plans]:
    seen = Plans()
    reading = store._engines.reading

    def explain(connection: Connection, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        if statement.startswith("SELECT"):
            raw = connection.connection.cursor()
            raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            seen.lines += [row[3] for row in raw.fetchall()]

    event.listen(reading, "before_cursor_execute", explain)
    yield seen
    event.remove(reading, "before_cursor_execute", explain)


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
            lambda store, after: store.matches.page("finished", bot_id=1, game="nim", after=after, limit=2),
            "ix_player_bot_id_live_match_id",
        ),
        (
            lambda store, after: store.matches.page("finished", bot_id=1, opponent_id=2, after=after, limit=2),
            "ix_player_bot_id_live_match_id",
        ),
        (lambda store, after: store.matches.page(None, after=after, limit=2), "ix_match_status_id"),
        (lambda store, after: store.matches.page(None, game="nim", after=after, limit=2), "ix_match_game_status_id"),
        (
            lambda store, after: store.matches.page("finished", ended=(0, 9), after=after, limit=2),
            "ix_match_status_id",
        ),
        (
            lambda store, after: store.ratings.leaderboard("nim", "bullet", after=after, limit=2),
            "ix_rating_leaderboard",
        ),
    ],
)
async def test_a_page_walks_its_index(store: Store, database_url: str, plans: Plans, query: Query, index: str) -> None:
    fill(database_url)
    first = await query(store, None)
    assert first.next is not None
    plans.lines.clear()
    second = await query(store, first.next)
    assert len(second.items) == 1
    assert any(index in line for line in plans.lines), plans.lines
    assert all(line.startswith(("SEARCH", "LIST SUBQUERY")) for line in plans.lines), plans.lines


async def test_a_page_backwards_walks_its_index(store: Store, database_url: str, plans: Plans) -> None:
    fill(database_url)
    page = await store.matches.page(None, before=write_cursor(1), limit=2)
    assert [row.id for row in page.items] == [3, 2]
    assert any("ix_match_status_id" in line for line in plans.lines), plans.lines
    assert all(line.startswith(("SEARCH", "LIST SUBQUERY")) for line in plans.lines), plans.lines


async def test_where_a_time_begins_takes_few_looks(store: Store, database_url: str, plans: Plans) -> None:
    fill(database_url)
    await store.matches.page("finished", ended=(0, 9), limit=2)
    looks = [line for line in plans.lines if "PRIMARY KEY (rowid<?)" in line]
    assert 0 < len(looks) <= 3, plans.lines


def fill(url: str) -> None:
    """Put three of everything into the database."""
    three = (1, 2, 3)
    bot = {"kind": "own", "owner": "", "description": "", "created": 0}
    match = {"game": "nim", "time_class": "bullet", "rated": True, "seed": 0, "opening": "[]", "kind": "ladder"}
    match |= {"status": "finished", "started": 0, "finished": 0, "result": "1-0", "detail": "", "pruned": False}
    rating = {"game": "nim", "time_class": "bullet", "games": 1, "wins": 1, "draws": 0, "losses": 0, "last_change": 0}
    rows: dict[Any, list[dict[str, Any]]] = {
        tables.bots: [bot | {"id": number, "name": f"bot-{number}"} for number in three],
        tables.versions: [{"id": number, "bot_id": number, "label": "1", "created": 0} for number in three],
        tables.matches: [match | {"id": number} for number in three],
        tables.players: [
            {"match_id": number, "seat": seat, "bot_id": 1 + seat, "version_id": 1 + seat, "live": False}
            | {"rating_before": 1500}
            for number in three
            for seat in (0, 1)
        ],
        tables.ratings: [rating | {"version_id": number, "rating": 1500 - number} for number in three],
    }
    engines = make_engines(url)
    with engines.writing.begin() as connection:
        for table, of_table in rows.items():
            connection.execute(insert(table), of_table)
    engines.dispose()


async def test_rated_challenges_of_a_day_are_found_by_their_own_index(
    store: Store, database_url: str, plans: Plans
) -> None:
    fill(database_url)
    await store.matches.rated_challenges(0.0)
    assert any("ix_match_rated_challenge_started" in line for line in plans.lines), plans.lines
