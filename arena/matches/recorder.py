# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of one match in play: events are stored first, and then told.

A store that fails is asked again. The end is stored with the ratings in one transaction. A match that the server
cannot record becomes void.
"""

import asyncio
from abc import abstractmethod
from functools import partial

import structlog

from arena.matches.actor import Actor, Handler
from arena.matches.announcer import Announcer
from arena.matches.ledger import Ledger, Numbered
from arena.matches.states import TRANSITIONS, Event, State
from arena.metrics import Metrics
from arena.store import Store
from arena.store.errors import MatchFinished, StoreError, StoreRejected, Superseded
from arena.store.rows import FinishedMatch, MatchRow, NewMatch
from engine.ending import Ending, Termination
from engine.match import Match

log = structlog.get_logger("arena.matches.referee")


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
        self._ledger = Ledger(store, row.id, match, stored)
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()

    @abstractmethod
    def _sit_down(self) -> None:
        """Begin the play: the first handler."""

    @abstractmethod
    def _following(self) -> NewMatch | None:
        """Return the match that starts as this one ends."""

    # ---------------------------------------------------------------- for handlers

    def _end(self, event: Event, mover: int | None = None) -> None:
        """Store the end, which ``match`` has already; ``mover``: the seat whose last move is to be acknowledged."""
        self._feed(event)
        self._call(partial(self._finish, self._ledger.unstored(), mover))

    def _store(self, event: Event, then: Handler, mover: int | None = None, asked: float | None = None) -> None:
        """Store the new events; after the commit, announce them and call ``then``.

        ``mover``: the seat whose move is acknowledged; ``asked``: the time of the move.
        """
        self._feed(event)
        told = partial(self._told, then, mover, asked)
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
            self._feed(Event.COMMITTED)
            self._work_first(told)
        elif isinstance(error, StoreError) and not isinstance(error, StoreRejected):
            self._store_failed(told, error)
        else:
            self._failed(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def _store_failed(self, told: Handler, error: StoreError) -> None:
        log.warning("the store failed; asking again", why=str(error), match=self.row.id)
        self._feed(Event.STORE_FAILED)
        self._call(partial(self._retry, told))

    def _told(self, then: Handler, mover: int | None, asked: float | None) -> None:
        """Announce the committed events, and continue."""
        self._announcer.moves(self._ledger.settle(), mover)
        if asked is not None:
            self._metrics.relay.observe(self._loop.time() - asked)
        then()

    # ---------------------------------------------------------------- errands of the task

    async def _begin(self) -> None:
        if self.match.ending is None and self._ledger.unstored():
            # what dice showed before the first move
            await self._ledger.keep_trying()
            self._ledger.settle()
        self._feed(Event.BEGUN)
        self._work_first(self._sit_down)

    async def _retry(self, told: Handler) -> None:
        """Retry the events that the store failed to write."""
        await self._ledger.keep_trying()
        self._feed(Event.COMMITTED)
        self._work_first(told)

    async def _finish(self, events: Numbered, mover: int | None = None) -> None:
        """Store the end with the events before it, in one transaction with the ratings, and announce it."""
        assert self.match.ending is not None
        ending, finished = await self._ledger.end(events, self.match.ending, self._following())
        if events and ending == self.match.ending:
            self._announcer.moves(self._ledger.settle(), mover)
        self._announcer.end(ending, finished)
        self.finished = finished
        self._feed(Event.END_TOLD)

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
        log.error("a match broke", match=self.row.id, game=self.row.game, exc_info=error)
        self._metrics.failures.inc()
        detail = f"the arena failed: {type(error).__name__}"
        try:
            if self.match.ending is None:
                self.match.void(detail)
            # the store would refuse the same events again, and the end with them
            await self._finish([] if isinstance(error, StoreRejected) else self._ledger.unstored())
        except Exception:
            log.exception("a broken match could not be voided", match=self.row.id)
            self._feed(Event.BROKE)
            void = Ending("*", Termination.VOID, detail)
            self._announcer.end(void, FinishedMatch(self.row.id, None))

    def _failed(self, error: Exception) -> None:
        """Go on after an exception of this code or of the store."""
        event = Event.BROKE
        if isinstance(error, Superseded):
            event = Event.SUPERSEDED
        elif isinstance(error, MatchFinished):
            event = Event.ENDED_IN_STORE
        self._feed(event if event in TRANSITIONS[self._state] else Event.BROKE)
        if self._state is State.ADOPTING_END:
            self._call(self._adopt_end)
        elif self._state is State.BROKEN:
            self._call(partial(self._break_off, error))
