# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of quarantines, and the query of the matches that they depend on."""

import time
from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, insert, select, update

from arena.features.accounts import tables as accounts
from arena.features.health import tables
from arena.features.health.judging import Ended, Verdict
from arena.features.health.rows import NeedsValidation, NotQuarantined, QuarantineRow
from arena.features.uploads import tables as uploads
from arena.records.verification import Finding
from arena.store import tables as core
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.rows import Page, read_id, write_cursor
from arena.store.tables import storable
from engine.match.ending import SCORES

_one, _bot, _version = tables.quarantines.c, core.bots.c, core.versions.c
_match, _player, _upload = core.matches.c, core.players.c, uploads.uploads.c
_QUARANTINES = (
    select(
        *(_one[name] for name in ("id", "bot_id", "reason", "matches", "began", "lifted", "how")),
        _bot.name.label("bot"),
        _bot.owner,
        _version.label.label("version"),
        accounts.owned_bots.c.account_id,
    )
    .join(core.bots, _bot.id == _one.bot_id)
    .join(core.versions, _version.id == _one.version_id)
    .outerjoin(accounts.owned_bots, accounts.owned_bots.c.bot_id == _one.bot_id)
)
_LASTING = _one.lifted.is_(None) & _bot.removed.is_(None)
_BOTS = select(_one.bot_id).where(_one.lifted.is_(None))
_LOST = {(0, "0-1"), (1, "1-0")}
"""Seat and result of a lost match."""

BY_HAND = "put back by hand"
ACCEPTED = "version {0} was accepted"
"""How a quarantine ends, for people; pages translate these texts."""


class Quarantines:
    """The quarantines in the database; a bot is in at most one at a time."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def ended(self, bot_id: int, version_id: int, most: int) -> list[Ended]:
        """Return the newest ``most`` rated matches of a version, the newest first. Those that started before the last
        quarantine of the bot ended are left out.
        """
        columns = _match.id, _match.pair, _match.started, _match.finished, _match.termination, _match.result
        query = (
            select(*columns, _player.seat)
            .join(core.players, _player.match_id == _match.id)
            .where(_player.bot_id == bot_id, _player.live.is_(False), _player.version_id == version_id)
            .where(_match.rated, _match.result.in_(tuple(SCORES)))
            .where(_match.started >= _since(bot_id).scalar_subquery())
            .order_by(_player.match_id.desc())
            .limit(most)
        )
        return await self._reader.run(lambda connection: [_ended(row) for row in connection.execute(query)])

    async def bots(self) -> frozenset[int]:
        """Return the numbers of the bots in quarantine."""
        return frozenset(bot_id for (bot_id,) in await self._reader.rows(_BOTS))

    async def lasting(self, *, after: str | None = None, limit: int = 500) -> Page[QuarantineRow]:
        """Return the quarantines that last, the newest first; removed bots are left out. Raises BadCursor."""
        query = _QUARANTINES.where(_LASTING)
        if after is not None:
            query = query.where(_one.id < read_id(after))
        found = await self._read(query.limit(limit + 1))
        return Page(found[:limit], write_cursor(found[limit - 1].id) if len(found) > limit else None)

    async def of_bot(self, bot_id: int, limit: int) -> list[QuarantineRow]:
        """Return the newest quarantines of a bot, the newest first."""
        return await self._read(_QUARANTINES.where(_one.bot_id == bot_id).limit(limit))

    async def of_account(self, account_id: int, *, unowned: bool) -> list[QuarantineRow]:
        """Return the lasting quarantines of an account's bots. ``unowned``: and of the bots without an account."""
        owner = accounts.owned_bots.c.account_id
        own = owner == account_id
        return await self._read(_QUARANTINES.where(_LASTING, own | owner.is_(None) if unowned else own))

    async def _read(self, query: Select[Any]) -> list[QuarantineRow]:
        query = query.order_by(_one.id.desc())
        return await self._reader.run(lambda connection: [_row(row) for row in connection.execute(query)])

    async def add(self, bot_id: int, version_id: int, verdict: Verdict) -> bool:
        """Put a bot into quarantine; return False if it was in one already."""

        def work(connection: Connection) -> bool:
            lasting = select(_one.id).where(_one.bot_id == bot_id, _one.lifted.is_(None))
            if connection.scalar(lasting) is not None:
                return False
            values = {"bot_id": bot_id, "version_id": version_id, "reason": storable(verdict.reason)}
            values |= {"matches": msgspec.json.encode(verdict.matches).decode(), "began": time.time(), "how": ""}
            connection.execute(insert(tables.quarantines), values)
            return True

        return await self._writer.run(work)

    async def lift(self, bot_id: int, how: str = BY_HAND) -> QuarantineRow:
        """End the quarantine of a bot, and reset its failures. Raises NotQuarantined, and NeedsValidation where the
        version that the arena would host for it is in quarantine.
        """

        def work(connection: Connection) -> QuarantineRow:
            query = select(_upload.state).where(_upload.bot_id == bot_id)
            query = query.where(_upload.state.in_(("accepted", "quarantined"))).order_by(_upload.number.desc())
            if connection.scalar(query.limit(1)) == "quarantined":
                raise NeedsValidation("the arena hosts this bot: validate the version again, or upload a new one")
            lasting = _one.bot_id == bot_id, _one.lifted.is_(None)
            number = connection.scalar(select(_one.id).where(*lasting))
            if number is None:
                raise NotQuarantined("the bot is not in quarantine")
            connection.execute(update(tables.quarantines).where(*lasting).values(lifted=time.time(), how=how))
            return _row(connection.execute(_QUARANTINES.where(_one.id == number)).one())

        return await self._writer.run(work)


def _since(bot_id: int) -> Select[tuple[float]]:
    """Return the query for the time since when failures of a bot count: the end of its last quarantine, or 0."""
    return select(func.coalesce(func.max(_one.lifted), 0.0)).where(_one.bot_id == bot_id)


def _ended(row: Any) -> Ended:
    lost = (row.seat, row.result) in _LOST
    return Ended(row.id, row.pair, row.started, row.finished, row.termination, lost)


def _row(row: Any) -> QuarantineRow:
    values = dict(row._mapping)
    return QuarantineRow(**values | {"matches": msgspec.json.decode(values["matches"], type=tuple[int, ...])})


def check_quarantines(audit: Audit) -> Iterator[Finding]:
    """Yield the bots that are in more than one quarantine."""
    query = select(_one.bot_id).where(_one.lifted.is_(None)).group_by(_one.bot_id).having(func.count() > 1)
    for (number,) in audit.stream(query):
        yield Finding("a bot is in one quarantine at a time", f"bot {number}", "it is in several")
