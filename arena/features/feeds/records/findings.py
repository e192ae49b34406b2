# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries for the events of webhooks: ended matches and tournaments, quarantines, and the accounts of bots."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from arena.features.accounts import tables as accounts
from arena.features.health import tables as health
from arena.store import tables as core
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.matches import match_query, read_rows
from arena.store.rows import MatchRow, TournamentRow
from arena.store.tournaments import ENDED

BLOCK = 500
"""Matches that are read together."""

_match, _tournament, _bot = core.matches.c, core.tournaments.c, core.bots.c
_quarantine, _version, _owned = health.quarantines.c, core.versions.c, accounts.owned_bots.c


class BeganQuarantine(NamedTuple):
    """A quarantine that began."""

    id: int
    bot: int
    name: str
    version: str
    reason: str
    began: float


class Findings:
    """Queries for new events."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader

    async def matches(self, since: float, after: tuple[float, int]) -> list[MatchRow]:
        """Return matches that ended since a time, after the time and number of the last one that is known, in order."""
        moment, number = after
        later = (_match.finished > moment) | ((_match.finished == moment) & (_match.id > number))
        query = match_query().where(_match.pruned.is_(False), _match.finished >= since, later)
        query = query.order_by(_match.finished, _match.id).limit(BLOCK)
        return await self._reader.run(lambda connection: read_rows(connection, query))

    async def tournaments(self, since: float) -> list[TournamentRow]:
        """Return the tournaments that ended since a time."""
        query = select(core.tournaments).where(_tournament.status.in_(ENDED), _tournament.ended >= since)
        query = query.order_by(_tournament.ended)
        return await self._reader.run(
            lambda connection: [TournamentRow(**row._mapping) for row in connection.execute(query)]
        )

    async def bots_named(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of the bots with these names."""
        query = select(_bot.id).where(func.lower(_bot.name).in_([name.lower() for name in names]))
        return await self._reader.run(lambda connection: list(connection.scalars(query)))

    async def quarantines(self, since: float) -> list[BeganQuarantine]:
        """Return the quarantines that began since a time."""
        columns = _quarantine.id, _quarantine.bot_id, _bot.name, _version.label, _quarantine.reason, _quarantine.began
        query = select(*columns).join(core.bots, _bot.id == _quarantine.bot_id)
        query = query.join(core.versions, _version.id == _quarantine.version_id).where(_quarantine.began >= since)
        return await self._reader.run(lambda connection: [BeganQuarantine(*row) for row in connection.execute(query)])

    async def owners(self, bots: Sequence[int]) -> dict[int, int]:
        """Return the accounts of bots, by bot."""
        query = select(_owned.bot_id, _owned.account_id).where(_owned.bot_id.in_(bots))
        return await self._reader.run(lambda connection: {row[0]: row[1] for row in connection.execute(query)})
