# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries of the newest results: matches of tournaments, ends of tournaments, and upsets."""

from typing import Any, NamedTuple
from uuid import UUID, uuid4

from sqlalchemy import Connection, Select, case, select

from arena.features.feeds import tables
from arena.store import tables as core
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.matches import match_query, read_rows
from arena.store.rows import MatchRow, TournamentRow
from arena.store.tables import insert_new
from arena.store.tournaments import ENDED
from arena.watching.disclosure import public_row

ENTRIES = 50
"""Entries of the feed."""
TOURNAMENTS = 20
"""Number of newest tournaments whose matches the feed shows."""
MATCHES = 2_000
"""Number of newest finished matches among which the feed looks for upsets."""
UPSET = 200.0
"""An upset: the winner's rating was so much lower than the loser's."""

_match, _player, _tournament = core.matches.c, core.players.c, core.tournaments.c
_one, _other = core.players.alias("feed_one"), core.players.alias("feed_other")
_identity = tables.feed_identities


class Wanted(NamedTuple):
    """The filters of a feed; None: everything."""

    game: str | None = None
    bot: int | None = None
    tournament: int | None = None


class ResultRecords:
    """The queries of the feed."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def identity(self, now: float) -> tuple[UUID, float]:
        """Return the identity of this arena and when it was made; the first call makes it."""
        query = select(_identity.c.uuid, _identity.c.created)
        found = await self._reader.run(lambda connection: connection.execute(query).all())
        if not found:
            row = {"id": 1, "uuid": str(uuid4()), "created": now}

            def work(connection: Connection) -> Any:
                connection.execute(insert_new(connection, _identity), row)
                return connection.execute(query).all()

            found = await self._writer.run(work)
        ((uuid, created),) = found
        return UUID(uuid), created

    async def read(self, wanted: Wanted) -> tuple[list[MatchRow], list[TournamentRow]]:
        """Return the newest matches and tournaments of a feed."""

        def work(connection: Connection) -> tuple[list[MatchRow], list[TournamentRow]]:
            found = list(connection.scalars(_of_tournaments(wanted)))
            found += connection.scalars(_upsets(wanted))
            query = match_query().where(_match.id.in_(found)).order_by(_match.finished.desc(), _match.id.desc())
            rows = [public_row(row) for row in read_rows(connection, query.limit(ENTRIES))]
            ended = [TournamentRow(**row._mapping) for row in connection.execute(_ended(wanted))]
            return rows, ended

        return await self._reader.run(work)


def _of_tournaments(wanted: Wanted) -> Select[Any]:
    """Return the query for the numbers of the newest finished matches of tournaments."""
    query = select(_match.id).where(_match.status == "finished", _match.result != "*")
    if wanted.tournament is not None:
        query = query.where(_match.tournament == wanted.tournament)
    else:
        newest = select(_tournament.id).order_by(_tournament.id.desc())
        if wanted.game is not None:
            newest = newest.where(_tournament.game == wanted.game)
        query = query.where(_match.tournament.in_(newest.limit(TOURNAMENTS).subquery().select()))
    if wanted.game is not None:
        query = query.where(_match.game == wanted.game)
    if wanted.bot is not None:
        query = query.where(_plays(wanted.bot))
    return query.order_by(_match.id.desc()).limit(ENTRIES)


def _upsets(wanted: Wanted) -> Select[Any]:
    """Return the query for the numbers of the newest upsets among rated matches."""
    newest: Select[Any]
    if wanted.bot is not None:
        newest = select(_player.match_id.label("id")).distinct()
        newest = newest.where(_player.bot_id == wanted.bot, _player.live.is_(False)).order_by(_player.match_id.desc())
    else:
        newest = select(_match.id).where(_match.status == "finished").order_by(_match.id.desc())
        if wanted.game is not None:
            newest = newest.where(_match.game == wanted.game)
    few = newest.limit(MATCHES).subquery()
    difference = case(
        (_match.result == "1-0", _other.c.rating_before - _one.c.rating_before),
        (_match.result == "0-1", _one.c.rating_before - _other.c.rating_before),
        else_=0.0,
    )
    query = (
        select(_match.id)
        .join(few, few.c.id == _match.id)
        .join(_one, (_one.c.match_id == _match.id) & (_one.c.seat == 0))
        .join(_other, (_other.c.match_id == _match.id) & (_other.c.seat == 1))
        .where(_match.rated, _match.status == "finished", difference >= UPSET)
    )
    if wanted.game is not None:
        query = query.where(_match.game == wanted.game)
    if wanted.tournament is not None:
        query = query.where(_match.tournament == wanted.tournament)
    return query.order_by(_match.id.desc()).limit(ENTRIES)


def _ended(wanted: Wanted) -> Select[Any]:
    """Return the query for the tournaments that ended last."""
    query = select(core.tournaments).where(_tournament.status.in_(ENDED))
    if wanted.tournament is not None:
        query = query.where(_tournament.id == wanted.tournament)
    if wanted.game is not None:
        query = query.where(_tournament.game == wanted.game)
    if wanted.bot is not None:
        played = select(_match.id).where(_match.tournament == _tournament.id, _plays(wanted.bot))
        query = query.where(played.exists())
    return query.order_by(_tournament.ended.desc()).limit(ENTRIES)


def _plays(bot: int) -> Any:
    return select(_player.match_id).where(_player.match_id == _match.id, _player.bot_id == bot).exists()
