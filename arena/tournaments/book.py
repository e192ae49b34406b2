# SPDX-License-Identifier: GPL-3.0-or-later
"""Event store of a tournament, with optimistic concurrency control.

The stored events are the tournament. A writer passes the expected number of events; if another process has written
meanwhile, such as ``arena tournament withdraw``, the tournament is rebuilt from the store and the change is retried.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Self

from msgspec import ValidationError, json

from arena.store import Store
from arena.store.errors import Conflict, keep_trying
from arena.store.rows import TournamentRow
from arena.tournaments.machine.config import Config
from arena.tournaments.machine.events import Event, decode_event, encode_event
from arena.tournaments.machine.tournament import Tournament


class Unreadable(ValueError):
    """This version of the arena cannot read the stored tournament."""


class Book:
    """A tournament and the number of its stored events."""

    def __init__(self, store: Store, row: TournamentRow, tournament: Tournament) -> None:
        self._store = store
        self.row = row
        self.tournament = tournament
        self._stored = len(tournament.events)

    @classmethod
    async def open(cls, store: Store, number: int) -> Self:
        """Load a tournament. Raises UnknownTournament, StoreError and Unreadable."""
        row = await store.tournaments.get(number)
        events = await store.tournaments.events(number)
        return cls(store, row, await asyncio.to_thread(_rebuilt, row, events))

    async def reopen(self) -> None:
        """Reload the tournament from the store."""
        again = await type(self).open(self._store, self.row.id)
        self.row, self.tournament, self._stored = again.row, again.tournament, again._stored

    async def change(self, work: Callable[[Tournament], list[Event]]) -> bool:
        """Apply ``work`` to the tournament in a thread and store its events; return whether there were any.

        Retries on a reloaded tournament if another process has written. Raises StoreError and the errors of ``work``.
        """
        while True:
            events = await asyncio.to_thread(work, self.tournament)
            try:
                await self._save()
            except Conflict:
                await self.reopen()
            else:
                return bool(events)

    async def _save(self) -> None:
        new = [encode_event(event) for event in self.tournament.events[self._stored :]]
        if new:
            await keep_trying(partial(self._store.tournaments.append, self.row.id, self._stored, new))
            self._stored += len(new)


def _rebuilt(row: TournamentRow, events: list[bytes]) -> Tournament:
    try:
        config = json.decode(row.config, type=Config)
        return Tournament.replay(config, map(decode_event, events))
    except (ValidationError, ValueError) as error:
        raise Unreadable(f"tournament {row.id} cannot be read: {error}") from error
