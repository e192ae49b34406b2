# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of islands on volunteers' machines: state, history, verifications, and exchanged genomes."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select, update

from arena.features.volunteers import tables
from arena.features.volunteers.rows import (
    IslandRow,
    MatingRow,
    PointRow,
    UnknownIsland,
    UnknownMigration,
    UnknownVerification,
    VerificationRow,
)
from arena.records.verification import Finding
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import BadName, NameTaken
from arena.store.rows import Page, read_id, write_cursor
from arena.store.tables import insert_new

_island, _point, _verification, _mating = (
    tables.islands.c,
    tables.island_points.c,
    tables.verifications.c,
    tables.matings.c,
)
_KEYS = select(_island.id, _island.token_hash, _island.pardons)
_givers, _takers = tables.islands.alias("giver"), tables.islands.alias("taker")

_REMEMBERED = 100_000
"""Number of the newest gifts that are checked for genomes that an island already has."""

_STANDS = ("game", "joined", "sequence", "report", "seen", "reports", "repeated", "refusals")
_SAVE = update(tables.islands).where(_island.id == bindparam("of")).values({name: bindparam(name) for name in _STANDS})
_THIN = delete(tables.island_points).where(
    _point.deme_id == bindparam("of"), _point.generation % bindparam("every") != 0
)
_ARRIVE = (
    update(tables.matings)
    .where(_mating.id == bindparam("of"), _mating.taker_id == bindparam("taker"), _mating.arrived.is_(None))
    .values(arrived=bindparam("now"))
)
_VERIFICATIONS = select(
    _verification.id,
    _verification.deme_id,
    _island.name,
    _verification.game,
    _verification.digest,
    _verification.verdict,
    _verification.body,
    _verification.created,
).join(tables.islands, _island.id == _verification.deme_id)
_MATINGS = (
    select(
        _mating.id,
        _mating.giver_id,
        _givers.c.name,
        _mating.taker_id,
        _takers.c.name,
        _mating.offered,
        _mating.arrived,
        *(_verification[name] for name in ("id", "game", "digest", "verdict", "body", "created")),
    )
    .join(_givers, _givers.c.id == _mating.giver_id)
    .join(_takers, _takers.c.id == _mating.taker_id)
    .join(tables.verifications, _verification.id == _mating.exam_id)
)


class Stand(NamedTuple):
    """An island's state, and its changes since the last write."""

    island: int
    values: dict[str, Any]
    """The values of the columns of that state."""
    points: Sequence[tuple[int, bytes]] = ()
    """More of its course: generations, and their JSON."""
    thin: int = 1
    """Points of generations that this does not divide are dropped."""
    begun: bool = False
    """Whether its history starts again."""
    arrived: Sequence[int] = ()
    """Gifts that have come in."""


class Gift(NamedTuple):
    """A verified genome that an island was offered, and whether it received it."""

    id: int
    verification: int
    digest: str
    giver: int
    taker: int
    arrived: bool


class IslandRecords:
    """The islands in the database. The server keeps all of them in memory."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, name: str, token_hash: str) -> IslandRow:
        """Register an island. Raises BadName, and NameTaken."""
        if not name.strip() or not name.isprintable() or len(name) > 60:
            raise BadName(
                f"{name[:60]!r} is not a name for an island: it is empty, too long, or has control characters"
            )
        row = {"name": name, "token_hash": token_hash, "created": time.time()}
        empty = {"joined": "", "sequence": 0, "report": "", "reports": 0, "repeated": 0}
        row |= empty | {"refusals": "{}", "why": "", "pardons": 0}

        def work(connection: Connection) -> IslandRow:
            if connection.scalar(select(_island.id).where(_island.name == name)) is not None:
                raise NameTaken(f"there is an island called {name}")
            (number,) = connection.execute(insert(tables.islands).returning(_island.id), row).one()
            return _get(connection, _island.id == number)

        return await self._writer.run(work)

    async def get(self, number: int) -> IslandRow:
        """Return an island. Raises UnknownIsland."""
        return await self._reader.run(lambda connection: _get(connection, _island.id == number))

    async def by_token(self, token_hash: str) -> IslandRow | None:
        """Return the island of a token."""
        query = select(tables.islands).where(_island.token_hash == token_hash)
        found = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        return None if found is None else IslandRow(**found._mapping)

    async def all(self) -> list[IslandRow]:
        """Return all islands, in the order of registration."""
        query = select(tables.islands).order_by(_island.id)
        return await self._reader.run(
            lambda connection: [IslandRow(**row._mapping) for row in connection.execute(query)]
        )

    async def keys(self) -> list[tuple[int, str | None, int]]:
        """Return each island's number, token hash, and count of lifted quarantines: the values that commands change
        beside a server.
        """
        return [(number, token, lifts) for number, token, lifts in await self._reader.rows(_KEYS)]

    async def remove(self, name: str) -> None:
        """Remove an island; its records stay. Raises UnknownIsland."""
        await self._change(name, token_hash=None)

    async def lift(self, name: str) -> None:
        """Lift an island's quarantine. Raises UnknownIsland."""
        await self._change(name, quarantined=None, why="", pardons=_island.pardons + 1)

    async def _change(self, name: str, **values: Any) -> None:
        statement = update(tables.islands).where(_island.name == name).values(values)
        if not await self._writer.run(lambda connection: connection.execute(statement).rowcount):
            raise UnknownIsland(f"no island is called {name}")

    async def save(self, stand: Stand) -> None:
        """Write an island's state, batched with other islands' writes of that moment."""
        await self._writer.join(_save, stand)

    async def course(self, island: int) -> list[PointRow]:
        """Return the history of an island, in order."""
        query = select(_point.generation, _point.body).where(_point.deme_id == island).order_by(_point.generation)
        return await self._reader.run(
            lambda connection: [PointRow(number, body.encode()) for number, body in connection.execute(query)]
        )

    async def add_verification(
        self,
        island: int,
        game: str,
        digest: str,
        verdict: str,
        body: bytes,
        *,
        at: float,
        quarantined: str = "",
        before: tuple[int, bytes] | None = None,
    ) -> int:
        """Record a verification of an island's best, and the reason of a quarantine, if any; returns its number.

        ``before``: an earlier verification, and the values to keep of it.
        """
        row = {
            "deme_id": island,
            "game": game,
            "digest": digest,
            "verdict": verdict,
            "body": body.decode(),
            "created": at,
        }

        def work(connection: Connection) -> int:
            (number,) = connection.execute(insert(tables.verifications).returning(_verification.id), row).one()
            if before is not None:
                connection.execute(
                    update(tables.verifications).where(_verification.id == before[0]).values(body=before[1].decode())
                )
            if quarantined:
                liar = update(tables.islands).where(_island.id == island)
                connection.execute(liar.values(quarantined=at, why=quarantined))
            return int(number)

        return await self._writer.run(work)

    async def verifications(
        self, *, island: int | None = None, after: str | None = None, limit: int = 50
    ) -> Page[VerificationRow]:
        """Return verifications, the newest first. Raises BadCursor."""
        query = _VERIFICATIONS.order_by(_verification.id.desc())
        if island is not None:
            query = query.where(_verification.deme_id == island)
        found = await self._newest(query, _verification.id, after, limit)
        return _page([_verified(row) for row in found], limit)

    async def verification(self, number: int) -> VerificationRow:
        """Return one of them. Raises UnknownVerification."""
        query = _VERIFICATIONS.where(_verification.id == number)
        found = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        if found is None:
            raise UnknownVerification(f"there is no verification {number}")
        return _verified(found)

    async def last_verifications(self) -> list[VerificationRow]:
        """Return the newest verification of each verdict of each island, in order."""
        last = select(func.max(_verification.id)).group_by(_verification.deme_id, _verification.verdict)
        query = _VERIFICATIONS.where(_verification.id.in_(last)).order_by(_verification.id)
        return await self._reader.run(lambda connection: [_verified(row) for row in connection.execute(query)])

    async def mate(self, verification: int, giver: int, taker: int, game: str) -> int:
        """Record that a verified genome is offered to another island; returns the number of the offer."""
        row = {"exam_id": verification, "giver_id": giver, "taker_id": taker, "game": game, "offered": time.time()}

        def work(connection: Connection) -> int:
            (number,) = connection.execute(insert(tables.matings).returning(_mating.id), row).one()
            return int(number)

        return await self._writer.run(work)

    async def matings(self, *, game: str | None = None, after: str | None = None, limit: int = 50) -> Page[MatingRow]:
        """Return exchanged genomes, the newest first. Raises BadCursor."""
        query = _MATINGS.order_by(_mating.id.desc())
        if game is not None:
            query = query.where(_mating.game == game)
        return _page([_mated(row) for row in await self._newest(query, _mating.id, after, limit)], limit)

    async def mating(self, number: int) -> MatingRow:
        """Return one of them. Raises UnknownMigration."""
        query = _MATINGS.where(_mating.id == number)
        found = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        if found is None:
            raise UnknownMigration(f"there is no migration {number}")
        return _mated(found)

    async def gifts(self) -> list[Gift]:
        """Return the genomes given to islands, in order."""
        query = select(
            _mating.id,
            _verification.id,
            _verification.digest,
            _mating.giver_id,
            _mating.taker_id,
            _mating.arrived.is_not(None),
        ).join(tables.verifications, _verification.id == _mating.exam_id)
        query = query.order_by(_mating.id.desc()).limit(_REMEMBERED)
        found = await self._reader.run(lambda connection: [Gift(*row) for row in connection.execute(query)])
        return found[::-1]

    async def _newest(self, query: Select[Any], number: Any, after: str | None, limit: int) -> list[Any]:
        if after is not None:
            query = query.where(number < read_id(after))
        query = query.limit(limit + 1)
        return await self._reader.run(lambda connection: list(connection.execute(query)))


def _page(found: list[Any], limit: int) -> Page[Any]:
    return Page(found[:limit], write_cursor(found[limit - 1].id) if len(found) > limit else None)


def _verified(row: Any) -> VerificationRow:
    number, deme_id, island, game, digest, verdict, body, created = row
    return VerificationRow(number, deme_id, island, game, digest, verdict, body.encode(), created)


def _mated(row: Any) -> MatingRow:
    number, giver_id, giver, taker_id, taker, offered, arrived, verification, game, digest, verdict, body, created = row
    tried = VerificationRow(verification, giver_id, giver, game, digest, verdict, body.encode(), created)
    return MatingRow(number, giver_id, giver, taker_id, taker, tried, offered, arrived)


def _get(connection: Connection, which: Any) -> IslandRow:
    found = connection.execute(select(tables.islands).where(which)).one_or_none()
    if found is None:
        raise UnknownIsland("there is no such island")
    return IslandRow(**found._mapping)


def _save(connection: Connection, stands: Sequence[Stand]) -> list[None]:
    """Write the states of islands; of two states of an island, the later one."""
    begun = [stand.island for stand in stands if stand.begun]
    if begun:
        connection.execute(delete(tables.island_points).where(_point.deme_id.in_(begun)))
    newest = {stand.island: stand.values for stand in stands}
    connection.execute(_SAVE, [{"of": island, **values} for island, values in newest.items()])
    points = [
        {"deme_id": stand.island, "generation": generation, "body": body.decode()}
        for stand in stands
        for generation, body in stand.points
    ]
    if points:
        connection.execute(insert_new(connection, tables.island_points), points)
    thinned = {stand.island: stand.thin for stand in stands if stand.thin > 1}
    if thinned:
        connection.execute(_THIN, [{"of": island, "every": every} for island, every in thinned.items()])
    arrived = [
        {"of": number, "taker": stand.island, "now": time.time()} for stand in stands for number in stand.arrived
    ]
    if arrived:
        connection.execute(_ARRIVE, arrived)
    return [None] * len(stands)


def untried(audit: Audit) -> Iterator[tuple[int, str]]:
    """Yield exchanged genomes that should not have been exchanged: their numbers, and the reason."""
    tried = (_verification.deme_id, _verification.game, _verification.verdict)
    query = select(_mating.id, _mating.giver_id, _mating.taker_id, _mating.game, *tried)
    query = query.outerjoin(tables.verifications, _verification.id == _mating.exam_id).order_by(_mating.id)
    for number, giver, taker, game, island, played, verdict in audit.stream(query):
        if verdict != "confirmed":
            yield number, f"the given genome is {verdict or 'untried'}"
        elif (giver, game) != (island, played) or giver == taker:
            yield number, f"island {giver} gave island {taker} a genome of island {island}"


def miscounted(audit: Audit) -> Iterator[tuple[int, int, int]]:
    """Yield the islands whose number of reports differs from the last report's number: island, number, reports."""
    query = select(_island.id, _island.sequence, _island.reports).where(_island.sequence != _island.reports)
    yield from audit.stream(query.order_by(_island.id))


def check_islands(audit: Audit) -> Iterator[Finding]:
    """Yield the problems in the records of islands."""
    for island, number, reports in miscounted(audit):
        yield Finding(
            "no report of an island is lost or accepted twice", f"island {island}", f"{reports} up to {number}"
        )
    for migration, why in untried(audit):
        yield Finding("only verified genomes go from island to island", f"migration {migration}", why)
