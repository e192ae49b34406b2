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
from arena.store.acting import Action, by_this_process, note
from arena.store.database.claim import claim
from arena.store.database.engines import Engines, is_passing, make_engines
from arena.store.database.maintenance import copy_file
from arena.store.errors import Claimed, NoArena, StoreError

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x0A7E_4A
"""The number of PostgreSQL's advisory lock under which one program at a time migrates."""


Tell = Callable[[str], None]
"""Called with a line for people."""

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
    check_file(engines, existing=existing)
    deadline = time.monotonic() + OTHERS
    while True:
        try:
            _bring(engines, tell, existing=existing)
        except DBAPIError as error:
            if is_passing(error) and time.monotonic() < deadline:
                time.sleep(0.05)  # the database does not notify when another program's lock ends, so poll
                continue
            raise StoreError(f"the database cannot be opened: {error.orig}") from error
        else:
            return


def _bring(engines: Engines, tell: Tell, *, existing: bool) -> None:
    """Bring the database to the newest schema, unless another program holds it for too long."""
    found = _revision(engines)
    if existing and found is None:
        raise NoArena(
            f"{engines.url.render_as_string()} holds no arena; start `arena serve` to create one, or choose another "
            "folder with --data"
        )
    if found is None:
        with engines.writing.begin() as connection:
            upgrade(connection)
    elif found > newest():
        raise StoreError(way_back(engines, found))
    elif found != newest():
        _upgrade_alone(engines, found, tell)


def check_file(engines: Engines, *, existing: bool) -> None:
    """Raise NoArena if there is no SQLite file although there must be one, and StoreError if it has several names."""
    file = engines.file
    if existing and file is not None and not file.exists():
        raise NoArena(
            f"there is no arena in {file.parent}; start `arena serve` to create one, or choose another folder with "
            "--data"
        )
    if file is not None and file.exists() and file.stat().st_nlink > 1:
        if left := interrupted(file):
            raise StoreError(
                f"a restoration of {file} was interrupted before it replaced the database, which is unchanged: remove"
                f" {left[0]}, which is another name of the same file, or run `arena restore` again"
            )
        # a file opened under two names gets two write-ahead logs, and loses the data in one of them
        raise StoreError(
            f"{file} is one of several names (hard links) of the same file, which SQLite cannot keep safe: remove the"
            f" others, which `find / -samefile {file}` lists"
        )


def interrupted(file: Path) -> list[Path]:
    """Return the further names of a SQLite file that an interrupted restoration left."""
    return [name for name in sorted(file.parent.glob(f"{file.name}.replaced.*")) if name.samefile(file)]


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
            upgrade(connection)
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
    change = f"The schema of the database changes from {found} to {newest()}"
    if engines.file is None:
        tell(
            f"{change}, in one transaction, without a copy. To return to the earlier version you need a backup that"
            " `arena backup` or pg_dump made before."
        )
        return ""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    file = engines.file.resolve()
    copy = file.with_name(f"{file.name}.schema-{found}.{stamp}.backup")
    copy_file(engines, copy)
    tell(f"{change}. The database as it was is in {copy}")
    return str(copy)


def way_back(engines: Engines, found: str) -> str:
    """Return the error for a database of a newer version, with the remedy."""
    maker = _maker(engines)
    newer = (
        f"the database has schema {found}{maker and f', written by arena {maker}'}; this is arena"
        f" {version('bot-arena')}, which reads schemas up to {newest()}. Use"
        f" {f'arena {maker}' if maker else 'the version that wrote it'} or a newer version. Or return to the state"
        " before the upgrade, without later records: stop all servers, and with this version"
    )
    file = engines.file
    if file is None:
        return (
            f"{newer} restore a backup that was made before the upgrade into an empty database (`arena restore FILE"
            " --database-url URL`)."
        )
    copies = sorted(
        (copy.name.partition(".schema-")[2][:4], copy)
        for copy in file.resolve().parent.glob(f"{file.resolve().name}.schema-*.backup")
    )
    fitting = [copy for schema, copy in copies if schema <= newest()]
    if not fitting:
        return f"{newer} restore a backup that was made before the upgrade (`arena restore FILE --force`)."
    return f"{newer} run `arena restore {fitting[-1]} --force`, which was made before the upgrade."


def _maker(engines: Engines) -> str:
    """Return the version that used a database last; "" where the database does not tell."""
    try:
        with engines.reading.connect() as connection:
            used = connection.scalar(text("SELECT version FROM server WHERE id = 1"))
    except DBAPIError:
        return ""
    return str(used or "")


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


def note_on(url: str, action: Action) -> None:
    """Note an action in the audit log of a database, unless its schema is older. Raises StoreError."""
    engines = make_engines(url)
    try:
        if _revision(engines) == newest():
            with engines.writing.begin() as connection:
                note(connection, action)
    except DBAPIError as error:
        raise StoreError(str(error.orig)) from error
    finally:
        engines.dispose()


def configuration() -> "Config":
    """Return Alembic's configuration for the steps that this package holds."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    return config


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the migrations up to a number in the transaction of a connection. Raises StoreError for an unknown number."""
    from alembic import command
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
    config = configuration()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise StoreError("the database was made by a newer version of the arena; this one cannot read it") from error
