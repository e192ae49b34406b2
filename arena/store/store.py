# SPDX-License-Identifier: GPL-3.0-or-later
"""The store: asyncio interface of the database, which runs in threads."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection

from arena.store.audit import Audit
from arena.store.bots import Bots
from arena.store.database.claim import Claim, Shared, claim, touch
from arena.store.database.engines import Engines, Health, Reader, make_engines
from arena.store.database.maintenance import prune_some
from arena.store.database.migrating import Tell, migrate
from arena.store.database.tenure import Tenure
from arena.store.database.writer import Writer
from arena.store.encounters import Encounters
from arena.store.errors import Claimed, StoreError, Superseded
from arena.store.filling import Plan, fill
from arena.store.matches import Matches
from arena.store.name_search import NameSearch
from arena.store.operators import AuditLog, Operators
from arena.store.ratings import Ratings
from arena.store.results import MatchResults
from arena.store.tournaments import Tournaments

T = TypeVar("T")


class Store:
    """An open database: ``bots``, ``matches``, ``ratings``, ``results``,
    ``encounters``, ``tournaments``, ``operators``, and operations on the whole database.

    Every method raises StoreError if the database fails; then nothing is written.
    """

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._claim: Claim | None = None
        self.tenure = Tenure()
        """How this server holds the database, once it has claimed it."""
        self._health = Health(time.monotonic)
        self._reader = Reader(engines, self._health)
        self._writer = Writer(engines, self._health)
        self.bots = Bots(self._reader, self._writer)
        self.matches = Matches(self._reader, self._writer)
        self.ratings = Ratings(self._reader)
        self.results = MatchResults(self._reader)
        self.encounters = Encounters(self._reader)
        self.operators = Operators()
        self.tournaments = Tournaments(self._reader, self._writer)
        self.names = NameSearch(self._reader)
        self.audit_log = AuditLog(self._reader, self._writer)

    def records(self, kind: Callable[[Reader, Writer], T]) -> T:
        """Return the records of a feature, built on the reader and the writer of this database."""
        return kind(self._reader, self._writer)

    @classmethod
    async def open(cls, url: str, *, existing: bool = False, tell: Tell = lambda text: None) -> Self:
        """Open the database at ``url`` (``sqlite:///FILE`` or ``postgresql://…``).

        It is brought to the newest schema where needed, and made where it is missing, unless it is to be an
        ``existing`` one: then NoArena is raised. ``tell`` is called with messages about a migration, for people. Raises
        Claimed where one is needed and a server runs.
        """
        engines = make_engines(url)
        try:
            await asyncio.to_thread(migrate, engines, existing=existing, tell=tell)
        except BaseException:
            engines.dispose()
            raise
        return cls(engines)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def claim(self, patience: float = 5.0, tenure: Tenure | None = None) -> None:
        """Make this the database's only server until it is closed, or its process ends; or one of several, by the
        ``tenure``.

        Waits ``patience`` seconds for a server that is just stopping. Raises Claimed. From here on every transaction
        checks that no other server took over; after that it raises Superseded.
        """
        tenure = tenure or self.tenure
        try:
            held = await asyncio.to_thread(partial(claim, self._engines, patience, shared=tenure.shared))
        except Shared as error:
            raise Claimed(f"{error}{tenure.hint}") from None
        try:
            self._writer.guard = await tenure.begin(self._engines, self._writer)
        except BaseException:
            held.release()
            raise
        self._claim, self.tenure = held, tenure

    async def lost_claim(self) -> str:
        """Return why this process is not the database's server any more; "" while it is, or if it never was. To be
        asked every second.
        """
        if self._claim is None:
            return ""
        why = await asyncio.to_thread(self._claim.check)
        if why:
            lost = Superseded(why)

            def refuse(connection: Connection) -> None:
                raise lost

            self._writer.guard = refuse
            return why
        return await self.tenure.lost(self._reader)

    async def close(self) -> None:
        """Write the pending commands and close the database."""
        if self._claim is not None:
            with contextlib.suppress(StoreError):
                await self.tenure.end(self._writer)
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._reader.close)
        self._engines.dispose()
        if self._claim is not None:
            self._claim.release()

    async def trouble(self) -> str:
        """Return why the database does not work, or "". If no write happened for a second, a small test write checks
        it.
        """
        return await self._health.trouble(lambda: self._writer.run(touch, durable=False))

    @property
    def backlog(self) -> int:
        """Commands that wait to be written."""
        return self._writer.backlog

    async def prune(self, before: float) -> int:
        """Drop the events of the matches that finished before a Unix time, and return of how many.

        Results and ratings stay.
        """
        total = 0
        while pruned := await self._writer.run(lambda connection: prune_some(connection, before), durable=False):
            total += pruned
        return total

    async def audit(self, check: Callable[[Audit], T]) -> T:
        """Run ``check`` in a thread on a consistent snapshot of the database; return its result."""
        return await self._reader.run(lambda connection: check(Audit(connection)))

    async def fill(self, plan: Plan, progress: Callable[[int], None] = lambda matches: None) -> None:
        """Fill the empty database with synthetic bots and matches; calls ``progress`` from a thread with the number of
        matches so far. No other task may use the database meanwhile.
        """
        await asyncio.to_thread(fill, self._engines, plan, progress)

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for PostgreSQL."""
        return self._engines.file
