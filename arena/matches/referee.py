# SPDX-License-Identifier: GPL-3.0-or-later
"""The referee of one match: drives ``engine.match`` with real clocks and two seats.

Whatever happens is put into one mailbox and handled in turn, so nothing in a match happens at once: while something is
being stored, all else waits. An accepted move is committed before anybody hears of it. Time is the event loop's steady
clock, never the wall's. What breaks here breaks this match alone.

What comes is handled where it comes in, without waking a task; a move costs too little for that. The match's own task
sleeps until the match ends, is suspended, or the store fails.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import structlog

from arena.connections.sessions import Entrant
from arena.hosting.processor_time import ProcessorTime
from arena.hosting.readiness import Hosting
from arena.matches.clocks import MatchClocks
from arena.matches.graces import Graces
from arena.matches.ledger import Ledger, Numbered
from arena.matches.search_info import MatchInfo
from arena.matches.table import Table
from arena.metrics import Metrics
from arena.protocol import messages as m
from arena.protocol import watching
from arena.protocol.errors import ErrorCode
from arena.settings import Settings
from arena.store import Store
from arena.store.errors import MatchFinished, Refused, StoreError, Superseded
from arena.store.rows import FinishedMatch, MatchRow, NewMatch
from arena.watching.live_view import LiveView
from engine.ending import Ending, Termination
from engine.match import Match, MatchError, Moved, NoOffer

log = structlog.get_logger("arena.matches.referee")


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class _Commit:
    """What is being stored, and what to do when it is."""

    then: Callable[[], None] = _nothing
    mover: int | None = None
    """Who is told that its move counts."""
    asked: float | None = None
    """When the move came."""


class Referee:
    """Plays one match to its end, or until it is suspended."""

    def __init__(
        self,
        row: MatchRow,
        match: Match,
        view: LiveView,
        *,
        store: Store,
        settings: Settings,
        metrics: Metrics,
        clock: Callable[[], float],
        processor_time: ProcessorTime,
        present: Callable[[int], Entrant | None],
        sequel: Callable[[bool], NewMatch | None],
        infos: MatchInfo,
        hosting: Hosting,
        knows_game: Callable[[Entrant], bool],
        resumed: bool = False,
        stored: int = 0,
    ) -> None:
        """``clock`` reads the steady clock that matches go by, ``processor_time`` is that of hosted bots; ``present``
        tells who is connected, ``stored`` how many of the match's events the store has; ``sequel`` gives the match that
        is to start as this one ends, told whether the arena was late; ``infos`` decides what is kept of search info;
        ``hosting`` tells when the grace of built-in bots begins; ``knows_game`` tells whether a built-in bot is ready
        for the match's game.

        The clocks wait until both bots have sat down; if resumed, once more.
        """
        self.row = row
        self.match = match
        self.view = view
        self.finished: FinishedMatch | None = None
        """Set once the end is in the store."""
        self._ledger = Ledger(store, row.id, match, stored)
        self._settings = settings
        self._metrics = metrics
        self._present = present
        self._sequel = sequel
        self._infos = infos
        self._knows_game = knows_game
        self._resumed = resumed
        self._owed = row.pair is not None and not resumed
        """Whether who stays away from the beginning loses: the second match of a pair is owed to the other side."""
        self._table = Table(row, match, present)
        self._mailbox: deque[Callable[[], None]] = deque()
        self._held = True
        """Whether what comes must wait: the match has not begun, something is being stored, or it is over."""
        self._commit: _Commit | None = None
        """What is being stored, or could not be."""
        self._broken: Exception | None = None
        self._called = asyncio.Event()
        """Set when the task has something to do."""
        self._loop = asyncio.get_running_loop()
        self._moves = metrics.moves.labels(row.game)
        self._clocks = MatchClocks(match, settings, clock, processor_time)
        self.late = False
        """Whether the match is void because the arena was late."""
        self._now = clock
        self._graces = Graces(
            self._table,
            settings.reconnect_grace,
            hosting,
            clock,
            lambda seat: self._post(partial(self._grace_over, seat)),
        )
        self._suspended = False

    # ---------------------------------------------------------------- what happens, from outside

    def heard(self, entrant: Entrant, message: m.Move | m.Resign | m.OfferDraw | m.AnswerDraw | m.Sync) -> None:
        """A bot of this match said something; the clock stops at this very moment."""
        self._post(partial(self._handle, entrant, message, self._now()))

    def joined(self, entrant: Entrant) -> None:
        """A bot of this match is connected (again)."""
        self._post(partial(self._joined, entrant))

    def left(self, entrant: Entrant) -> None:
        """The connection of a bot of this match is gone."""
        self._post(partial(self._left, entrant))

    def graces_changed(self) -> None:
        """Look anew at how long the match waits for bots that are away."""
        self._post(self._graces.look)

    def abort(self, reason: str) -> None:
        """End the match without a result."""
        self._post(partial(self._abort, reason))

    def forfeit(self, bot_id: int, detail: str) -> None:
        """Let a bot lose that cannot speak the protocol."""
        self._post(partial(self._forfeit, bot_id, detail))

    def suspend(self) -> None:
        """Leave the match as it stands, to be resumed when the arena starts again."""
        self._post(self._suspend)

    def _post(self, handler: Callable[[], None]) -> None:
        """Handle what came, now or when its turn comes."""
        self._mailbox.append(handler)
        if not self._held:
            self._work()

    def _work(self) -> None:
        """Handle what lies in the mailbox, until something must be stored first."""
        self._held = True  # a handler may cause what is posted: a peer that does not read loses its connection
        try:
            while self._mailbox and self._free_to_go:
                self._mailbox.popleft()()
        except Exception as error:
            self._break(error)
        self._held = not self._free_to_go

    @property
    def _free_to_go(self) -> bool:
        return self._commit is None and self._broken is None and not self._done

    def _break(self, error: Exception) -> None:
        """Let the task deal with what went wrong."""
        self._broken = error
        self._held = True
        self._called.set()

    # ---------------------------------------------------------------- the task

    async def run(self) -> None:
        """Play until the match is over or suspended. Whatever breaks voids the match; only cancelling raises."""
        try:
            await self._play()
        except Superseded:
            self._suspended = True  # the server that owns the database now goes on with it
        except Exception as error:
            log.exception("a match broke", match=self.row.id, game=self.row.game)
            await self._break_off(error)
        finally:
            self._stop_timers()
            self._let_go()

    def _let_go(self) -> None:
        """Drop what refers back to this referee, so that a match's memory is free at once and no collector's work."""
        self._mailbox = deque(maxlen=0)
        self._commit = self._broken = None

    async def _play(self) -> None:
        try:
            if self.match.ending is None and self._ledger.unstored():
                # what dice showed before the first move
                await self._ledger.keep_trying()
                self._ledger.settle()
            self._begin()
            while not self._done:
                await self._called.wait()
                self._called.clear()
                if self._broken is not None:
                    raise self._broken
                if self._commit is not None and self.match.ending is None:
                    await self._ledger.keep_trying()
                    self._committed(self._commit)
            if self.match.ending is not None:
                await self._finish(self._ledger.unstored(), self._commit.mover if self._commit else None)
        except MatchFinished:
            await self._follow_store()

    @property
    def _done(self) -> bool:
        return self._suspended or self.match.ending is not None

    def _begin(self) -> None:
        for index, seat in enumerate(self._table):
            entrant = self._present(seat.bot_id)
            if entrant is not None and self._may_sit(index, entrant):
                seat.take(entrant)
                self._table.tell_state(index, self._clocks.shown())
            else:
                self._graces.start(index)
        if self.match.ending is None:
            self._next_turn()
            self._work()

    async def _break_off(self, error: Exception) -> None:
        """Void the match after a failure of the arena.

        If even that fails, both bots are told so all the same; in the store the match stays live until the next start.
        """
        self._metrics.failures.inc()
        detail = f"the arena failed: {type(error).__name__}"
        try:
            if self.match.ending is None:
                self.match.void(detail)
            # what the store refused, it would refuse again, and the end with it
            await self._finish([] if isinstance(error, Refused) else self._ledger.unstored())
        except Exception:
            log.exception("a broken match could not be voided", match=self.row.id)
            void = Ending("*", Termination.VOID, detail)
            self._tell_end(void, FinishedMatch(self.row.id, None))

    async def _follow_store(self) -> None:
        """End as the store says: somebody ended the match there."""
        detail = await self._ledger.detail()
        if self.match.ending is None:
            self.match.void(detail)
        await self._finish([])

    # ---------------------------------------------------------------- handlers, one at a time

    def _handle(self, entrant: Entrant, message: m.BotMessage, at: float) -> None:
        seat = self._table.place(entrant)
        if seat is None:
            return
        try:
            match message:
                case m.Move():
                    self._move(seat, message, at)
                case m.Resign(failure=failure):
                    if failure:
                        self.match.forfeit(seat, Termination.CRASH, _printable(failure))
                    else:
                        self.match.resign(seat)
                    self._save()
                case m.OfferDraw():
                    if self.match.offer_draw(seat):
                        self._save(partial(self._table[1 - seat].send, m.DrawOffered(match=self.row.id)))
                case m.AnswerDraw(accept=accept):
                    (self.match.accept_draw if accept else self.match.decline_draw)(seat)
                    self._save(partial(self._table[1 - seat].send, m.DrawDeclined(match=self.row.id)))
                case _:
                    self._table.tell_state(seat, self._clocks.shown())
        except NoOffer as error:
            entrant.refuse(ErrorCode.NO_OFFER, str(error), self.row.id)

    def _move(self, seat: int, message: m.Move, at: float) -> None:
        match, entrant = self.match, self._table[seat].entrant
        assert entrant is not None
        played = message.ply - len(match.opening)
        if message.ply < match.ply and played >= 0:
            made = match.moves[played]
            if made.seat == seat and made.move == message.move:
                entrant.send(m.Accepted(match=self.row.id, ply=message.ply, clock=made.clock))
                return
        clocks = self._clocks
        if clocks.ply is None or match.to_move != seat or message.ply != match.ply:
            entrant.refuse(ErrorCode.NOT_YOUR_TURN, f"no move is asked of you at ply {message.ply}", self.row.id)
            return
        if self._excused(seat, at):
            return
        try:
            elapsed, free = clocks.take(at)
            match.play(seat, message.move, elapsed, self._infos.keep(seat, message.info), free=free)
        except MatchError as error:
            entrant.refuse(ErrorCode.NOT_YOUR_TURN, str(error), self.row.id)
            return
        self._clocks.stop()
        if match.ending is not None and match.ending.termination is Termination.ILLEGAL_MOVE:
            entrant.refuse(ErrorCode.ILLEGAL_MOVE, match.ending.detail, self.row.id)
        self._save(self._next_turn, mover=seat, asked=at)

    def _flag_fell(self, ply: int) -> None:
        self._post(partial(self._flagged, ply))

    def _flagged(self, ply: int) -> None:
        seat = self.match.to_move
        if self._clocks.ply == ply and seat is not None and not self._excused(seat, self._now()):
            self.match.flag(seat)
            self._save()

    def _excused(self, seat: int, at: float) -> bool:
        """Void the match where its turn is overstepped because the arena was late; returns whether it was."""
        if excuse := self._clocks.excuse(at):
            self.late = True
            self.match.void(f"{self._table[seat].name} {excuse}")
            self._save()
        return bool(excuse)

    def _joined(self, entrant: Entrant) -> None:
        seat = self._table.place_of(entrant.bot.id)
        if seat is None or self._table[seat].entrant is entrant or not entrant.connection.open:
            return
        if not self._may_sit(seat, entrant):
            return
        self._table[seat].take(entrant)
        self._table.tell_state(seat, self._clocks.shown())
        if self._clocks.ply is None:
            self._next_turn()
        elif self.match.to_move == seat:
            self._table.tell_turn(self._clocks.shown())

    def _may_sit(self, index: int, entrant: Entrant) -> bool:
        """Return whether a bot may begin the match. The second of a pair is for the version that played the first, and
        for a bot that plays the game; one that comes otherwise is told so, and counts as away. A built-in bot that is
        not ready for the game yet would compile on its clock; it comes again when it is.
        """
        player, game = self.row.players[index], self.row.game
        if not self._knows_game(entrant):
            return False
        if not self._owed or not self._table[index].missing:
            return True
        if entrant.version.id == player.version_id and game in entrant.games:
            return True
        text = f"the second match of the pair is lost unless the bot comes as version {player.version} and plays {game}"
        entrant.refuse(ErrorCode.ABSENT, text, self.row.id)
        return False

    def _left(self, entrant: Entrant) -> None:
        seat = self._table.place(entrant)
        if seat is not None:
            self._table[seat].entrant = None
            self._graces.start(seat)

    def _grace_over(self, seat: int) -> None:
        if self._table[seat].entrant is not None:
            return
        if not self._graces.over(seat):
            return
        missing = [each.name for each in self._table if each.missing and self._graces.waited(each)]
        if missing and not self._owed:
            absence = "the arena restarted and {} did not come back" if self._resumed else "{} did not come"
            self.match.void(absence.format(" and ".join(missing)))
        elif all(each.entrant is None for each in self._table):
            self.match.void("both bots lost their connection")
        else:
            did = "come to the second match of the pair" if self._table[seat].missing else "come back"
            detail = f"{self._table[seat].name} did not {did} within {self._settings.reconnect_grace:g} s"
            self.match.forfeit(seat, Termination.DISCONNECT, detail)
        self._save()

    def _abort(self, reason: str) -> None:
        self.match.void(reason)
        self._save()

    def _forfeit(self, bot_id: int, detail: str) -> None:
        seat = self._table.place_of(bot_id)
        assert seat is not None
        self.match.forfeit(seat, Termination.BAD_MESSAGE, detail)
        self._save()

    def _suspend(self) -> None:
        self._suspended = True
        self._called.set()

    def _relay(self, ply: int) -> None:
        if self._clocks.ply is None and self.match.ply == ply:
            self._give_turn()

    # ---------------------------------------------------------------- turns and clocks

    def _next_turn(self) -> None:
        """Give the next turn, at once or, in a match of house bots, after the time that people need to follow it."""
        if any(seat.missing for seat in self._table):
            return
        given = self._clocks.given
        wait = given + self._settings.built_in_move_time - self._now() if self._table.house else 0.0
        if wait > 0 and given >= 0:
            ply = self.match.ply
            self._loop.call_later(wait, self._post, partial(self._relay, ply))
        else:
            self._give_turn()

    def _give_turn(self) -> None:
        """Ask for a move; the clock runs from here. A hosted bot is asked once there is a core for its search."""
        seat = self.match.to_move
        assert seat is not None
        bot = self._table[seat].bot_id
        if not self._clocks.may_start(bot, partial(self._post, partial(self._relay, self.match.ply))):
            return
        self._clocks.start(bot, self._table[seat].round_trip, self._flag_fell)
        self.view.turn(seat, self.match.clocks)
        self._table.tell_turn(self._clocks.shown())

    def _stop_timers(self) -> None:
        self._clocks.stop()
        self._graces.stop()

    # ---------------------------------------------------------------- the record, and who is told

    def _save(self, then: Callable[[], None] = _nothing, mover: int | None = None, asked: float | None = None) -> None:
        """Store what is new, then tell of it, and do what comes ``then`` unless the match is over.

        The mover is told that its move counts, spectators what it was, both sides the end. A handler does this last.
        """
        self._commit = commit = _Commit(then, mover, asked)
        if self.match.ending is not None:
            self._clocks.stop()
            self._called.set()
            return
        try:
            stored = self._ledger.begin(self._loop)
        except StoreError:
            self._called.set()  # the task will ask again
        else:
            stored.add_done_callback(partial(self._answered, commit))

    def _answered(self, commit: _Commit, stored: asyncio.Future[None]) -> None:
        """Go on after the store's answer."""
        error = stored.exception()
        if error is None:
            self._committed(commit)
        elif isinstance(error, StoreError) and not isinstance(error, Refused):
            log.warning("the store failed; asking again", why=str(error), match=self.row.id)
            self._called.set()
        else:
            self._break(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def _committed(self, commit: _Commit) -> None:
        try:
            self._tell_moves(commit.mover)
            self._commit = None
            if commit.asked is not None:
                self._metrics.relay.observe(self._loop.time() - commit.asked)
            commit.then()
        except Exception as error:
            self._break(error)
        else:
            self._work()

    async def _finish(self, events: Numbered, mover: int | None = None) -> None:
        """Store the end with what led to it, in one transaction with the ratings, and tell it."""
        assert self.match.ending is not None
        ending, finished = await self._ledger.end(events, self.match.ending, self._sequel(self.late))
        if events and ending == self.match.ending:
            self._tell_moves(mover)
        self._tell_end(ending, finished)
        self.finished = finished

    def _tell_end(self, ending: Ending, finished: FinishedMatch) -> None:
        row, changes = self.row, finished.changes
        ratings = None
        if changes is not None:
            one, other = changes
            ratings = m.RatingChange(one.before, one.after), m.RatingChange(other.before, other.after)
        shown = watching.Ending(ending.result, ending.termination, ending.detail, ratings, row.dice_secret)
        self.view.over(shown, self.match.clocks)
        self._table.tell_end(ending, ratings)
        self._metrics.finished.labels(row.game, str(ending.termination)).inc()
        log.info("match over", match=row.id, game=row.game, result=ending.result, why=str(ending.termination))

    def _tell_moves(self, mover: int | None) -> None:
        """Tell of the moves among the events that are stored now and were not before."""
        for event in self._ledger.settle():
            if isinstance(event, Moved):
                if mover is not None and event.seat == mover:
                    self._table[mover].send(m.Accepted(match=self.row.id, ply=event.ply - 1, clock=event.clock))
                self.view.moved(event, self.match)
                self._moves.inc()


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
