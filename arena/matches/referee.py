# SPDX-License-Identifier: GPL-3.0-or-later
"""The referee of one match: drives ``engine.match`` with real clocks, a store and two bots.

``states.py`` says which states a match has and which events lead from one to another. The referee is an actor
(``actor.py``): it holds one state, handles messages, timers and connections one at a time, gives events to the table
of states, and performs the effects. What must be stored goes through ``recorder.py``. Time is the event loop's steady
clock. An exception in one match ends only that match.
"""

from collections.abc import Callable
from functools import partial

from arena import tracing
from arena.connections.sessions import Entrant
from arena.hosting.processor_time import ProcessorTime
from arena.hosting.readiness import Hosting
from arena.matches.actor import Handler
from arena.matches.clocks import MatchClocks
from arena.matches.presence import Attendance, Graces
from arena.matches.recorder import Announcer, Recorder
from arena.matches.search_info import MatchInfo
from arena.matches.sides import Seat, Sides
from arena.matches.states import CLOCK_RUNS, CLOSED, RefereeEvent, RefereeState
from arena.matches.timings import Timing, explain
from arena.monitoring import Metrics
from arena.protocol import messages as m
from arena.protocol.errors import ErrorCode
from arena.settings import Settings
from arena.store import Store
from arena.store.rows import MatchRow, NewMatch
from arena.watching.live_view import LiveView
from engine.match.ending import Termination
from engine.match.machine import Match, MatchError, NoOffer


class Referee(Recorder):
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
        """``clock`` reads the monotonic match clock, ``processor_time`` that of hosted bots; ``present`` returns the
        connected bots, ``stored`` is the number of the match's events in the store; ``sequel`` gives the match that
        starts when this one ends, and receives whether the arena was late; ``infos`` limits the stored search info;
        ``hosting`` gives the start of the built-in bots' reconnection time; ``knows_game`` tells whether a built-in bot
        is ready for the match's game.

        The clocks wait until both bots are connected, and again after a resumption.
        """
        self._sides = Sides(row, match, present)
        super().__init__(row, match, Announcer(row, match, self._sides, view, metrics), store, stored, metrics)
        self.view = view
        self._now = clock
        self._settings = settings
        self._present = present
        self._sequel = sequel
        self._late = False
        """Whether the match is void through no fault of a bot, and is to be played again."""
        self._infos = infos
        self._clocks = MatchClocks(match, settings, clock, processor_time)
        self._moved_at: float | None = None
        """When the newest move came."""
        self._timings = [Timing(0, 0), Timing(0, 0)]
        """Of the newest turn of each seat."""
        self._asked_before = {seat: match.ply_of(seat) for seat in match.asked} if resumed else {}
        """The plies, by seat, for which the referee before this one may have asked. A bot may still answer it; for this
        ply no answer is an error.
        """

        def grace(seat: Seat) -> float:
            return settings.person_grace if seat.person else settings.reconnect_grace

        self._graces = Graces(self._sides, grace, hosting, clock, lambda seat: self._post(partial(self._absent, seat)))
        self._attendance = Attendance(row, self._sides, self._graces, grace, knows_game, resumed=resumed)

    async def run(self) -> None:
        """Play until the match is over or suspended. An exception makes the match void; only cancelling raises."""
        try:
            await self._run(self._begin)
        finally:
            self._clocks.stop()
            self._graces.stop()
            self._infos.count()

    @property
    def present(self) -> list[Entrant]:
        """The bots that sit at the board."""
        return [seat.entrant for seat in self._sides if seat.entrant is not None]

    # ---------------------------------------------------------------- events from outside

    def heard(self, entrant: Entrant, message: m.OfMatch, thought: float | None = None) -> None:
        """A bot of this match sent a message; a move's time ends now, or after ``thought`` seconds, where the server to
        which the bot is connected has measured them.
        """
        handler = partial(self._handle, entrant, message, self._now(), thought)
        if tracing.on():
            span = tracing.child("referee", match=self.row.id, ply=self.match.ply)
            handler = partial(self._traced, span, handler)
        self._post(handler)

    def joined(self, entrant: Entrant) -> None:
        """A bot of this match is connected (again)."""
        self._post(partial(self._joined, entrant))

    def left(self, entrant: Entrant) -> None:
        """The connection of a bot of this match is gone."""
        self._post(partial(self._left, entrant))

    def graces_changed(self) -> None:
        """Look again at how long the match waits for bots that are away."""
        self._post(self._graces.look)

    def abort(self, reason: str) -> None:
        """End the match without a result."""
        self._post(partial(self._void, reason))

    def forfeit(self, bot_id: int, detail: str) -> None:
        """Let a bot lose that does not follow the protocol."""
        self._post(partial(self._forfeit, bot_id, detail))

    def suspend(self) -> None:
        """Suspend the match as it is, to be resumed when the server starts again."""
        self._post(partial(self._feed, RefereeEvent.SUSPENDED))

    # ---------------------------------------------------------------- callbacks of the actor and the recorder

    def _entered(self, before: RefereeState) -> None:
        """End the turn where the new state has none: its clock stops, and its core is free."""
        if self._state in CLOSED or (before in CLOCK_RUNS and self._state not in CLOCK_RUNS):
            self._clocks.stop()

    def _following(self) -> NewMatch | None:
        return self._sequel(self._late)

    def _sit_down(self) -> None:
        """Let the bots that are connected sit down, as the match begins or goes on after a restart."""
        if self.match.ending is None and self.match.moves and self._by_instructions:
            self._begin_again("the arena restarted")
            return
        for index, seat in enumerate(self._sides):
            entrant = self._present(seat.bot_id)
            if entrant is not None and self._attendance.admits(index, entrant):
                seat.take(entrant)
                self._sides.tell_state(index, self._clocks.shown())
            else:
                self._graces.start(index)
        if self.match.ending is None:
            self._next_turn()
        else:
            self._end(RefereeEvent.DECIDED)

    # ---------------------------------------------------------------- handlers of messages

    def _handle(self, entrant: Entrant, message: m.OfMatch, at: float, thought: float | None) -> None:
        seat = self._sides.seat_of(entrant, message.match)
        if seat is None:
            return
        if thought is not None:
            at = min(at, self._clocks[seat].began + thought)
        match, own, other = self.match, self._sides[seat], self._sides[1 - seat]
        try:
            match message:
                case m.Move():
                    self._move(seat, message, at)
                case m.Resign(failure=failure):
                    if failure:
                        match.forfeit(seat, Termination.CRASH, _printable(failure))
                    else:
                        match.resign(seat)
                    self._end(RefereeEvent.RESIGNED)
                case m.OfferDraw():
                    if match.offer_draw(seat):
                        self._offer_changed(partial(other.send, m.DrawOffered(match=other.number)))
                case m.AnswerDraw(accept=accept):
                    (match.accept_draw if accept else match.decline_draw)(seat)
                    self._offer_changed(partial(other.send, m.DrawDeclined(match=other.number)))
                case m.Sync():
                    self._sides.tell_state(seat, self._clocks.shown())
        except NoOffer as error:
            own.refuse(ErrorCode.NO_OFFER, str(error))

    def _move(self, seat: int, message: m.Move, at: float) -> None:
        match, own = self.match, self._sides[seat]
        played = message.ply - len(match.opening)
        if message.ply < match.ply and played >= 0:
            made = match.moves[played]
            if made.seat == seat and made.move == message.move:
                own.send(m.Accepted(match=own.number, ply=message.ply, clock=made.clock))
                return
        if self._state is not RefereeState.TO_MOVE or not self._clocks[seat].runs or message.ply != match.ply_of(seat):
            if self._asked_before.get(seat) != message.ply:  # else it is asked again, or has answered that
                own.refuse(ErrorCode.NOT_YOUR_TURN, f"it is not your turn to move at ply {message.ply}")
            return
        if self._excused(seat, at):
            return
        if own.person and message.move not in match.legal_of(seat):
            own.refuse(ErrorCode.ILLEGAL_MOVE, f"{message.move} is illegal; play another move, the clock runs on")
            return
        try:
            elapsed, free = self._clocks[seat].take(at)
            info = self._infos.keep(seat, message.info)
            events = match.play(seat, message.move, elapsed, info, free=free, instructions=message.instructions)
        except MatchError as error:
            own.refuse(ErrorCode.NOT_YOUR_TURN, str(error))
            return
        self._clocks[seat].stop()
        self._ledger.note(message.ply + 1, self._timings[seat])
        if not events:
            self._feed(RefereeEvent.CHOSEN)
            return
        self._moved_at = at
        if match.ending is None:
            self._store(RefereeEvent.MOVED, self._next_turn, at)
            return
        if match.ending.termination is Termination.TIME:
            explain(match, elapsed, free, self._timings[seat])
        if match.ending.termination is Termination.ILLEGAL_MOVE:
            own.refuse(ErrorCode.ILLEGAL_MOVE, match.ending.detail)
        self._end(RefereeEvent.LAST_MOVE)

    def _offer_changed(self, then: Handler) -> None:
        if self.match.ending is None:
            self._store(RefereeEvent.OFFER_CHANGED, then)
        else:
            self._end(RefereeEvent.DRAW_AGREED)

    # ---------------------------------------------------------------- handlers of connections

    def _joined(self, entrant: Entrant) -> None:
        for seat in self._sides.seats_of_bot(entrant.bot.id):
            if self._state not in CLOSED:
                self._take_seat(seat, entrant)

    def _take_seat(self, seat: int, entrant: Entrant) -> None:
        if self._sides[seat].entrant is entrant or not entrant.connection.open:
            return
        if not self._attendance.admits(seat, entrant):
            return
        if self._by_instructions and not self._sides[seat].missing:
            self._begin_again(f"{entrant.bot.name} lost its connection")
            return
        self._sides[seat].take(entrant)
        self._sides.tell_state(seat, self._clocks.shown())
        if self._state is RefereeState.WAITING:
            self._next_turn()
        elif self._clocks[seat].runs:
            self._sides.tell_turn(seat, self._clocks.shown())
        elif self._state is RefereeState.TO_MOVE and seat in self.match.asked:
            self._give_turn(seat)  # its clock stood still while it was away

    def _left(self, entrant: Entrant) -> None:
        for seat in self._sides.seats_of(entrant):
            self._sides[seat].entrant = None
            self._graces.start(seat)
            if entrant.connection.excused:
                self._clocks[seat].stop()

    def _absent(self, seat: int) -> None:
        """End the match if the grace of a bot is over and it is still away."""
        if self._sides[seat].entrant is not None or not self._graces.over(seat):
            return
        absence = self._attendance.absence(seat)
        if absence.loser is None:
            self._void(absence.detail)
        else:
            self.match.forfeit(absence.loser, Termination.DISCONNECT, absence.detail)
            self._end(RefereeEvent.FORFEITED)

    def _forfeit(self, bot_id: int, detail: str) -> None:
        seat, *_ = self._sides.seats_of_bot(bot_id)
        self.match.forfeit(seat, Termination.BAD_MESSAGE, detail)
        self._end(RefereeEvent.FORFEITED)

    @property
    def _by_instructions(self) -> bool:
        return self.row.conditions is not None

    def _begin_again(self, reason: str) -> None:
        """Void a match by instructions, of which another is played: a bot has a new process, without the memory that
        its moves depend on.
        """
        self._late = True
        self._void(f"{reason}; a match by instructions cannot go on with new processes")

    def _void(self, reason: str) -> None:
        self.match.void(reason)
        self._end(RefereeEvent.VOIDED)

    # ---------------------------------------------------------------- turns and their time

    def _next_turn(self) -> None:
        """Give the next turn, at once or, in a match of built-in bots, after the time that people need to follow it."""
        if any(seat.missing for seat in self._sides):
            return
        given = self._clocks.given
        wait = given + self._settings.built_in_move_time - self._now() if self._sides.built_in and given else 0.0
        if wait > 0:
            self._loop.call_later(wait, self._post, partial(self._turn_due, self.match.ply))
        else:
            self._give_turns()

    def _turn_due(self, ply: int) -> None:
        if self.match.ply == ply:
            self._give_turns()

    def _give_turns(self) -> None:
        """Ask for the moves that the match waits for: one, or two where both seats choose at the same time."""
        for seat in self.match.asked:
            if not self._clocks[seat].runs:
                self._give_turn(seat)

    def _give_turn(self, seat: int) -> None:
        """Ask for a move; the clock runs from here. A hosted bot is asked once there is a core for its search."""
        bot, clock = self._sides[seat].bot_id, self._clocks[seat]
        if not clock.may_start(bot, partial(self._post, partial(self._turn_due, self.match.ply))):
            return
        self._feed(RefereeEvent.TURN_GIVEN)
        trip = self._sides[seat].round_trip
        clock.start(bot, trip, partial(self._flag_fell, seat))
        waited = 0.0 if self._moved_at is None else max(0.0, clock.began - self._moved_at)
        self._timings[seat] = Timing(round(1000 * trip), round(1000 * waited))
        self._announcer.turn(seat, self._clocks.shown())

    def _flag_fell(self, seat: int, ply: int) -> None:
        """Let a flag fall once all is handled that the bot sent: its move may be on its way from another server."""
        entrant = self._sides[seat].entrant
        fell = partial(self._post, partial(self._flagged, seat, ply))
        if entrant is None:
            fell()
        else:
            entrant.connection.confirm(fell)

    def _flagged(self, seat: int, ply: int) -> None:
        """Let a player lose on time, unless its move came just before. Without a clock, it is stuck, and the match has
        no result: its result must not depend on time.
        """
        if self._state is not RefereeState.TO_MOVE or self.match.ply != ply or not self._clocks[seat].runs:
            return
        if self.match.clocks is None:
            self._void(f"{self._sides[seat].name} gave no move for too long")
        elif not self._excused(seat, self._now()):
            elapsed, free = self._clocks[seat].take(self._now())
            self.match.flag(seat)
            explain(self.match, elapsed, free, self._timings[seat])
            self._end(RefereeEvent.FLAG_FELL)

    def _excused(self, seat: int, at: float) -> bool:
        """Void the match where a turn is overstepped because the arena was late; returns whether it was."""
        if excuse := self._clocks[seat].excuse(at):
            self._late = True
            self._void(f"{self._sides[seat].name} {excuse}")
        return bool(excuse)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
