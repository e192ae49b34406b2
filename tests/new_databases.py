# SPDX-License-Identifier: GPL-3.0-or-later
"""New databases of a process of the tests are made by the statements of its first migration.

The steps of all schemas, from nothing to the newest, always send the same statements, and Alembic needs five times as
long to prepare them as the database to carry them out. Migrations of databases that exist are as everywhere.
"""

from typing import Any

from sqlalchemy import Connection, event

from arena.store.database import migrating

Statement = tuple[str, Any]
"""SQL, and its parameters."""

_statements: dict[str, list[Statement]] = {}
"""By the name of the dialect."""

_upgrade = migrating.upgrade


def remember() -> None:
    """Let this process prepare the steps once for each kind of database."""
    migrating.upgrade = upgrade


def upgrade(connection: Connection, to: str = "head") -> None:
    """Do as ``migrating.upgrade`` does."""
    dialect = connection.dialect.name
    if to != "head" or migrating.revision(connection) is not None:
        _upgrade(connection, to)
    elif dialect not in _statements:
        _statements[dialect] = _sent(connection)
    else:
        # the first one is PostgreSQL's lock: another program may have been quicker
        for number, (statement, parameters) in enumerate(_statements[dialect]):
            connection.exec_driver_sql(statement, parameters).close()
            if number == 0 and migrating.revision(connection) is not None:
                return


def _sent(connection: Connection) -> list[Statement]:
    """Migrate a new database; return the statements of the migration."""
    sent: list[Statement] = []

    def note(own: Connection, cursor: object, statement: str, parameters: Any, context: object, many: bool) -> None:
        assert not many
        sent.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    _upgrade(connection)
    event.remove(connection, "before_cursor_execute", note)
    return sent
