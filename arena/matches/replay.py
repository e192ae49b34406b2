# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored matches put together again: to go on after a restart, or to be shown among those that ended last."""

import asyncio
import contextlib

import structlog
from msgspec import json

from arena.matches.search_info import shortened
from arena.matches.timings import decode_recorded
from arena.protocol.messages import RatingChange
from arena.protocol.watching import Ending
from arena.registry import GameRegistry
from arena.store import Store
from arena.store.rows import MatchRow, StoredMatch
from arena.watching.broadcast import Broadcast
from arena.watching.live_view import LiveView
from engine.game import Game
from engine.match.ending import Adjudication
from engine.match.events import Moved, decode_event
from engine.match.machine import Match
from engine.time_control import TimeControl

log = structlog.get_logger("arena.matches.replay")


def rebuild(stored: StoredMatch, game: Game) -> Match:
    """Return a match as its events left it. Raises ValueError when they do not fit the game."""
    row = stored.row
    return Match.replay(
        game,
        opening=row.opening,
        start=row.start,
        time_control=None if row.time_control is None else TimeControl.parse(row.time_control),
        events=[decode_recorded(event.body) for event in stored.events],
        adjudication=adjudication(row),
        seed=row.dice_seed,
        mirrored_dice=row.mirrored_dice,
    )


def adjudication(row: MatchRow) -> Adjudication | None:
    """Return the adjudication rules of a stored match. Raises ValueError if they are unreadable."""
    return None if row.adjudication is None else json.decode(row.adjudication, type=Adjudication)


def written(rules: Adjudication | None) -> str | None:
    """Return the stored form of adjudication rules."""
    return None if rules is None else json.encode(rules).decode()


def plies(stored: StoredMatch) -> int:
    """Return the number of moves in a match, including the opening; unreadable events do not count."""
    made = len(stored.row.opening)
    for event in stored.events:
        with contextlib.suppress(ValueError):
            made += isinstance(decode_event(event.body), Moved)
    return made


async def recall(store: Store, registry: GameRegistry, broadcast: Broadcast, limit: int) -> None:
    """Show the last ended matches, at most that many, in the lobby again.

    Omits matches whose game is not loaded here, whose moves were deleted with age, or whose moves are illegal. Raises
    StoreError.
    """
    # the store lists them as they started: the last to end are among the newest, but not in this order
    page = await store.matches.page("finished", limit=2 * limit)
    fit = [row for row in page.items if not row.pruned and registry.is_ready(row.game)]
    for row in sorted(fit, key=lambda row: row.finished or 0.0, reverse=True)[:limit]:
        stored = await store.matches.get(row.id, shortened)
        assert stored is not None, "matches are never deleted"
        try:
            # in a thread, so that live matches are not held up by long ones of old
            broadcast.recall(await asyncio.to_thread(_ended, stored, registry.games[row.game]))
        except ValueError as error:
            log.warning("ended match not shown", match=row.id, why=str(error))
    broadcast.touch()


def _ended(stored: StoredMatch, game: Game) -> LiveView:
    match = rebuild(stored, game)
    view = LiveView(stored.row, match)
    view.over(ending_of(stored.row), match.clocks)
    return view


def ending_of(row: MatchRow) -> Ending:
    """Return the end of a finished match, as spectators see it."""
    one, other = row.players
    ratings = None
    if one.rating_after is not None and other.rating_after is not None:
        ratings = (
            RatingChange(one.rating_before, one.rating_after),
            RatingChange(other.rating_before, other.rating_after),
        )
    return Ending(
        row.result or "*",
        row.termination or "",
        row.detail,
        ratings,
        row.told_secret,
        row.payoff,
        points=row.points,
        sealed_until=row.sealed_until,
    )
