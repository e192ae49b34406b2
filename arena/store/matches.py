# SPDX-License-Identifier: GPL-3.0-or-later
"""Store of the matches and their events: single matches, and pages of lists."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Connection, Row, Select, bindparam, cast, func, select, text, update

from arena.store import match_writing, tables
from arena.store.database.engines import Reader
from arena.store.database.locking import Locks
from arena.store.database.writer import Writer
from arena.store.rows import (
    EventRow,
    FinishedMatch,
    MatchRow,
    MatchStatus,
    NewMatch,
    Page,
    PlayerRow,
    StoredMatch,
    points_of,
    read_id,
    write_cursor,
)
from arena.store.tables import storable


@cache
def _one_match() -> Select[Any]:
    """Return the query for the match ``match_id``: made once, as to make it takes longer than to run it."""
    return match_query().where(tables.matches.c.id == bindparam("match_id"))


_match = tables.matches.c
# Made once, as these are read every second.
_LIVE = select(_match.id, _match.owner).where(_match.status == "live").order_by(_match.id)
_LIVE_OF = _LIVE.where(_match.owner == bindparam("owner"))
_sides = [tables.players.alias(f"player_{seat}") for seat in (0, 1)]
_RATED_CHALLENGES = (
    select(_sides[0].c.bot_id, _sides[1].c.bot_id, _match.started)
    .select_from(tables.matches)
    .join(_sides[0], (_sides[0].c.match_id == _match.id) & (_sides[0].c.seat == 0))
    .join(_sides[1], (_sides[1].c.match_id == _match.id) & (_sides[1].c.seat == 1))
    .where(text("match.kind = 'challenge' AND match.rated AND match.pair IS NULL"), _match.started > bindparam("since"))
    .order_by(_match.started)
)
"""The condition repeats the text of the partial index, so that SQLite uses that index."""


class Matches:
    """Matches and their events. A match is its events: the server resumes a match from its stored events."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def start(self, match: NewMatch) -> int:
        """Record that a match starts and return its id. Raises BadMatch, and AlreadyLive if it is a game of a
        tournament that is being played already.
        """
        locks = None if match.tournament is None else Locks(tournament=match.tournament)
        return await self._writer.run(
            lambda connection: match_writing.start(connection, match), durable=False, locks=locks
        )

    async def append(self, match_id: int, events: Iterable[tuple[int, bytes]], epoch: int = 0) -> None:
        """Add events, each with its number and its JSON, to a live match; they are committed when this returns.
        ``epoch``: that of the referee.

        The same event again does no harm. Raises UnknownMatch, MatchFinished, Conflict when a number already holds
        another event, and TakenOver when it does because another server referees the match by now.
        """
        await self._writer.join(match_writing.append, match_writing.Append.of(match_id, events, epoch))

    def begin_append(
        self, match_id: int, events: Iterable[tuple[int, bytes]], loop: asyncio.AbstractEventLoop, epoch: int = 0
    ) -> asyncio.Future[None]:
        """``append`` without waiting: return a future of ``loop`` that is done when the events are committed.

        Raises StoreError at once if the store accepts no more commands.
        """
        return self._writer.hand_in(match_writing.append, match_writing.Append.of(match_id, events, epoch), loop)

    async def finish(
        self,
        match_id: int,
        *,
        result: str,
        termination: str,
        detail: str = "",
        plies: int,
        payoff: float = 1.0,
        points: tuple[float, float] | None = None,
        events: Iterable[tuple[int, bytes]] = (),
        sequel: NewMatch | None = None,
        epoch: int | None = None,
    ) -> FinishedMatch:
        """Record the last events, the end of a match and both rating changes in one transaction.

        A rated match changes ratings unless its result is "*". ``payoff``: that of the winner; ``points``: those of
        both seats in a game that is not zero-sum. ``sequel``: the match that follows, which starts in the same
        transaction. ``epoch``: that of the referee; None: an operator ends the match. Finishing a finished match
        changes nothing and returns the recorded outcome. Raises UnknownMatch, Conflict, TakenOver, or BadMatch.
        """
        last = match_writing.Append.of(match_id, events, epoch)
        end = match_writing.End(result, termination, storable(detail), plies, payoff, points)
        return await self._writer.run(
            lambda connection: match_writing.finish(connection, last, end, sequel), locks=Locks(players_of=match_id)
        )

    async def get(
        self, match_id: int, shorten: Callable[[bytes], bytes] = bytes, most: int | None = None
    ) -> StoredMatch | None:
        """Return a match with its events, seen at one moment, each event as ``shorten`` makes it of its first ``most``
        characters (None: all), in the reader's thread: then the match is never in memory as it is stored.
        """
        query = _one_match()
        key = {"match_id": match_id}
        found = await self._reader.run(
            lambda connection: with_events(connection, read_rows(connection, query, key), shorten, most)
        )
        return found[0] if found else None

    async def events(
        self, match_id: int, first: int, last: int, shorten: Callable[[bytes], bytes] = bytes
    ) -> list[EventRow]:
        """Return the events of a match from one number to another, both included, each as ``shorten`` makes it."""
        return await self._reader.run(lambda connection: read_events(connection, match_id, first, last, shorten))

    async def row(self, match_id: int) -> MatchRow | None:
        """Return a match without its events."""
        key = {"match_id": match_id}
        found = await self._reader.run(lambda connection: read_rows(connection, _one_match(), key))
        return found[0] if found else None

    async def unseal(self, match_ids: Collection[int]) -> None:
        """Note that the dice and cards of matches are public now."""
        match = tables.matches
        opened = update(match).where(match.c.id.in_(match_ids), match.c.sealed).values(sealed=False)
        await self._writer.run(lambda connection: connection.execute(opened))

    async def unseal_ended(self) -> None:
        """Note that the dice and cards of all tournaments are public that are over and play no match any more."""
        match, tournament = tables.matches, tables.tournaments.c
        live = select(match.c.tournament).where(match.c.status == "live", match.c.tournament.is_not(None))
        ended = select(tournament.id).where(tournament.ended.is_not(None), tournament.id.not_in(live))
        opened = update(match).where(match.c.sealed, match.c.tournament.in_(ended)).values(sealed=False)
        await self._writer.run(lambda connection: connection.execute(opened))

    async def count(self) -> int:
        """Return how many matches there are, live and finished."""
        query = select(func.count()).select_from(tables.matches)
        return await self._reader.run(lambda connection: int(connection.execute(query).scalar_one()))

    async def unfinished(self) -> list[StoredMatch]:
        """Return all live matches with their events, the oldest first; a restarted server resumes them."""
        query = match_query().where(tables.matches.c.status == "live").order_by(tables.matches.c.id)
        return await self._reader.run(lambda connection: with_events(connection, read_rows(connection, query)))

    async def rows(self, match_ids: Collection[int]) -> list[MatchRow]:
        """Return matches without their events."""
        if not match_ids:
            return []
        query = match_query().where(_match.id.in_(match_ids))
        return await self._reader.run(lambda connection: read_rows(connection, query))

    async def live_owners(self, owner: int | None = None) -> dict[int, int | None]:
        """Return the servers that referee the live matches, None where none does, by match, the oldest first;
        ``owner``: only the matches of this server.
        """
        query = _LIVE if owner is None else _LIVE_OF
        values = None if owner is None else {"owner": owner}
        return await self._reader.run_single(lambda connection: dict(connection.execute(query, values).all()))

    async def live_of_bot(self, bot_id: int) -> list[MatchRow]:
        """Return the live matches of a bot."""
        played = select(tables.players.c.match_id)
        played = played.where(tables.players.c.bot_id == bot_id, tables.players.c.live.is_(True))
        query = match_query().where(_match.status == "live", _match.id.in_(played))
        return await self._reader.run(lambda connection: read_rows(connection, query))

    async def hand_over(self, match_ids: Collection[int], before: int | None, owner: int | None) -> None:
        """Let another server referee live matches, with the next epoch each. ``before``: the server that refereed them;
        those of another one stay as they are. ``owner``: None if it is not chosen yet.
        """
        given = update(tables.matches).where(_match.id.in_(match_ids), _match.status == "live")
        given = given.where(_match.owner.is_not_distinct_from(before))
        # the epoch grows with each server that can write, not while none does
        values: dict[str, Any] = {"owner": owner}
        if owner is not None:
            values["epoch"] = _match.epoch + 1
        await self._writer.run(lambda connection: connection.execute(given.values(values)))

    async def rated_challenges(self, since: float) -> list[tuple[int, int, float]]:
        """Return the rated challenges begun after a Unix time, the earliest first: the ids of both bots, and when."""
        return await self._reader.run(
            lambda connection: [
                (row[0], row[1], row[2]) for row in connection.execute(_RATED_CHALLENGES, {"since": since})
            ]
        )

    async def started_by_hour(self, since: float) -> list[tuple[int, str, int, int]]:
        """Return how many matches bots that are not built-in started after a Unix time: id and owner of the bot, hour
        (the Unix time in whole hours) and number.
        """
        player, bot = tables.players.c, tables.bots.c
        hour = cast(func.floor(_match.started / 3600), BigInteger)
        query = select(bot.id, bot.owner, hour, func.count()).join(tables.players, player.bot_id == bot.id)
        query = query.join(tables.matches, _match.id == player.match_id)
        query = query.where(_match.started > since, bot.kind != "built-in").group_by(bot.id, bot.owner, hour)
        return await self._reader.run(lambda connection: [tuple(row) for row in connection.execute(query)])

    async def ended(self, match_ids: Collection[int]) -> list[MatchRow]:
        """Return those of the given matches that are finished: another process may end one behind a server's back."""
        finished = tables.matches.c.status == "finished"
        query = match_query().where(finished, tables.matches.c.id.in_(match_ids))
        return await self._reader.run(lambda connection: read_rows(connection, query))

    async def page(
        self,
        status: MatchStatus | None,
        *,
        game: str | None = None,
        bot_id: int | None = None,
        opponent_id: int | None = None,
        tournament: int | None = None,
        ended: tuple[float, float] | None = None,
        after: str | None = None,
        before: str | None = None,
        limit: int = 50,
        public: bool = False,
    ) -> Page[MatchRow]:
        """Return matches, the newest first; filter by status, game, bot (and its opponent) or tournament.

        ``ended``: only matches that ended from the first Unix time on and before the second. ``after``: the cursor of
        the next, older page; ``before``: of the next newer page. ``public``: a bot's list omits live matches that hide
        the players. Raises BadCursor.
        """
        going: tuple[MatchStatus, ...] = ("finished",) if ended else ("live", "finished")
        wanted = Wanted((status,) if status else going, game, bot_id, opponent_id, tournament, ended, public)
        part = PageBounds(after, before, limit)
        return await self._reader.run(lambda connection: read_page(connection, wanted, part))


# ---------------------------------------------------------------- match reading
#
# Matches read back from their tables.

_SEATS = tuple(
    (tables.players.alias(f"player{seat}"), tables.versions.alias(f"version{seat}"), tables.bots.alias(f"bot{seat}"))
    for seat in (0, 1)
)
_COLUMNS = [column.name for column in tables.matches.columns]
_BUFFERED = 100
"""Events that are fetched at once."""
_AT_ONCE = 500
"""Number of matches whose events one query fetches."""


@cache
def match_query() -> Select[Any]:
    """Return the query for matches with their players; the caller adds which, and in what order."""
    columns: list[Any] = [tables.matches]
    source: Any = tables.matches
    for seat, (player, version, bot) in enumerate(_SEATS):
        of_seat = (player.c.match_id == tables.matches.c.id) & (player.c.seat == seat)
        source = source.join(player, of_seat).join(version, version.c.id == player.c.version_id)
        source = source.join(bot, bot.c.id == player.c.bot_id)
        fields = [bot.c.id, bot.c.name, bot.c.kind, version.c.id, version.c.label]
        fields += [player.c.rating_before, player.c.rating_after, bot.c.owner]
        columns += [field.label(f"seat{seat}_{number}") for number, field in enumerate(fields)]
    return select(*columns).select_from(source)


def read_rows(connection: Connection, query: Select[Any], values: Mapping[str, Any] | None = None) -> list[MatchRow]:
    """Return the matches of a query made of ``match_query``, with ``values`` for its parameters."""
    return [read_row(row) for row in connection.execute(query, values)]


def with_events(
    connection: Connection,
    rows: Sequence[MatchRow],
    shorten: Callable[[bytes], bytes] = bytes,
    most: int | None = None,
) -> list[StoredMatch]:
    """Return the matches with their events, each as ``shorten`` makes it of its first ``most`` characters (all: None);
    few are in memory otherwise.
    """
    found: dict[int, list[EventRow]] = {row.id: [] for row in rows}
    event = tables.events.c
    for first in range(0, len(rows), _AT_ONCE):
        ids = [row.id for row in rows[first : first + _AT_ONCE]]
        body = event.body if most is None else func.substr(event.body, 1, most).label("body")
        query = select(event.match_id, event.number, body).where(event.match_id.in_(ids))
        query = query.order_by(event.match_id, event.number)
        query = query.execution_options(stream_results=True, max_row_buffer=_BUFFERED)
        for match_id, of_match in groupby(connection.execute(query), key=lambda row: row.match_id):
            found[match_id] = [EventRow(row.number, shorten(row.body.encode())) for row in of_match]
    return [StoredMatch(row, found[row.id]) for row in rows]


def read_events(
    connection: Connection, match_id: int, first: int, last: int, shorten: Callable[[bytes], bytes]
) -> list[EventRow]:
    """Return the events of a match from one number to another, both included, each as ``shorten`` makes it."""
    event = tables.events.c
    query = select(event.number, event.body).where(event.match_id == match_id, event.number.between(first, last))
    query = query.order_by(event.number).execution_options(stream_results=True, max_row_buffer=_BUFFERED)
    return [EventRow(row.number, shorten(row.body.encode())) for row in connection.execute(query)]


def read_row(row: Row[Any]) -> MatchRow:
    """Return the match in a row of a query made of ``match_query``."""
    count = len(_COLUMNS)
    width = (len(row) - count) // 2
    own = dict(zip(_COLUMNS, row[:count], strict=True))
    own["opening"] = tuple(msgspec.json.decode(own["opening"], type=list[str]))
    own["points"] = points_of(own.pop("points_first"), own.pop("points_second"))
    first, second = PlayerRow(*row[count : count + width]), PlayerRow(*row[count + width :])
    return MatchRow(**own, players=(first, second))


# ---------------------------------------------------------------- match listing
#
# Paginated lists of matches by index: the match numbers on a page, at the same cost for every page.

_match, _player = tables.matches.c, tables.players.c


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches a list holds."""

    statuses: tuple[MatchStatus, ...]
    game: str | None = None
    bot_id: int | None = None
    opponent_id: int | None = None
    """Only with ``bot_id``."""
    tournament: int | None = None
    ended: tuple[float, float] | None = None
    """From the one Unix time on and before the other."""
    public: bool = False
    """Whether a bot's list omits live matches that hide the players."""


@dataclass(frozen=True, slots=True)
class PageBounds:
    """The page's bounds: older than one cursor or newer than the other; without cursors the newest matches."""

    after: str | None
    before: str | None
    limit: int


def read_page(connection: Connection, wanted: Wanted, part: PageBounds) -> Page[MatchRow]:
    """Return a page, the newest first. Raises BadCursor."""
    older = None if part.after is None else read_id(part.after)
    newer = None if part.before is None else read_id(part.before)
    bound = None if wanted.ended is None else _started_before(connection, wanted.ended[1])
    ids: list[int] = []
    # each status has an index of its own; together they give the page
    for status in wanted.statuses:
        keys, number = _keys(status, wanted)
        if older is not None:
            keys = keys.where(number < older)
        if newer is not None:
            keys = keys.where(number > newer)
        if bound is not None:
            keys = keys.where(number <= bound)
        keys = keys.order_by(number.desc() if newer is None else number).limit(part.limit + 1)
        ids += connection.execute(keys).scalars()
    ids.sort(reverse=newer is None)
    shown = ids[: part.limit]
    if not shown:
        return Page([], None)
    more = len(ids) > part.limit or newer is not None  # a page of newer matches has its own cursor's match after it
    rows = read_rows(connection, match_query().where(_match.id.in_(shown)).order_by(_match.id.desc()))
    return Page(rows, write_cursor(rows[-1].id) if more else None, write_cursor(rows[0].id))


def _keys(status: MatchStatus, wanted: Wanted) -> tuple[Select[Any], Any]:
    """Return the query for the numbers of a status, and the column they are in."""
    number: Any = _match.id
    keys: Select[Any] = select(number).where(_match.status == status)
    if wanted.bot_id is not None:
        # One row a match, even where a bot plays itself; this way round the list starts at the bot's own index.
        number = _player.match_id
        keys = select(number).distinct().where(_player.bot_id == wanted.bot_id, _player.live.is_(status == "live"))
        if wanted.opponent_id is not None:
            other = tables.players.alias("other")
            keys = keys.join(other, (other.c.match_id == number) & (other.c.seat == 1 - _player.seat))
            keys = keys.where(other.c.bot_id == wanted.opponent_id)
        hiding = wanted.public and status == "live"
        if hiding or (wanted.game, wanted.tournament, wanted.ended) != (None, None, None):
            keys = keys.join(tables.matches, _match.id == number)
        if hiding:
            keys = keys.where(_match.anonymous.is_(False))
    if wanted.game is not None:
        keys = keys.where(_match.game == wanted.game)
    if wanted.tournament is not None:
        keys = keys.where(_match.tournament == wanted.tournament)
    if wanted.ended is not None:
        keys = keys.where(_match.finished >= wanted.ended[0], _match.finished < wanted.ended[1])
    return keys, number


def _started_before(connection: Connection, moment: float) -> int:
    """Return the greatest number of a match that started before a Unix time, or 0.

    Matches are numbered as they start, so bisection finds it by about twenty look-ups of the primary key. A list of
    matches that ended before that time starts there, and skips only the matches that were live then.
    """
    query = select(_match.id, _match.started).where(_match.id <= bindparam("most")).order_by(_match.id.desc()).limit(1)
    low, high = 0, connection.execute(select(func.max(_match.id))).scalar() or 0
    while low < high:
        middle = (low + high + 1) // 2
        row = connection.execute(query, {"most": middle}).first()
        if row is None or row.started < moment:
            low = middle
        else:
            high = row.id - 1
    return low
