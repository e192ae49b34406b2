# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases as compressed SQL text: ``python -m tests.arena.store.formats.dumps`` writes those that are missing.

Run it once for each new migration, and commit the two files. Files that exist stay as they are: they are what programs
of their time wrote.
"""

import gzip
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from contextlib import closing
from pathlib import Path

import psycopg
from sqlalchemy import MetaData, insert, inspect

from arena.store.backups.rows import number_after, schema_at
from arena.store.database.engines import make_engines
from arena.store.database.migrating import newest, upgrade
from tests.arena.store.formats.past import as_of
from tests.arena.store.formats.rows import Rows, all_rows
from tests.postgres import Postgres, running

FOLDER = Path(__file__).parent / "databases"
KINDS = ("sqlite", "postgresql")
SCHEMAS = [f"{number:04}" for number in range(1, int(newest()) + 1)]


def dump_of(schema: str, kind: str) -> Path:
    """Return the file of a database."""
    return FOLDER / f"{schema}.{kind}.sql.gz"


def load(url: str, schema: str) -> None:
    """Make the database of a schema at a URL, where there is none."""
    kind, _, name = url.partition(":///")
    if kind == "sqlite":
        with closing(sqlite3.connect(name)) as database:
            database.executescript(gzip.decompress(dump_of(schema, "sqlite").read_bytes()).decode())
        return
    with psycopg.connect(url, autocommit=True) as session:
        session.execute(gzip.decompress(dump_of(schema, "postgresql").read_bytes()))


def make(url: str, schema: str, rows: Rows) -> None:
    """Make a database by the migrations up to a schema, and fill it with rows of its time."""
    engines = make_engines(url)
    with engines.writing.begin() as connection, warnings.catch_warnings():
        # SQLAlchemy cannot read an index over an expression back from SQLite, and says so.
        warnings.filterwarnings("ignore", message="Skipped unsupported reflection of expression-based index")
        upgrade(connection, schema)
        described = as_of(schema, rows)
        for name in schema_at(schema).info["order"]:
            table = MetaData()
            table.reflect(connection, only=[name], resolve_fks=False)
            existing = {column["name"] for column in inspect(connection).get_columns(name)}
            connection.execute(table.tables[name].delete())  # a migration inserts a row
            found = [{key: row[key] for key in row if key in existing} for row in described[name]]
            connection.execute(insert(table.tables[name]), found)
            if connection.dialect.name == "postgresql":
                number_after(connection, table.tables[name])
    engines.dispose()


def _dump_sqlite(schema: str, rows: Rows) -> str:
    with tempfile.TemporaryDirectory() as folder:
        make(f"sqlite:///{folder}/arena.db", schema, rows)
        with closing(sqlite3.connect(f"{folder}/arena.db")) as database:
            return "\n".join(database.iterdump()) + "\n"


def _dump_postgresql(server: Postgres, schema: str, rows: Rows) -> str:
    server.sweep()
    make(server.url, schema, rows)
    options = ("--inserts", "--no-owner", "--no-privileges", "--no-comments", "--schema=public", server.url)
    text = subprocess.run([server.programs / "pg_dump", *options], check=True, stdout=subprocess.PIPE, text=True).stdout
    # settings of one version of PostgreSQL, and commands of psql
    left_out = ("--", "\\", "SET ", "SELECT pg_catalog.set_config", "CREATE SCHEMA")
    return "".join(f"{line}\n" for line in text.splitlines() if line and not line.startswith(left_out))


def main() -> int:
    """Write the missing files."""
    missing = [(schema, kind) for schema in SCHEMAS for kind in KINDS if not dump_of(schema, kind).exists()]
    if not missing:
        print("nothing is missing")
        return 0
    rows = all_rows()
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as runtime, running(Path(runtime)) as server:
        for schema, kind in missing:
            text = _dump_sqlite(schema, rows) if kind == "sqlite" else _dump_postgresql(server, schema, rows)
            dump_of(schema, kind).write_bytes(gzip.compress(text.encode(), mtime=0))
            print(dump_of(schema, kind), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
