# SPDX-License-Identifier: GPL-3.0-or-later
"""The store: an asyncio face before a database whose work is done in threads."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from arena.store import retention
from arena.store.audit import Audit
from arena.store.bots import Bots
from arena.store.claim import claim
from arena.store.demes import Demes
from arena.store.engines import Engines, make_engines
from arena.store.filling import Plan, fill
from arena.store.matches import Matches
from arena.store.meetings import Meetings
from arena.store.migrating import migrate
from arena.store.operators import Operators
from arena.store.populations import Populations
from arena.store.portraits import Portraits
from arena.store.ratings import Ratings
from arena.store.reader import Reader
from arena.store.tournaments import Tournaments
from arena.store.writer import Writer

T = TypeVar("T")


class Store:
    """An open database: ``bots``, ``matches``, ``ratings``, ``meetings``, ``tournaments``, ``populations``,
    ``demes``, ``portraits``, ``operators``, and what concerns it as a whole.

    Every method raises StoreError when the database fails; what it was to write is then not written.
    """

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._release: Callable[[], None] | None = None
        self._reader = Reader(engines)
        self._writer = Writer(engines)
        self.bots = Bots(self._reader, self._writer)
        self.matches = Matches(self._reader, self._writer)
        self.ratings = Ratings(self._reader)
        self.meetings = Meetings(self._reader)
        self.operators = Operators(self._reader, self._writer)
        self.tournaments = Tournaments(self._reader, self._writer)
        self.populations = Populations(self._reader, self._writer)
        self.demes = Demes(self._reader, self._writer)
        self.portraits = Portraits(self._reader, self._writer)

    @classmethod
    async def open(cls, url: str, *, existing: bool = False) -> Self:
        """Open the database at ``url`` (``sqlite:///FILE`` or ``postgresql://…``).

        It is brought to the newest schema where needed, and made where it is missing, unless it is to be an
        ``existing`` one: then NoArena is raised.
        """
        engines = make_engines(url)
        try:
            await asyncio.to_thread(migrate, engines, existing=existing)
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

    async def claim(self, patience: float = 5.0) -> None:
        """Make this the database's only server until it is closed, or its process ends.

        Waits ``patience`` seconds for a server that is just stopping. Raises Claimed.
        """
        self._release = await asyncio.to_thread(claim, self._engines, patience)

    async def close(self) -> None:
        """Write what waits and close the database."""
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._reader.close)
        self._engines.dispose()
        if self._release:
            self._release()

    @property
    def backlog(self) -> int:
        """Commands that wait to be written."""
        return self._writer.backlog

    async def prune(self, before: float) -> int:
        """Drop the events of the matches that finished before a Unix time, and return of how many.

        Results and ratings stay.
        """
        total = 0
        while pruned := await self._writer.run(
            lambda connection: retention.prune_some(connection, before), durable=False
        ):
            total += pruned
        return total

    async def audit(self, check: Callable[[Audit], T]) -> T:
        """Run ``check``, in a thread, over all that is stored as it is at one moment; return what it returned."""
        return await self._reader.run(lambda connection: check(Audit(connection)))

    async def fill(self, plan: Plan, progress: Callable[[int], None] = lambda matches: None) -> None:
        """Fill the database, which must be empty, with made-up bots and matches; ``progress``, which runs in a thread,
        hears of the matches written so far. Nothing else may use the database meanwhile.
        """
        await asyncio.to_thread(fill, self._engines, plan, progress)

    async def backup(self, path: Path) -> None:
        """Copy a SQLite database, as it is at one moment, into a new file, while it is used."""
        await asyncio.to_thread(retention.back_up, self._engines, path)
