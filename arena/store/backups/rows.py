# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of tables as lines of JSON, the same for SQLite and PostgreSQL.

The schema of a database comes from the migrations and not from the database: they are run up to the database's number
in an empty database in memory, whose tables are then looked at.
"""

import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, MetaData, Table, create_engine, inspect, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.store.backups.archive import BadBackup
from arena.store.database.migrating import upgrade

Row = Sequence[Any]

_AT_ONCE = 1_000
"""Rows that are read or written together."""
_FILES_AT_ONCE = 20
"""The same for rows with parts of files, which are as long as a hundred others."""
_CHUNK = 2**18
"""Bytes of lines that are written together."""


@lru_cache(maxsize=4)
def schema_at(revision: str) -> MetaData:
    """Return the tables that the migrations up to a number make, each after those that it refers to.

    ``metadata.info["order"]`` has their names in this order.
    """
    engine = create_engine("sqlite://")
    schema = MetaData()
    with engine.begin() as connection:
        upgrade(connection, revision)
        found = inspect(connection)
        order = [name for name, _ in found.get_sorted_table_and_fkc_names() if name not in (None, "alembic_version")]
        for name in order:
            assert name is not None
            keys = found.get_pk_constraint(name)["constrained_columns"]
            columns = [
                sa.Column(each["name"], each["type"], nullable=each["nullable"], primary_key=each["name"] in keys)
                for each in found.get_columns(name)
            ]
            Table(name, schema, *columns)
    engine.dispose()
    schema.info["order"] = order
    return schema


def ordered(schema: MetaData) -> list[Table]:
    """Return the tables of a schema, each after those that it refers to."""
    return [schema.tables[name] for name in schema.info["order"]]


# ---------------------------------------------------------------- from a database


def read_rows(connection: Connection, table: Table) -> Generator[Row, None, None]:
    """Yield all rows of a table in the order of their keys; few are in memory at a time."""
    query = select(table).order_by(*table.primary_key)
    with connection.execute(query, execution_options={"yield_per": _at_once(table)}) as result:
        yield from result


class Lines:
    """The rows of a table as chunks of lines; counts them."""

    def __init__(self, table: Table, rows: Iterable[Row]) -> None:
        self.rows = 0
        self._doubles = [index for index, column in enumerate(table.columns) if _type(column) is float]
        self._given = rows

    def __iter__(self) -> Iterator[bytes]:
        encoder, buffer = msgspec.json.Encoder(), bytearray()
        for row in self._given:
            self.rows += 1
            values = list(row)
            for index in self._doubles:
                if values[index] is not None and not math.isfinite(values[index]):
                    values[index] = repr(values[index])  # JSON has no such number
            buffer += encoder.encode(values) + b"\n"
            if len(buffer) >= _CHUNK:
                yield bytes(buffer)
                buffer.clear()
        if buffer:
            yield bytes(buffer)


# ---------------------------------------------------------------- into a database


def parse_rows(table: Table, lines: Iterable[bytes]) -> Iterator[Row]:
    """Yield the rows of lines. Raises BadBackup for a value of another type than the column's."""
    kinds = [_type(column) for column in table.columns]
    doubles = [index for index, kind in enumerate(kinds) if kind is float]
    decoder: msgspec.json.Decoder[tuple[Any, ...]] = msgspec.json.Decoder(_shape(table))
    for number, line in enumerate(lines, 1):
        try:
            values = list(decoder.decode(line))
            for index in doubles:
                if isinstance(values[index], str):
                    values[index] = float(values[index])
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadBackup(f"row {number:,} of the table {table.name}: {error}") from error
        yield values


def insert_rows(connection: Connection, table: Table, rows: Iterable[Row]) -> int:
    """Insert rows into an empty table and return their number; the numbering of new rows continues after them.

    Raises BadBackup for a row that the database refuses.
    """
    quote = connection.dialect.identifier_preparer.quote
    name, columns = quote(table.name), ", ".join(quote(column.name) for column in table.columns)
    try:
        if connection.dialect.name == "postgresql":
            return _copy(connection, table, f"COPY {name} ({columns}) FROM STDIN", rows)
        marks = ", ".join("?" for _ in table.columns)
        statement, total, left = f"INSERT INTO {name} ({columns}) VALUES ({marks})", 0, iter(rows)
        while some := [tuple(row) for row in islice(left, _at_once(table))]:
            connection.exec_driver_sql(statement, some)
            total += len(some)
    except (DBAPIError, OverflowError, UnicodeEncodeError) as error:
        if isinstance(error, DBAPIError) and not isinstance(error, sa.exc.IntegrityError | sa.exc.DataError):
            raise  # such as a full disk
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise BadBackup(f"the database refuses rows of the table {table.name}: {reason}") from error
    return total


def _copy(connection: Connection, table: Table, statement: str, rows: Iterable[Row]) -> int:
    """Insert rows by COPY, which takes a tenth of the time of INSERT."""
    import psycopg

    total = 0
    driver: Any = connection.connection.dbapi_connection
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
                total += 1
    except psycopg.Error as error:
        if isinstance(error, psycopg.IntegrityError | psycopg.DataError):
            raise BadBackup(f"the database refuses rows of the table {table.name}: {error}") from error
        raise sa.exc.OperationalError(statement, None, error) from error
    number_after(connection, table)
    return total


def number_after(connection: Connection, table: Table) -> None:
    """Let the numbering of new rows of a table in PostgreSQL continue after its rows."""
    keys = [column.name for column in table.primary_key]
    if len(keys) == 1 and _type(table.columns[keys[0]]) is int:
        quote = connection.dialect.identifier_preparer.quote
        highest = f"(SELECT max({quote(keys[0])}) FROM {quote(table.name)})"
        # no effect where the key has no sequence, or the table no rows
        sequence = "pg_get_serial_sequence(:name, :key)"
        connection.execute(text(f"SELECT setval({sequence}, {highest})"), {"name": quote(table.name), "key": keys[0]})


_KINDS: tuple[tuple[type[Any], type[Any]], ...] = (
    (sa.Boolean, bool),
    (sa.Integer, int),
    (sa.Float, float),
    (sa.String, str),
    (sa.LargeBinary, bytes),
)


def _at_once(table: Table) -> int:
    return _FILES_AT_ONCE if any(_type(column) is bytes for column in table.columns) else _AT_ONCE


def _type(column: sa.Column[Any]) -> type[Any]:
    """Return the Python type of a column's values."""
    for kind, found in _KINDS:
        if isinstance(column.type, kind):
            return found
    raise SQLAlchemyError(f"backups cannot hold the column {column} of type {column.type}")


def _shape(table: Table) -> Any:
    """Return the type of a row in JSON."""
    shapes: list[Any] = []
    for column in table.columns:
        kind: Any = _type(column)
        if kind is float:
            kind = float | str
        shapes.append(kind | None if column.nullable else kind)
    return tuple[tuple(shapes)]  # type: ignore[misc]  # made of the columns at run time
