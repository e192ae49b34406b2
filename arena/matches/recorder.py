# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of one match in play: events are stored first, and then told.

A store that fails is asked again. The end is stored with the ratings in one transaction. A match that the server
cannot record becomes void.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Iterable
from functools import partial

import structlog

from arena import tracing
from arena.matches.actor import Actor, Handler
from arena.matches.clocks import Clocks
from arena.matches.sides import Sides
from arena.matches.states import TRANSITIONS, RefereeEvent, RefereeState
from arena.matches.timings import Timing, timed
from arena.monitoring import Metrics
from arena.protocol import messages as m
from arena.protocol import watching
from arena.store import Store
from arena.store.errors import MatchFinished, StoreError, StoreRejected, Superseded, TakenOver, keep_trying
from arena.store.rows import FinishedMatch, MatchRow, NewMatch
from arena.watching.live_view import LiveView
from engine.game import CHANCE
from engine.match.ending import Ending, Termination
from engine.match.events import Event, Moved, encode_event
from engine.match.machine import Match

log = structlog.get_logger("arena.matches.referee")


# ---------------------------------------------------------------- ledger
#
# The events of a match: which the store has, and which it does not have yet.

Numbered = list[tuple[int, bytes]]
"""Events as the store takes them, with their numbers."""


class Ledger:
    """The stored part of a match's events. Each event is stored once, even if it is submitted again."""

    def __init__(self, store: Store, row: MatchRow, match: Match, stored: int) -> None:
        """``stored``: the number of the match's events in the store."""
        self._store = store
        self._id = row.id
        self._epoch = row.epoch
        self._match = match
        self._stored = stored
        self._timings: dict[int, Timing] = {}
        """The timings of unstored moves, by ply."""

    def note(self, ply: int, timing: Timing) -> None:
        """Store the move to a ply with its timing."""
        self._timings[ply] = timing

    def unstored(self) -> Numbered:
        """Return the events that the store does not have yet."""
        return [(number, encode_event(event)) for number, event in enumerate(self._new(), self._stored)]

    def _new(self) -> list[Event]:
        return [
            timed(event, timing) if isinstance(event, Moved) and (timing := self._timings.get(event.ply)) else event
            for event in self._match.events[self._stored :]
        ]

    def settle(self) -> list[Event]:
        """Note that all events are in the store, and return those that were not before."""
        new, self._stored = self._new(), len(self._match.events)
        self._timings.clear()
        return new

    def begin(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[None]:
        """Submit the unstored events; the future is done when they are committed.

        Raises StoreError at once if the store accepts no more commands.
        """
        return self._store.matches.begin_append(self._id, self.unstored(), loop, self._epoch)

    async def keep_trying(self) -> None:
        """Store the unstored events, with retries while the store fails. Raises StoreError."""
        await keep_trying(partial(self._store.matches.append, self._id, self.unstored(), self._epoch))

    async def end(self, events: Numbered, ending: Ending, sequel: NewMatch | None) -> tuple[Ending, FinishedMatch]:
        """Store the end, the events before it, the ratings, and the start of the second match of a pair, in one
        transaction.

        Returns the end; if another process ended the match in the store before, that end holds. Raises StoreError.
        """
        finish = partial(
            self._store.matches.finish,
            self._id,
            result=ending.result,
            termination=ending.termination,
            detail=ending.detail,
            plies=self._match.ply,
            payoff=ending.payoff,
            points=ending.points,
            events=events,
            sequel=sequel,
            epoch=self._epoch,
        )
        finished = await keep_trying(finish)
        if finished.changes is None and ending.scores is not None:
            stored = await keep_trying(partial(self._store.matches.get, self._id))
            if stored is not None and stored.row.ending is not None:
                ending = stored.row.ending
        return ending, finished

    async def detail(self) -> str:
        """Return the stored end of the match. Raises StoreError."""
        stored = await keep_trying(partial(self._store.matches.get, self._id))
        return stored.row.detail if stored else ""


# ---------------------------------------------------------------- announcer
#
# Tells the two sides and the spectators of a match about turns, moves and the end.


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
        self._sides.tell_turn(seat, clocks, watched=self._view.shows_search)

    def moves(self, events: Iterable[Event]) -> None:
        """Announce the moves among newly stored events, and acknowledge each to the seat that made it."""
        for event in events:
            if isinstance(event, Moved):
                if event.seat != CHANCE:
                    seat = self._sides[event.seat]
                    seat.send(m.Accepted(match=seat.number, ply=event.ply - 1, clock=event.clock))
                self._view.moved(event, self._match)
                self._moves.inc()

    def end(self, ending: Ending, finished: FinishedMatch) -> None:
        """Announce the end of the match, and the ratings that it changed."""
        row, changes = self._row, finished.changes
        ratings = None
        if changes is not None:
            one, other = changes
            ratings = m.RatingChange(one.before, one.after), m.RatingChange(other.before, other.after)
        shown = watching.Ending(
            ending.result,
            ending.termination,
            ending.detail,
            ratings,
            row.told_secret,
            ending.payoff,
            points=ending.points,
            sealed_until=row.sealed_until,
        )
        self._view.over(shown, self._match.clocks)
        self._sides.tell_end(ending, ratings)
        self._finished.labels(row.game, str(ending.termination)).inc()
        log.info("match over", match=row.id, game=row.game, result=ending.result, why=str(ending.termination))


# ---------------------------------------------------------------- recorder


class Recorder(Actor):
    """An actor that stores a match. Its handlers call ``_store`` or ``_end`` last, after they changed ``match``."""

    def __init__(
        self, row: MatchRow, match: Match, announcer: Announcer, store: Store, stored: int, metrics: Metrics
    ) -> None:
        """``announcer`` announces stored events; ``stored``: the number of the match's events in the store."""
        super().__init__()
        self.row = row
        self.match = match
        self.finished: FinishedMatch | None = None
        """Set once the end is in the store."""
        self._announcer = announcer
        self._ledger = Ledger(store, row, match, stored)
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._span = tracing.UNRECORDED
        """Of the message that is being handled, until it is stored."""

    @abstractmethod
    def _sit_down(self) -> None:
        """Begin the play: the first handler."""

    @abstractmethod
    def _following(self) -> NewMatch | None:
        """Return the match that starts as this one ends."""

    # ---------------------------------------------------------------- for handlers

    def _traced(self, span: tracing.Span, handler: Handler) -> None:
        """Handle a message. ``span`` ends with that; or, where something is to be stored, once that is announced."""
        self._span = span
        try:
            handler()
        finally:
            self._take_span().end()

    def _take_span(self) -> tracing.Span:
        """Return the span of the message that is being handled, which ends later than this."""
        span, self._span = self._span, tracing.UNRECORDED
        return span

    def _end(self, event: RefereeEvent) -> None:
        """Store the end, which ``match`` has already."""
        self._feed(event)
        self._call(partial(self._finish, self._ledger.unstored(), self._take_span()))

    def _store(self, event: RefereeEvent, then: Handler, asked: float | None = None) -> None:
        """Store the new events; after the commit, announce them and call ``then``. ``asked``: the time of the move."""
        self._feed(event)
        told = partial(self._told, then, asked)
        if tracing.on():
            told = partial(self._within, self._take_span(), told)
        try:
            stored = self._ledger.begin(self._loop)
        except StoreError as error:
            self._store_failed(told, error)
        else:
            stored.add_done_callback(partial(self._answered, told))

    def _answered(self, told: Handler, stored: asyncio.Future[None]) -> None:
        """Go on after the store's answer."""
        error = stored.exception()
        if error is None:
            self._feed(RefereeEvent.COMMITTED)
            self._work_first(told)
        elif isinstance(error, StoreError) and not isinstance(error, StoreRejected):
            self._store_failed(told, error)
        else:
            self._failed(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def _store_failed(self, told: Handler, error: StoreError) -> None:
        log.warning("the store failed; asking again", why=str(error), match=self.row.id)
        self._feed(RefereeEvent.STORE_FAILED)
        self._call(partial(self._retry, told))

    def _told(self, then: Handler, asked: float | None) -> None:
        """Announce the committed events, and continue."""
        self._announcer.moves(self._ledger.settle())
        if asked is not None:
            self._metrics.relay.observe(self._loop.time() - asked)
        then()

    @staticmethod
    def _within(span: tracing.Span, told: Handler) -> None:
        """Go on after a commit, within the span of the message that was stored."""
        with span:
            span.event("committed")
            told()

    # ---------------------------------------------------------------- errands of the task

    async def _begin(self) -> None:
        if self.match.ending is None and self._ledger.unstored():
            # what dice showed before the first move, and that this server referees the match from here on
            await self._ledger.keep_trying()
            self._ledger.settle()
        self._feed(RefereeEvent.BEGUN)
        self._work_first(self._sit_down)

    async def _retry(self, told: Handler) -> None:
        """Retry the events that the store failed to write."""
        await self._ledger.keep_trying()
        self._feed(RefereeEvent.COMMITTED)
        self._work_first(told)

    async def _finish(self, events: Numbered, span: tracing.Span = tracing.UNRECORDED) -> None:
        """Store the end with the events before it, in one transaction with the ratings, and announce it."""
        assert self.match.ending is not None
        with span:
            ending, finished = await self._ledger.end(events, self.match.ending, self._following())
            span.event("committed")
            if events and ending == self.match.ending:
                self._announcer.moves(self._ledger.settle())
            self._announcer.end(ending, finished)
        self.finished = finished
        self._feed(RefereeEvent.END_ANNOUNCED)

    async def _adopt_end(self) -> None:
        """Adopt the end in the store, which another process wrote."""
        detail = await self._ledger.detail()
        if self.match.ending is None:
            self.match.void(detail)
        await self._finish([])

    async def _break_off(self, error: Exception) -> None:
        """Void the match after a failure of the arena.

        If even that fails, both bots still receive the end; in the store the match stays live until the next start.
        """
        log.error("a match failed", match=self.row.id, game=self.row.game, exc_info=error)
        self._metrics.failures.inc()
        detail = f"the arena failed: {type(error).__name__}"
        try:
            if self.match.ending is None:
                self.match.void(detail)
            # the store would refuse the same events again, and the end with them
            await self._finish([] if isinstance(error, StoreRejected) else self._ledger.unstored())
        except Exception:
            log.exception("could not void a failed match", match=self.row.id)
            self._feed(RefereeEvent.BROKE)
            void = Ending("*", Termination.VOID, detail)
            self._announcer.end(void, FinishedMatch(self.row.id, None))

    def _failed(self, error: Exception) -> None:
        """Go on after an exception of this code or of the store."""
        event = RefereeEvent.BROKE
        if isinstance(error, Superseded | TakenOver):
            event = RefereeEvent.SUPERSEDED
        elif isinstance(error, MatchFinished):
            event = RefereeEvent.ENDED_IN_STORE
        self._feed(event if event in TRANSITIONS[self._state] else RefereeEvent.BROKE)
        if self._state is RefereeState.ADOPTING_END:
            self._call(self._adopt_end)
        elif self._state is RefereeState.BROKEN:
            self._call(partial(self._break_off, error))
