# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing a database to the newest schema with Alembic; its steps are the files of migrations/versions.

A step's file begins with its number, so a database that is at the newest is recognised without loading Alembic. A
database with records is claimed first, as a server claims it, so that no schema changes under a server that runs; and a
SQLite file is copied before.
"""

import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from arena.store import migrations
from arena.store.acting import by_this_process, note
from arena.store.database.backup import back_up
from arena.store.database.claim import claim
from arena.store.database.engines import Engines, is_passing
from arena.store.errors import Claimed, NoArena, StoreError

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x0A7E_4A
"""The number of PostgreSQL's advisory lock under which one program at a time migrates."""


Tell = Callable[[str], None]
"""Hears a line for people."""

PATIENCE = 5.0
"""Seconds that a migration waits for a server that is just stopping."""

OTHERS = 60.0
"""Seconds that a program waits while other programs make or migrate the database."""


def migrate(engines: Engines, *, existing: bool = False, tell: Tell = lambda text: None) -> None:
    """Bring the database to the newest schema, in one transaction; many programs may ask at once, and wait for each
    other.

    Raises StoreError when it cannot be opened, or was made by a newer version of the arena, NoArena when an
    ``existing`` one was asked for and there is none, and Claimed when its schema is older and a server runs on it.
    """
    file = engines.file
    if existing and file is not None and not file.exists():
        raise NoArena(f"there is no arena in {file.parent}; `arena serve` makes one")
    if file is not None and file.exists() and file.stat().st_nlink > 1:
        # a file opened under two names gets two write-ahead logs, and loses the data in one of them
        raise StoreError(
            f"{file} is one of several names (hard links) of the same file, which SQLite cannot keep safe: remove the"
            f" others, which `find / -samefile {file}` lists"
        )
    deadline = time.monotonic() + OTHERS
    while True:
        try:
            _bring(engines, tell, existing=existing)
        except DBAPIError as error:
            if is_passing(error) and time.monotonic() < deadline:
                time.sleep(0.05)  # the database tells of no end of another program's lock
                continue
            raise StoreError(f"the database cannot be opened: {error.orig}") from error
        else:
            return


def _bring(engines: Engines, tell: Tell, *, existing: bool) -> None:
    """Bring the database to the newest schema, unless another program holds it for too long."""
    found = _revision(engines)
    if existing and found is None:
        raise NoArena(f"{engines.url.render_as_string()} holds no arena; `arena serve` makes one")
    if found is None:
        with engines.writing.begin() as connection:
            _upgrade(connection)
    elif found > newest():
        raise StoreError(_way_back(engines, found))
    elif found != newest():
        _upgrade_alone(engines, found, tell)


def _revision(engines: Engines) -> str | None:
    with engines.reading.connect() as connection:
        return revision(connection)


def _upgrade_alone(engines: Engines, found: str, tell: Tell) -> None:
    """Migrate a database with records while no server runs on it, after a copy of a SQLite file."""
    try:
        held = claim(engines, PATIENCE)
    except Claimed:
        raise Claimed(
            f"the database has schema {found}, this is arena {version('bot-arena')} with schema {newest()}, and"
            " a server runs on the database: stop the server first, or use its version of arena"
        ) from None
    try:
        if _revision(engines) != found:
            return  # another program migrated it meanwhile
        kept = _kept(engines, found, tell)
        with engines.writing.begin() as connection:
            _upgrade(connection)
            details = {"from": found, "to": newest(), "version": version("bot-arena"), "backup": kept}
            note(connection, by_this_process("migrate the database", details))
            connection.execute(
                text("UPDATE server SET version = :version WHERE id = 1"), {"version": version("bot-arena")}
            )
    finally:
        engines.dispose()  # the claim must outlive all connections
        held.release()


def _kept(engines: Engines, found: str, tell: Tell) -> str:
    """Copy a SQLite file before its schema changes, say so, and return where the copy is; "" for PostgreSQL."""
    change = f"The database is brought from schema {found} to {newest()}"
    if engines.file is None:
        tell(f"{change}, in one transaction. Its way back is a copy by pg_dump, which this command does not make.")
        return ""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    file = engines.file.resolve()
    copy = file.with_name(f"{file.name}.schema-{found}.{stamp}.backup")
    back_up(engines, copy)
    tell(f"{change}; as it was it is in {copy}")
    return str(copy)


def _way_back(engines: Engines, found: str) -> str:
    """The error for a database of a newer version, with the remedy."""
    here = f"this is arena {version('bot-arena')} with schema {newest()}"
    newer = f"the database was made by a newer version of the arena (schema {found}{_maker(engines)}); {here}."
    file = engines.file
    if file is None:
        return f"{newer} Use the newer version, or restore a copy that pg_dump made before the change."
    copies = sorted(
        (copy.name.partition(".schema-")[2][:4], copy)
        for copy in file.resolve().parent.glob(f"{file.resolve().name}.schema-*.backup")
    )
    fitting = [copy for schema, copy in copies if schema <= newest()]
    if not fitting:
        return f"{newer} Use the newer version, or put a backup of this version in the place of {file}."
    return (
        f"{newer} Use the newer version; or go back, without the matches since then: stop all servers, move {file}"
        f" away with {file.name}-wal and {file.name}-shm, and copy {fitting[-1]} to its place."
    )


def _maker(engines: Engines) -> str:
    """Return by which version a database was used last, as far as it tells."""
    try:
        with engines.reading.connect() as connection:
            used = connection.scalar(text("SELECT version FROM server WHERE id = 1"))
    except DBAPIError:
        return ""
    return f", arena {used}" if used else ""


def newest() -> str:
    """Return the number of the newest step."""
    (folder,) = migrations.__path__
    return max(file.name.partition("_")[0] for file in Path(folder, "versions").glob("[0-9]*_*.py"))


def revision(connection: Connection) -> str | None:
    """Return the number of the last step that the database has gone; None: it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    number: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return number


def configuration() -> "Config":
    """Return Alembic's configuration for the steps that this package holds."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    return config


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
    config = configuration()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError("the database was made by a newer version of the arena; this one cannot read it") from error
