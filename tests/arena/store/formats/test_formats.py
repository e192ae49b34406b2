# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases that earlier programs wrote are migrated without a loss."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from arena.cli.features import FEATURES
from arena.records.verification import verify
from arena.store import Store
from arena.store.backups.restoring import restore
from arena.store.backups.saving import save
from arena.store.database.engines import make_engines
from arena.store.database.migrating import newest
from arena.store.tables import metadata
from tests.arena.store.formats.content import Content, content
from tests.arena.store.formats.dumps import KINDS, SCHEMAS, dump_of, load
from tests.arena.store.formats.past import CHANGES

for feature in FEATURES:
    feature.tables()  # their tables are among those that the code describes


def whole(old: str, new: str) -> Callable[[str], str]:
    """Return a function that replaces a text that is the whole value."""
    return lambda value: new if value == old else value


def part(*replaced: tuple[str, str]) -> Callable[[str], str]:
    """Return a function that replaces parts of a value."""

    def changed(value: str) -> str:
        for old, new in replaced:
            value = value.replace(old, new)
        return value

    return changed


GENOMES = part(
    ('"exhibit":', '"view":'),
    ('"looks":', '"search_traces":'),
    ('"habits"', '"search"'),
    ('"hope":', '"futility base":'),
    ('"few"', '"late move count"'),
    ('"version":3', '"version":4'),
)
CHANGED: dict[tuple[str, str], Callable[[str], str]] = {
    ("bot", "kind"): whole("house", "built-in"),
    ("bot", "owner"): lambda owner: whole("deleted account", "deleted account 2")(
        part(("population house, ", "population built-in, "))(owner)
    ),
    ("population", "name"): part(("house, ", "built-in, ")),
    ("population", "config"): part(("house, ", "built-in, ")),
    ("event", "body"): part(('"belief":', '"probability":'), ('"quiet plies"', '"no-progress rule"')),
    ("match", "termination"): whole("quiet plies", "no-progress rule"),
    ("genome", "body"): GENOMES,
    ("deme", "report"): GENOMES,
    ("exam", "body"): GENOMES,
}
"""What migrations do with values that earlier programs wrote; nothing with those of today's."""

EVERY = [
    schema if number % 4 == 0 or number >= len(SCHEMAS) - 2 else pytest.param(schema, marks=pytest.mark.long)
    for number, schema in enumerate(SCHEMAS)
]
"""All schemas; of the older ones every fourth is enough for most runs: their migrations are a part of each other's."""

OWN = {"version", "epoch", "inode", "released", "host", "pid", "claimed", "probed"}
"""Columns of the server's row, which is another server's after a migration."""


def check_kept(old: Content, new: Content) -> None:
    """Check that all rows of a database are in the migrated one, with the values that migrations give them."""
    for name, rows in old.items():
        if name == "operator":
            assert [row["name"] for row in new["account"]] == [row["name"] for row in rows]
            assert [row["token_hash"] for row in new["account_token"]] == [row["token_hash"] for row in rows]
            continue
        found = new[name]
        if name == "audit_log":
            rows = [{("account" if key == "who" else key): value for key, value in row.items()} for row in rows]
            assert [row["action"] for row in found[len(rows) :]] in (["migrate the database"], ["restore a backup"], [])
            found = found[: len(rows)]
        assert len(found) == len(rows), name
        for before, after in zip(rows, found, strict=True):
            for column, value in before.items():
                if name == "server" and column in OWN:
                    continue
                change = CHANGED.get((name, column))
                expected = value if change is None or value is None else change(value)
                assert after[column] == expected, (name, column)


def check_added(new: Content) -> None:
    """Check the values of columns that migrations add from other records."""
    ratings = {(row["version_id"], row["game"]): row for row in new["rating"]}
    assert {key: row["wins_by_failure"] for key, row in ratings.items() if row["wins_by_failure"]} == {
        (1, "nim"): 1,
        (6, "nim"): 1,
    }
    assert {key: row["own_games"] for key, row in ratings.items() if row["own_games"]} == {
        (1, "tictactoe"): 2,
        (4, "tictactoe"): 2,
    }
    assert {row["initial"] for row in new["rating"]} == {1500.0}
    assert [row["name"] for row in new["bot"]] == ["marion", "tinsley", "play", "sister", "member", "ghost", "guest"]
    assert [row["termination"] for row in new["match"]].count("no-progress rule") == 1
    (server,) = new["server"]
    assert server["id"] == 1


def test_every_schema_has_its_databases() -> None:
    """Run ``python -m tests.arena.store.formats.dumps`` after adding a migration, and commit the files."""
    assert [(schema, kind) for schema in SCHEMAS for kind in KINDS if not dump_of(schema, kind).exists()] == []
    assert max(dump_of(schema, kind).stat().st_size for schema in SCHEMAS for kind in KINDS) < 12_000
    assert SCHEMAS[-1] == newest()


def test_the_oldest_database_has_the_words_of_its_time(tmp_path: Path) -> None:
    """Otherwise the migrations would have nothing to change."""
    load(f"sqlite:///{tmp_path / 'arena.db'}", "0001")
    old = json.dumps(content(f"sqlite:///{tmp_path / 'arena.db'}"))
    for word in ("house", "quiet plies", "belief"):
        assert word in old
    assert {first for first, _ in CHANGES} <= set(SCHEMAS)


@pytest.mark.parametrize("schema", EVERY)
async def test_a_database_of_every_schema_is_migrated(database_url: str, schema: str) -> None:
    load(database_url, schema)
    old = content(database_url)
    async with await Store.open(database_url, existing=True) as store:
        report = await store.audit(lambda audit: verify(audit, features=FEATURES))
    assert report.findings == []
    assert report.replayed == len(old["match"])
    new = content(database_url)
    check_kept(old, new)
    check_added(new)
    engines = make_engines(database_url)
    with engines.reading.connect() as connection, warnings.catch_warnings():
        # SQLAlchemy cannot read an index over an expression back from SQLite, and says so.
        warnings.filterwarnings("ignore", message=".*ix_bot_name_folded")
        warnings.filterwarnings("ignore", message="Skipped unsupported reflection of expression-based index")
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engines.dispose()


@pytest.mark.parametrize("schema", EVERY)
def test_a_backup_of_every_schema_is_restored(schema: str, tmp_path: Path) -> None:
    """`arena backup` leaves the schema as it is, and `arena restore` brings the records to the newest."""
    old_url, new_url = (f"sqlite:///{tmp_path / name}.db" for name in ("old", "new"))
    load(old_url, schema)
    old = content(old_url)
    assert save(old_url, {}, tmp_path / "backup.zip").manifest.schema == schema
    assert content(old_url) == old
    restore(new_url, {}, tmp_path / "backup.zip")
    new = content(new_url)
    check_kept(old, new)
    check_added(new)


def test_every_table_of_the_newest_database_has_rows(tmp_path: Path) -> None:
    """A new table needs rows in ``rows.py``, too."""
    load(f"sqlite:///{tmp_path / 'arena.db'}", newest())
    assert [name for name, rows in content(f"sqlite:///{tmp_path / 'arena.db'}").items() if not rows] == []
