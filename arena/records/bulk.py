# SPDX-License-Identifier: GPL-3.0-or-later
"""Many matches of the store as text, one in memory at a time, however many there are."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from arena.records.formats import as_text
from arena.store import Store
from arena.store.rows import MatchRow
from engine.formats.format import Format

_PAGE = 200
"""Matches that are looked up at once; their moves are read one match at a time."""


class LeftOut(Exception):
    """A match that is not written; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which finished matches."""

    game: str | None = None
    bot_id: int | None = None
    tournament: int | None = None
    ended: tuple[float, float] | None = None
    """From the one Unix time on and before the other."""


async def chosen(store: Store, choice: Choice) -> AsyncIterator[MatchRow]:
    """Yield the finished matches of a choice, the newest first. Raises StoreError."""
    after = None
    while True:
        page = await store.matches.page(
            "finished",
            game=choice.game,
            bot_id=choice.bot_id,
            tournament=choice.tournament,
            ended=choice.ended,
            after=after,
            limit=_PAGE,
        )
        for row in page.items:
            yield row
        after = page.next
        if after is None:
            return


class Scribe:
    """Writes matches in a format."""

    def __init__(self, store: Store, wanted: Format, shorten: Callable[[bytes], bytes] = bytes) -> None:
        """``shorten`` returns the part of an event that is written."""
        self._store = store
        self._shorten = shorten
        self._wanted = wanted
        self._names: dict[int, str] = {}
        """Of tournaments, by number."""

    async def text(self, row: MatchRow) -> str:
        """Return a match as it is written. Raises LeftOut, and StoreError."""
        if not self._wanted.covers(row.game):
            raise LeftOut(uncovered(self._wanted, row.game))
        if row.pruned:
            raise LeftOut("the moves were dropped with age")
        match = await self._store.matches.get(row.id, self._shorten)
        assert match is not None, "matches are never deleted"
        try:
            return await asyncio.to_thread(as_text, match, self._wanted, await self._tournament(row))
        except (KeyError, ValueError):
            raise LeftOut("the moves do not fit the rules") from None

    async def _tournament(self, row: MatchRow) -> str | None:
        if row.tournament is None:
            return None
        if row.tournament not in self._names:
            self._names[row.tournament] = (await self._store.tournaments.get(row.tournament)).name
        return self._names[row.tournament]


def uncovered(wanted: Format, game: str) -> str:
    """Return in words that a format cannot tell a game."""
    return f"{wanted.name} has no notation for {game}; jsonl takes every game"
