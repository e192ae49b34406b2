# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of the people who play, of their ratings, and of their permissions to learn from their games.

A rating changes once for each match: the table of results has the match as its key. The opponent's rating is that of
the bot's version in the time class of the match, or else in the game's usual class; it never changes here.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from arena.features.accounts import tables as accounts
from arena.features.people import tables
from arena.features.people.rows import PersonRatingRow, PersonRow, Standing
from arena.rating import elo
from arena.records.verification import Finding
from arena.store import tables as core
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.tables import insert_new, storable
from engine.match.ending import SCORES

PER_MOVE = "/move"
"""In the time control of a match without a clock for the person, which has no rating."""

_one, _bot, _rating, _consent = tables.people.c, core.bots.c, tables.ratings.c, tables.consents.c
_match, _player = core.matches.c, core.players.c
_PEOPLE = select(_one.bot_id, _bot.name, _one.account_id, _one.secret_hash, _one.seen, _bot.removed).join(
    core.bots, _bot.id == _one.bot_id
)
_COUNTING = (
    _match.kind == "people",
    _match.status == "finished",
    _match.result.in_(tuple(SCORES)),
    _match.time_control.not_like(f"%{PER_MOVE}%"),
)
"""Matches that count for ratings: with a clock and a result. People always play from the start position."""


class People:
    """The people in the database."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def everybody(self) -> list[PersonRow]:
        """Return all people, in the order in which they came."""
        return await self._read(_PEOPLE)

    async def guests(self) -> list[PersonRow]:
        """Return the seats of guests, in the order in which they were made."""
        return await self._read(_PEOPLE.where(_one.account_id.is_(None)))

    async def of_account(self, account_id: int) -> PersonRow | None:
        """Return the person of an account, if it has played."""
        return next(iter(await self._read(_PEOPLE.where(_one.account_id == account_id))), None)

    async def by_secret(self, secret_hash: str) -> PersonRow | None:
        """Return the guest with this secret."""
        return next(iter(await self._read(_PEOPLE.where(_one.secret_hash == secret_hash))), None)

    async def _read(self, query: Select[Any]) -> list[PersonRow]:
        ordered = query.order_by(_one.bot_id)
        return await self._reader.run(lambda connection: [PersonRow(*row) for row in connection.execute(ordered)])

    async def add_guest(self, secret_hash: str) -> PersonRow:
        """Make a seat for a guest."""

        def work(connection: Connection) -> PersonRow:
            guests = select(func.count()).select_from(tables.people).where(_one.account_id.is_(None))
            return _add(connection, f"Guest {connection.execute(guests).scalar_one() + 1}", secret_hash=secret_hash)

        return await self._writer.run(work)

    async def add_account(self, account_id: int, name: str) -> PersonRow:
        """Return the person of an account, made if it is new."""

        def work(connection: Connection) -> PersonRow:
            known = connection.execute(_PEOPLE.where(_one.account_id == account_id)).one_or_none()
            # no bot has a name that begins like this
            return PersonRow(*known) if known else _add(connection, f"@{storable(name)}", account_id=account_id)

        return await self._writer.run(work)

    async def give(self, bot_id: int, secret_hash: str) -> None:
        """Give the seat of a guest to another guest."""
        await self._change(bot_id, secret_hash=secret_hash, seen=time.time())

    async def touch(self, bot_id: int) -> None:
        """Note that a person is here now."""
        await self._change(bot_id, seen=time.time())

    async def _change(self, bot_id: int, **values: str | float) -> None:
        change = update(tables.people).where(_one.bot_id == bot_id).values(**values)

        def work(connection: Connection) -> None:
            connection.execute(change)

        await self._writer.run(work)

    async def forget_deleted(self) -> None:
        """Take the names of deleted accounts from the people who had them."""
        query = (
            select(_one.bot_id, _one.account_id)
            .join(core.bots, _bot.id == _one.bot_id)
            .join(accounts.accounts, accounts.accounts.c.id == _one.account_id)
            .where(accounts.accounts.c.deleted.is_not(None), _bot.removed.is_(None))
        )
        found = await self._reader.run(lambda connection: connection.execute(query).all())

        def work(connection: Connection) -> None:
            for bot_id, account_id in found:
                gone = {"name": f"Deleted person {account_id}", "token_hash": None, "removed": time.time()}
                connection.execute(update(core.bots).where(_bot.id == bot_id).values(**gone))

        if found:
            await self._writer.run(work)

    # ---------------------------------------------------------------- ratings

    async def unsettled(self) -> list[tuple[int, str]]:
        """Return the numbers and games of the finished matches that count and have not changed a rating yet, in the
        order in which they ended.
        """
        query = (
            select(_match.id, _match.game)
            .join(core.players, _player.match_id == _match.id)
            .join(tables.people, _one.bot_id == _player.bot_id)
            .outerjoin(tables.results, tables.results.c.match_id == _match.id)
            .where(_one.account_id.is_not(None), tables.results.c.match_id.is_(None), *_COUNTING)
            .order_by(_match.finished, _match.id)
        )
        return await self._reader.run(lambda connection: [(row.id, row.game) for row in connection.execute(query)])

    async def settle(self, match_id: int, usual: str | None) -> Standing | None:
        """Change the rating of the person who played a match; return the change, None if the match does not count, or
        has changed the rating before. ``usual``: the usual time class of the game, if the arena has the game.
        """

        def work(connection: Connection) -> Standing | None:
            query = (
                select(_player.seat, _player.bot_id, _player.version_id, _one.account_id)
                .add_columns(_match.game, _match.time_class, _match.result, _match.finished)
                .join(core.matches, _match.id == _player.match_id)
                .outerjoin(tables.people, _one.bot_id == _player.bot_id)
                .where(_match.id == match_id, *_COUNTING)
                .order_by(_player.seat)
            )
            sides = connection.execute(query).all()
            person = next((side for side in sides if side.account_id is not None), None)
            if person is None or len(sides) != 2:
                return None
            other = sides[1 - person.seat]
            before = _standing(connection, person.bot_id, person.game, person.time_class)
            opponent = _strength(connection, other.version_id, person.game, (person.time_class, usual))
            points = SCORES[person.result][person.seat]
            mine = elo.EloRating(before["rating"], before["games"])
            after, _ = elo.rate(mine, opponent, points)
            told = {"match_id": match_id, "bot_id": person.bot_id, "before": before["rating"], "after": after}
            if not connection.execute(insert_new(connection, tables.results), told).rowcount:
                return None
            counts = {
                "games": before["games"] + 1,
                "wins": before["wins"] + (points == 1),
                "draws": before["draws"] + (points == 0.5),
                "losses": before["losses"] + (points == 0),
            }
            key = {"bot_id": person.bot_id, "game": person.game, "time_class": person.time_class}
            connection.execute(insert_new(connection, tables.ratings), {**before, **key})
            change = update(tables.ratings).where(*(_rating[name] == value for name, value in key.items()))
            connection.execute(change.values(rating=after, last_played=person.finished, **counts))
            return Standing(before["rating"], after)

        return await self._writer.run(work)

    async def rating(self, bot_id: int, game: str) -> float | None:
        """Return the rating of a person in a game, in the time class in which it played most; None without one."""
        query = select(_rating.rating).where(_rating.bot_id == bot_id, _rating.game == game)
        ordered = query.order_by(_rating.games.desc(), _rating.time_class).limit(1)
        return await self._reader.run(lambda connection: connection.execute(ordered).scalar_one_or_none())

    async def ratings(self, game: str, time_class: str, limit: int) -> list[PersonRatingRow]:
        """Return the people with the highest ratings in a game and a time class, the best first."""
        columns = (_rating[name] for name in ("rating", "games", "wins", "draws", "losses", "last_played"))
        query = (
            select(_rating.bot_id, _bot.name, *columns)
            .join(core.bots, _bot.id == _rating.bot_id)
            .where(_rating.game == game, _rating.time_class == time_class, _bot.removed.is_(None))
            .order_by(_rating.rating.desc(), _rating.bot_id)
            .limit(limit)
        )
        return await self._reader.run(lambda connection: [PersonRatingRow(*row) for row in connection.execute(query)])


class Consents:
    """The people who allow bots to learn from their games."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def given(self, bot_id: int) -> bool:
        """Return whether a person allows it."""
        query = select(_consent.bot_id).where(_consent.bot_id == bot_id)
        return await self._reader.run(lambda connection: connection.execute(query).first() is not None)

    async def give(self, bot_id: int) -> None:
        """Note that a person allows it."""
        row = {"bot_id": bot_id, "since": time.time()}

        def work(connection: Connection) -> None:
            connection.execute(insert_new(connection, tables.consents), row)

        await self._writer.run(work)

    async def withdraw(self, bot_id: int) -> None:
        """Note that a person does not allow it any more."""

        def work(connection: Connection) -> None:
            connection.execute(delete(tables.consents).where(_consent.bot_id == bot_id))

        await self._writer.run(work)

    async def of_removed(self) -> Sequence[int]:
        """Return the numbers of the removed people who allowed it."""
        query = select(_consent.bot_id).join(core.bots, _bot.id == _consent.bot_id).where(_bot.removed.is_not(None))
        return await self._reader.run(lambda connection: list(connection.execute(query).scalars()))


def _add(
    connection: Connection, name: str, *, account_id: int | None = None, secret_hash: str | None = None
) -> PersonRow:
    now = time.time()
    bot = {"name": name, "kind": "person", "owner": "", "description": "", "created": now}
    bot_id = connection.execute(insert(core.bots).returning(_bot.id), bot).scalar_one()
    row = {"bot_id": bot_id, "account_id": account_id, "secret_hash": secret_hash, "seen": now}
    connection.execute(insert(tables.people), row)
    return PersonRow(bot_id, name, account_id, secret_hash, now, None)


def _standing(connection: Connection, bot_id: int, game: str, time_class: str) -> dict[str, Any]:
    """Return the rating of a person, or that of a person without games."""
    query = select(tables.ratings).filter_by(bot_id=bot_id, game=game, time_class=time_class).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is not None:
        return dict(row._mapping)
    counts = dict.fromkeys(("games", "wins", "draws", "losses"), 0)
    return {"rating": elo.INITIAL, **counts, "last_played": 0.0}


def _strength(connection: Connection, version_id: int, game: str, classes: tuple[str, str | None]) -> elo.EloRating:
    """Return the rating of a bot's version in the first of these time classes in which it has one."""
    rating = core.ratings.c
    query = select(rating.time_class, rating.rating, rating.games).where(
        rating.version_id == version_id, rating.game == game
    )
    known = {row.time_class: elo.EloRating(row.rating, row.games) for row in connection.execute(query)}
    return next((known[each] for each in classes if each in known), elo.EloRating(elo.INITIAL, 0))


def check_people(audit: Audit) -> Iterator[Finding]:
    """Yield the people whose row among the bots is a bot's."""
    query = select(_one.bot_id).join(core.bots, _bot.id == _one.bot_id).where(_bot.kind != "person")
    for (number,) in audit.stream(query):
        yield Finding("a person has no row of a bot", f"bot {number}", "it is a bot and a person")
