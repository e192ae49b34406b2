# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of stored matches: as records, as text in the standard formats, and many of them as a stream."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from arena.protocol.conditions import MATCH, Conditions
from arena.store import Store
from arena.store.rows import MatchRow, StoredMatch, TournamentRow
from engine.formats import Format
from engine.games import find
from engine.match.ending import Termination
from engine.match.events import Moved, decode_event
from engine.match.record import PlayedMove, Player, Record


def as_record(match: StoredMatch, tournament: TournamentRow | None = None) -> Record:
    """Return a match as a record; one that goes on has no result yet, one that was pruned no moves any more.

    ``tournament``: the one that it was played in. The record has no seed while another match has the same dice.
    """
    row = match.row
    events = (decode_event(event.body) for event in match.events)
    first, second = (
        Player(name="?") if player.hidden else Player(player.bot, player.version, player.rating)
        for player in row.players
    )
    return Record(
        game=row.game,
        players=(first, second),
        result=row.result or "*",
        start=row.start,
        opening=row.opening,
        moves=tuple(
            PlayedMove(event.move, event.elapsed, event.clock, event.info, event.instructions)
            for event in events
            if isinstance(event, Moved)
        ),
        termination=Termination(row.termination) if row.termination else None,
        detail=row.detail,
        payoff=row.payoff,
        points=row.points,
        time_control=row.time_control,
        # the number would reveal the coming dice
        seed=None if row.closed else row.dice_seed,
        mirrored_dice=row.mirrored_dice,
        event=tournament.name if tournament else "Rated match" if row.rated else "Match",
        site="Bot Arena",
        round=row.round or "",
        started=_moment(row.started),
        finished=_moment(row.finished) if row.finished else None,
        tags=_tags(row),
    )


def _tags(row: MatchRow) -> dict[str, str]:
    """Return the tags that the replay of a match by instructions needs."""
    conditions = Conditions.read(row.conditions)
    return {} if conditions is None else {MATCH: str(row.id), **conditions.tags()}


async def tournament_of(store: Store, row: MatchRow) -> TournamentRow | None:
    """Return the tournament that a match was played in, if any. Raises StoreError."""
    return None if row.tournament is None else await store.tournaments.get(row.tournament)


def as_text(match: StoredMatch, wanted: Format, tournament: TournamentRow | None = None) -> str:
    """Return a match in a format. Raises ValueError when the format does not cover its game, or its moves do not fit
    the rules.
    """
    return "".join(wanted.write([as_record(match, tournament)]))


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


# ---------------------------------------------------------------- many matches
#
# One match is in memory at a time.

_PAGE = 200
"""Matches that are looked up at once; their moves are read one match at a time."""


class LeftOut(Exception):
    """A match that is not written; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which finished matches."""

    game: str | None = None
    bot_id: int | None = None
    tournament: int | None = None
    ended: tuple[float, float] | None = None
    """From the one Unix time on and before the other."""
    people: bool = True
    """Whether matches in which a person played are among them."""


async def chosen(store: Store, choice: MatchFilter) -> AsyncIterator[MatchRow]:
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
            if choice.people or row.kind != "people":
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
        self._tournaments: dict[int, TournamentRow] = {}

    async def text(self, row: MatchRow) -> str:
        """Return a match as it is written. Raises LeftOut, and StoreError."""
        if not self._wanted.covers(row.game):
            raise LeftOut(uncovered(self._wanted, row.game))
        if row.pruned:
            raise LeftOut("the moves were deleted because of their age")
        match = await self._store.matches.get(row.id, self._shorten)
        assert match is not None, "matches are never deleted"
        try:
            if match.row.closed and find(row.game).secrets is not None:
                raise LeftOut("it has hidden information until its end, or that of another match with the same cards")
            return await asyncio.to_thread(as_text, match, self._wanted, await self._tournament(row))
        except (KeyError, ValueError):
            raise LeftOut("the moves do not fit the rules") from None

    async def _tournament(self, row: MatchRow) -> TournamentRow | None:
        if row.tournament is None:
            return None
        if row.tournament not in self._tournaments:
            self._tournaments[row.tournament] = await self._store.tournaments.get(row.tournament)
        return self._tournaments[row.tournament]


def uncovered(wanted: Format, game: str) -> str:
    """Return in words that a format cannot tell a game."""
    return f"{wanted.name} has no notation for {game}; jsonl takes every game"
