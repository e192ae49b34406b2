# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots, their versions, and the hashes of their tokens."""

import re
import time
from collections.abc import Collection, Sequence
from math import ceil
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, insert, or_, select, update

from arena.store import tables
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import BadName, NameTaken, TooManyVersions, UnknownBot
from arena.store.rows import (
    ALL_BOTS,
    BotFilter,
    BotKind,
    BotOrder,
    BotRow,
    Id,
    Page,
    VersionRow,
    read_cursor,
    write_cursor,
)
from arena.store.tables import insert_new, storable

_COLUMNS = [column for column in tables.bots.columns if column.name != "token_hash"]
DAY = 86_400
"""Seconds."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")


class Bots:
    """The registered bots. Names differ in more than case."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(
        self, name: str, token_hash: str, *, kind: BotKind = "own", owner: str = "", description: str = ""
    ) -> BotRow:
        """Register a bot. Raises BadName, or NameTaken, also for the name of a removed bot, whose records keep that
        name.
        """

        def work(connection: Connection) -> BotRow:
            return register(connection, name, token_hash, kind=kind, owner=owner, description=description)

        return await self._writer.run(work)

    async def admit_built_in(self, name: str, token_hash: str, *, description: str = "") -> BotRow | None:
        """Give a built-in bot its token for this run of the server; register the bot if it is new.

        Returns None if the bot was removed: it must not play. Raises NameTaken if a user's bot has that name.
        """
        known = await self.named(name)
        if known is None:
            return await self.add(name, token_hash, kind="built-in", description=description)
        if known.kind != "built-in":
            raise NameTaken(f"another bot already has the name of the built-in bot {known.name}")
        return await self.rotate(name, token_hash) if known.removed is None else None

    async def seat(self, name: str, token_hash: str, *, owner: str, description: str = "") -> BotRow:
        """Give a bot of an owner, which is no person, a token, and register it when it is new.

        Raises BadName, or NameTaken when the name is that of another's bot, or of one that was removed.
        """
        known = await self.named(name)
        if known is None:
            return await self.add(name, token_hash, owner=owner, description=description)
        if known.kind != "own" or known.owner != storable(owner) or known.removed is not None:
            raise NameTaken(f"the name {known.name} is taken by a bot that is not of {owner}")
        return await self.rotate(name, token_hash)

    async def get(self, bot_id: int) -> BotRow | None:
        """Return the bot of this id, also when it was removed."""
        query = select(*_COLUMNS).where(tables.bots.c.id == bot_id)
        return await self._reader.run(lambda connection: _bot(connection.execute(query).one_or_none()))

    async def named(self, name: str) -> BotRow | None:
        """Return the bot of this name, ignoring case; includes removed bots."""
        return await self._reader.run(lambda connection: _named(connection, name))

    async def by_token(self, token_hash: str) -> BotRow | None:
        """Return the bot that this token lets in."""
        query = select(*_COLUMNS).where(tables.bots.c.token_hash == token_hash)
        return await self._reader.run(lambda connection: _bot(connection.execute(query).one_or_none()))

    async def tokens(self) -> list[str]:
        """Return the hashes of all tokens that let a bot in."""
        query = select(tables.bots.c.token_hash).where(tables.bots.c.token_hash.is_not(None))
        return await self._reader.run(lambda connection: list(connection.scalars(query)))

    async def revoked(self, token_hashes: Collection[str]) -> set[str]:
        """Return the token hashes that are no longer valid, because the bot was removed or its token was rotated."""
        query = select(tables.bots.c.token_hash).where(tables.bots.c.token_hash.in_(token_hashes))
        return set(token_hashes) - await self._reader.run(lambda connection: set(connection.scalars(query)))

    async def page(self, *, after: str | None = None, limit: int = 100, chosen: BotFilter = ALL_BOTS) -> Page[BotRow]:
        """Return the chosen bots in their order, without the removed ones and without people. Raises BadCursor."""
        bot = tables.bots.c
        ordering = _ordering(chosen)
        query = select(*_COLUMNS, *ordering).where(bot.removed.is_(None), bot.kind != "person").limit(limit + 1)
        if chosen.name:
            query = query.where(func.lower(bot.name).contains(storable(chosen.name).lower(), autoescape=True))
        if chosen.only_connected:
            query = query.where(bot.id.in_(chosen.connected))
        query = query.order_by(*(key.desc() if chosen.reverse else key for key in ordering))
        if after is not None:
            query = query.where(_follows(ordering, _read_place(after, chosen), reverse=chosen.reverse))
        found = await self._reader.run(lambda connection: connection.execute(query).all())
        names = [column.name for column in _COLUMNS]
        rows = [BotRow(**dict(zip(names, row, strict=False))) for row in found[:limit]]
        # what a row is ordered by stands behind its columns
        return Page(rows, write_cursor(found[limit - 1][len(names) :]) if len(found) > limit else None)

    async def describe(self, name: str, description: str) -> BotRow:
        """Change a bot's one-line description. Raises UnknownBot."""
        return await self._change(name, description=storable(description))

    async def rotate(self, name: str, token_hash: str) -> BotRow:
        """Replace a bot's token; the old token becomes invalid. Raises UnknownBot."""
        return await self._change(name, token_hash=token_hash)

    async def remove(self, name: str) -> BotRow:
        """Remove a bot: it may not connect any more. Its matches and ratings stay in the records. Raises UnknownBot."""
        return await self._change(name, token_hash=None, removed=time.time())

    async def version(self, bot_id: int, label: str, *, most: int | None = None) -> VersionRow:
        """Return a version of a bot, made when it is new.

        Raises UnknownBot, and TooManyVersions when it is new and the bot had ``most`` new ones within a day.
        """
        key = {"bot_id": bot_id, "label": storable(label)}
        query = select(tables.versions).filter_by(**key)

        def work(connection: Connection) -> VersionRow:
            if connection.scalar(select(tables.bots.c.id).where(tables.bots.c.id == bot_id)) is None:
                raise UnknownBot(f"no bot has the number {bot_id}")
            now = time.time()
            if most is not None and connection.execute(query).one_or_none() is None:
                _check_versions(connection, bot_id, most, now)
            connection.execute(insert_new(connection, tables.versions), key | {"created": now})
            return VersionRow(**connection.execute(query).one()._mapping)

        known = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        return VersionRow(**known._mapping) if known else await self._writer.run(work)

    async def versions(self, bot_id: int, limit: int | None = None) -> list[VersionRow]:
        """Return the newest ``limit`` versions of a bot (None: all) in the order they came."""
        of_bot = tables.versions.c.bot_id == bot_id
        query = select(tables.versions).where(of_bot).order_by(tables.versions.c.id.desc()).limit(limit)
        return await self._reader.run(
            lambda connection: [VersionRow(**row._mapping) for row in connection.execute(query)][::-1]
        )

    async def _change(self, name: str, **values: str | float | None) -> BotRow:
        def work(connection: Connection) -> BotRow:
            bot = _named(connection, name)
            if bot is None or bot.removed is not None:
                raise UnknownBot(f"no bot is called {name}" if bot is None else f"{bot.name} was removed")
            connection.execute(update(tables.bots).where(tables.bots.c.id == bot.id).values(**values))
            return _get(connection, bot.id)

        return await self._writer.run(work)


def _ordering(chosen: BotFilter) -> Sequence[ColumnElement[Any]]:
    """Return what a list of bots is ordered by."""
    bot = tables.bots.c
    name = func.lower(bot.name)
    match chosen.order:
        case "added":
            return (bot.id,)
        case "name":
            return (name,)
        case "kind":
            return bot.kind, name
        case "status":
            return case((bot.id.in_(chosen.connected), 0), else_=1), name


def _read_place(cursor: str, chosen: BotFilter) -> Sequence[str | int]:
    """Return the values in a cursor. Raises BadCursor when it is none of a list in this order."""
    kinds: dict[BotOrder, Any] = {"added": tuple[Id], "name": tuple[str], "kind": tuple[str, str]}
    place: Sequence[str | int] = read_cursor(cursor, kinds.get(chosen.order, tuple[Id, str]))
    return place


def _follows(
    ordering: Sequence[ColumnElement[Any]], place: Sequence[str | int], *, reverse: bool
) -> ColumnElement[bool]:
    """Return the condition for rows after a place in their order."""
    *first, (key, value) = zip(ordering, place, strict=True)
    beyond = key < value if reverse else key > value
    for major, passed in reversed(first):
        beyond = or_(major < passed if reverse else major > passed, and_(major == passed, beyond))
    return beyond


def register(
    connection: Connection, name: str, token_hash: str, *, kind: BotKind = "own", owner: str = "", description: str = ""
) -> BotRow:
    """Register a bot in a transaction of the caller. Raises BadName and NameTaken, as ``Bots.add`` does."""
    if not _NAME.fullmatch(name):
        raise BadName(f"{name!r} is not a name for a bot; use up to 40 letters, digits, '.', '_', '+' and '-'")
    taken = _named(connection, name)
    if taken:
        when = "is taken" if taken.removed is None else "belonged to a bot that was removed; its records keep it"
        raise NameTaken(f"the name {taken.name} {when}")
    created = {"name": name, "token_hash": token_hash, "created": time.time(), "removed": None}
    created |= {"kind": kind, "owner": storable(owner), "description": storable(description)}
    (bot_id,) = connection.execute(insert(tables.bots).returning(tables.bots.c.id), created).one()
    return _get(connection, bot_id)


def revoke(connection: Connection, bot_ids: Collection[int], *, remove: bool) -> None:
    """Revoke the tokens of bots in a transaction of the caller, and ``remove`` those that are not removed yet."""
    bot = tables.bots.c
    connection.execute(update(tables.bots).where(bot.id.in_(bot_ids)).values(token_hash=None))
    if remove:
        gone = update(tables.bots).where(bot.id.in_(bot_ids), bot.removed.is_(None))
        connection.execute(gone.values(removed=time.time()))


def _check_versions(connection: Connection, bot_id: int, most: int, now: float) -> None:
    """Raise TooManyVersions when a bot had so many new versions within a day that it may have no other now."""
    created = tables.versions.c.created
    query = select(created).where(tables.versions.c.bot_id == bot_id, created > now - DAY)
    newest = connection.scalars(query.order_by(created.desc()).limit(most)).all() if most else []
    if len(newest) < most:
        return
    wait = newest[-1] + DAY - now if newest else DAY
    raise TooManyVersions(
        f"this bot already had {most} new versions within 24 hours; connect with the label of a known version, or try "
        f"again in {_span(wait)}",
        wait,
    )


def _span(seconds: float) -> str:
    """Return a time for people, rounded up: "3 h 12 min"."""
    hours, minutes = divmod(ceil(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _named(connection: Connection, name: str) -> BotRow | None:
    query = select(*_COLUMNS).where(func.lower(tables.bots.c.name) == name.lower())
    return _bot(connection.execute(query).one_or_none())


def _get(connection: Connection, bot_id: int) -> BotRow:
    return BotRow(**connection.execute(select(*_COLUMNS).where(tables.bots.c.id == bot_id)).one()._mapping)


def _bot(row: Row[Any] | None) -> BotRow | None:
    return None if row is None else BotRow(**row._mapping)
