# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells the two sides and the spectators of a match about turns, moves and the end."""

from collections.abc import Iterable

import structlog

from arena.matches.clocks import Clocks
from arena.matches.sides import Sides
from arena.metrics import Metrics
from arena.protocol import messages as m
from arena.protocol import watching
from arena.store.rows import FinishedMatch, MatchRow
from arena.watching.live_view import LiveView
from engine.ending import Ending
from engine.match import Event, Match, Moved

log = structlog.get_logger("arena.matches.referee")


class Announcer:
    """Sends the messages about one match; the caller has already stored the events."""

    def __init__(self, row: MatchRow, match: Match, sides: Sides, view: LiveView, metrics: Metrics) -> None:
        """``view`` is the spectators' view."""
        self._row = row
        self._match = match
        self._sides = sides
        self._view = view
        self._finished = metrics.finished
        self._moves = metrics.moves.labels(row.game)

    def turn(self, seat: int, clocks: Clocks) -> None:
        """Ask the player to move for a move; ``clocks``: what both clocks show now."""
        self._view.turn(seat, self._match.clocks)
        self._sides.tell_turn(clocks)

    def moves(self, events: Iterable[Event], mover: int | None) -> None:
        """Announce the moves among newly stored events; acknowledges a move to the seat that made it."""
        for event in events:
            if isinstance(event, Moved):
                if mover is not None and event.seat == mover:
                    accepted = m.Accepted(match=self._row.id, ply=event.ply - 1, clock=event.clock)
                    self._sides[mover].send(accepted)
                self._view.moved(event, self._match)
                self._moves.inc()

    def end(self, ending: Ending, finished: FinishedMatch) -> None:
        """Announce the end of the match, and the ratings that it changed."""
        row, changes = self._row, finished.changes
        ratings = None
        if changes is not None:
            one, other = changes
            ratings = m.RatingChange(one.before, one.after), m.RatingChange(other.before, other.after)
        shown = watching.Ending(ending.result, ending.termination, ending.detail, ratings, row.dice_secret)
        self._view.over(shown, self._match.clocks)
        self._sides.tell_end(ending, ratings)
        self._finished.labels(row.game, str(ending.termination)).inc()
        log.info("match over", match=row.id, game=row.game, result=ending.result, why=str(ending.termination))
