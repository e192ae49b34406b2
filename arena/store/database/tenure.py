# SPDX-License-Identifier: GPL-3.0-or-later
"""How a server holds its database. ``Tenure`` itself holds it for this server alone; a feature may share it.

A lock keeps servers apart that may not run at the same time: see ``claim``. Locks may fail, so each transaction of a
server also checks that its tenure lasts.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from arena.store.acting import STARTS, STOPS, acting, by_this_process
from arena.store.database.claim import about_this_process, begin_epoch, check_epoch, end_epoch
from arena.store.database.engines import Engines, Reader
from arena.store.database.writer import Writer
from arena.store.errors import StoreError, Superseded

Guard = Callable[[Connection], None]
"""Called in a transaction."""


class Tenure:
    """Holds a database for one server alone, from its epoch to the next.

    ``prepare``, ``Store.claim``, ``Store.close`` and ``leave`` are called in this order; ``leave`` in any case.
    """

    shared = False
    """Whether other servers that share the database may run at the same time."""

    hint = ""
    """How a server shares the database, to be added for people to the refusal of one that does not."""

    def __init__(self) -> None:
        self._epoch = 0

    async def prepare(self) -> None:
        """Check what can be checked before the database is opened. Raises StoreError."""

    async def begin(self, engines: Engines, writer: Writer) -> Guard:
        """Begin, after the lock was taken; return the guard of the writer. Raises StoreError, and then changes
        nothing.
        """
        self._epoch = own = await self._begin_epoch(engines, writer)
        return lambda connection: check_epoch(connection, own, hold=True)

    async def _begin_epoch(self, engines: Engines, writer: Writer) -> int:
        """Begin the next epoch; return its number."""
        inode = 0 if engines.file is None else engines.file.stat().st_ino

        take = self.taking()

        def begin(connection: Connection) -> int:
            take(connection)
            return begin_epoch(connection, inode)

        with acting(by_this_process(STARTS, self.details())):
            return await writer.run(begin)

    def taking(self) -> Guard:
        """Return what takes the database from servers that may still hold it, in the transaction that begins the
        epoch.
        """
        return lambda connection: None

    def details(self) -> dict[str, str | int]:
        """Return what the audit log says about this server."""
        return about_this_process()

    async def lost(self, reader: Reader) -> str:
        """Return why the tenure ended, for people; "" while it lasts. Asked every second."""
        try:
            await reader.run(lambda connection: check_epoch(connection, self._epoch))
        except Superseded as error:
            return str(error)
        except StoreError:
            return ""  # the database is unreachable: no other server can have taken it either
        return ""

    async def end(self, writer: Writer) -> None:
        """Note that the server stops in good order. Raises StoreError."""
        with acting(by_this_process(STOPS, self.details())):
            await writer.run(lambda connection: end_epoch(connection, self._epoch))

    async def leave(self) -> None:
        """Give up what is left, after the store was closed, or never opened."""
