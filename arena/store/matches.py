# SPDX-License-Identifier: GPL-3.0-or-later
"""Store of the matches and their events."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, func, select, text

from arena.store import match_writing, tables
from arena.store.match_listing import Part, Wanted, read_page
from arena.store.match_reading import match_query, read_events, read_rows, with_events
from arena.store.reader import Reader
from arena.store.rows import EventRow, FinishedMatch, MatchRow, MatchStatus, NewMatch, Page, StoredMatch
from arena.store.texts import storable
from arena.store.writer import Writer


@cache
def _one_match() -> Select[Any]:
    """Return the query for the match ``match_id``: made once, as to make it takes longer than to run it."""
    return match_query().where(tables.matches.c.id == bindparam("match_id"))


_match = tables.matches.c
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
        """Record that a match starts and return its id. Raises BadMatch."""
        return await self._writer.run(lambda connection: match_writing.start(connection, match), durable=False)

    async def append(self, match_id: int, events: Iterable[tuple[int, bytes]]) -> None:
        """Add events, each with its number and its JSON, to a live match; they are committed when this returns.

        The same event again does no harm. Raises UnknownMatch, MatchFinished, or Conflict when a number already holds
        another event.
        """
        await self._writer.join(match_writing.append, match_writing.Append.of(match_id, events))

    def begin_append(
        self, match_id: int, events: Iterable[tuple[int, bytes]], loop: asyncio.AbstractEventLoop
    ) -> asyncio.Future[None]:
        """``append`` without waiting: return a future of ``loop`` that is done when the events are committed.

        Raises StoreError at once if the store accepts no more commands.
        """
        return self._writer.hand_in(match_writing.append, match_writing.Append.of(match_id, events), loop)

    async def finish(
        self,
        match_id: int,
        *,
        result: str,
        termination: str,
        detail: str = "",
        plies: int,
        events: Iterable[tuple[int, bytes]] = (),
        sequel: NewMatch | None = None,
    ) -> FinishedMatch:
        """Record the last events, the end of a match and both rating changes in one transaction.

        A rated match changes ratings unless its result is "*". ``sequel``: the match that follows, which starts in the
        same transaction. Finishing a finished match changes nothing and returns the recorded outcome. Raises
        UnknownMatch, Conflict, or BadMatch.
        """
        last = match_writing.Append.of(match_id, events)
        end = match_writing.End(result, termination, storable(detail), plies)
        return await self._writer.run(lambda connection: match_writing.finish(connection, last, end, sequel))

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

    async def count(self) -> int:
        """Return how many matches there are, live and finished."""
        query = select(func.count()).select_from(tables.matches)
        return await self._reader.run(lambda connection: int(connection.execute(query).scalar_one()))

    async def unfinished(self) -> list[StoredMatch]:
        """Return all live matches with their events, the oldest first; a restarted server resumes them."""
        query = match_query().where(tables.matches.c.status == "live").order_by(tables.matches.c.id)
        return await self._reader.run(lambda connection: with_events(connection, read_rows(connection, query)))

    async def rated_challenges(self, since: float) -> list[tuple[int, int, float]]:
        """Return the rated challenges begun after a Unix time, the earliest first: the ids of both bots, and when."""
        return await self._reader.run(
            lambda connection: [
                (row[0], row[1], row[2]) for row in connection.execute(_RATED_CHALLENGES, {"since": since})
            ]
        )

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
        tournament: int | None = None,
        ended: tuple[float, float] | None = None,
        after: str | None = None,
        before: str | None = None,
        limit: int = 50,
        public: bool = False,
    ) -> Page[MatchRow]:
        """Return matches, the newest first; filter by status, game, bot or tournament.

        ``ended``: only matches that ended from the first Unix time on and before the second. ``after``: the cursor of
        the next, older page; ``before``: of the next newer page. ``public``: a bot's list omits live matches that hide
        the players. Raises BadCursor.
        """
        going: tuple[MatchStatus, ...] = ("finished",) if ended else ("live", "finished")
        wanted = Wanted((status,) if status else going, game, bot_id, tournament, ended, public)
        part = Part(after, before, limit)
        return await self._reader.run(lambda connection: read_page(connection, wanted, part))
