# SPDX-License-Identifier: GPL-3.0-or-later
"""Store of the tournaments: configuration, status and events."""

import time
from collections.abc import Collection, Sequence
from typing import get_args

from sqlalchemy import Connection, insert, select, update

from arena.store import tables
from arena.store.database.engines import Reader
from arena.store.database.locking import Locks
from arena.store.database.writer import Writer
from arena.store.errors import BadStatus, Conflict, UnknownTournament
from arena.store.matches import match_query, read_rows
from arena.store.rows import MatchRow, Page, TournamentRow, TournamentStatus, read_id, write_cursor
from arena.store.tables import storable

_tournament, _event = tables.tournaments.c, tables.tournament_events.c

_UNDER_WAY = select(tables.tournaments).where(_tournament.status.in_(("running", "paused"))).order_by(_tournament.id)

_MAY_BECOME: dict[TournamentStatus, tuple[TournamentStatus, ...]] = {
    "created": ("running", "cancelled"),
    "running": ("paused", "finished", "cancelled"),
    "paused": ("running", "finished", "cancelled"),
    "finished": (),
    "cancelled": (),
}
ENDED: tuple[TournamentStatus, ...] = ("finished", "cancelled")

STATUSES: tuple[TournamentStatus, ...] = get_args(TournamentStatus)


class Tournaments:
    """Tournaments and their events. A writer states the number of events that it has seen: of two concurrent writers,
    one gets Conflict and reads again.
    """

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, name: str, game: str, config: bytes) -> TournamentRow:
        """Record a tournament that is yet to start."""
        values = {"name": storable(name), "game": game, "config": config.decode(), "status": "created", "length": 0}

        def work(connection: Connection) -> TournamentRow:
            row = insert(tables.tournaments).returning(_tournament.id)
            (number,) = connection.execute(row, {**values, "created": time.time(), "ended": None}).one()
            return _get(connection, number)

        return await self._writer.run(work)

    async def get(self, number: int) -> TournamentRow:
        """Return a tournament. Raises UnknownTournament."""
        return await self._reader.run(lambda connection: _get(connection, number))

    async def page(
        self, statuses: Collection[TournamentStatus] = STATUSES, *, after: str | None = None, limit: int = 50
    ) -> Page[TournamentRow]:
        """Return the tournaments of a status, the newest first. Raises BadCursor."""
        query = select(tables.tournaments).where(_tournament.status.in_(statuses)).order_by(_tournament.id.desc())
        if after is not None:
            query = query.where(_tournament.id < read_id(after))
        found = await self._reader.run(
            lambda connection: [TournamentRow(**row._mapping) for row in connection.execute(query.limit(limit + 1))]
        )
        return Page(found[:limit], write_cursor(found[limit - 1].id) if len(found) > limit else None)

    async def under_way(self) -> list[TournamentRow]:
        """Return the tournaments that are running or paused."""
        return [TournamentRow(**row._mapping) for row in await self._reader.rows(_UNDER_WAY)]

    async def become(self, number: int, status: TournamentStatus) -> TournamentRow:
        """Start, pause, resume, finish or cancel a tournament; nothing happens where it stands like that already.

        Raises UnknownTournament, and BadStatus where that cannot be.
        """

        def work(connection: Connection) -> TournamentRow:
            row = _get(connection, number)
            if row.status == status:
                return row
            if status not in _MAY_BECOME[row.status]:
                raise BadStatus(f"tournament {number} is {row.status}; it cannot become {status}")
            ended = time.time() if status in ENDED else None
            change = update(tables.tournaments).where(_tournament.id == number).values(status=status, ended=ended)
            connection.execute(change)
            return _get(connection, number)

        return await self._writer.run(work, locks=Locks(tournament=number))

    async def append(self, number: int, length: int, events: Sequence[bytes]) -> None:
        """Add events to a tournament that has ``length`` of them so far, all or none.

        The same events again do no harm. Raises UnknownTournament, and Conflict when it has others there.
        """
        rows = [
            {"tournament_id": number, "number": place, "body": body.decode()}
            for place, body in enumerate(events, length)
        ]

        def work(connection: Connection) -> None:
            row = _get(connection, number)
            if row.length == length:
                if rows:
                    connection.execute(insert(tables.tournament_events), rows)
                grown = update(tables.tournaments).where(_tournament.id == number, _tournament.length == length)
                if connection.execute(grown.values(length=length + len(rows))).rowcount == 1:
                    return
            stored = _events(connection, number)[length : length + len(rows)]
            if [body.decode() for body in stored] != [each["body"] for each in rows]:
                raise Conflict(f"tournament {number} has {row.length} events, not {length}")

        await self._writer.run(work, locks=Locks(tournament=number))

    async def events(self, number: int) -> list[bytes]:
        """Return the events of a tournament in order."""
        return await self._reader.run(lambda connection: _events(connection, number))

    async def matches(self, number: int) -> list[MatchRow]:
        """Return the matches of a tournament, live and finished, in the order in which they began."""
        query = match_query().where(tables.matches.c.tournament == number).order_by(tables.matches.c.id)
        return await self._reader.run(lambda connection: read_rows(connection, query))


def _get(connection: Connection, number: int) -> TournamentRow:
    row = connection.execute(select(tables.tournaments).where(_tournament.id == number)).one_or_none()
    if row is None:
        raise UnknownTournament(f"no tournament has the number {number}")
    return TournamentRow(**row._mapping)


def _events(connection: Connection, number: int) -> list[bytes]:
    query = select(_event.body).where(_event.tournament_id == number).order_by(_event.number)
    return [body.encode() for body in connection.scalars(query)]
