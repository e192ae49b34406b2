# SPDX-License-Identifier: GPL-3.0-or-later
"""The referee of one match: drives ``engine.match`` with real clocks and two seats.

Whatever happens is put into one mailbox and handled in turn by one task, so nothing in a match happens at once. An
accepted move is committed before anybody hears of it. Time is the event loop's steady clock, never the wall's. What
breaks here breaks this match alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import structlog

from arena.connections import Entrant
from arena.insistence import insist
from arena.metrics import Metrics
from arena.protocol import messages as m
from arena.protocol import watching
from arena.protocol.errors import ErrorCode
from arena.seat import Seat, Turn
from arena.settings import Settings
from arena.stage import Stage
from arena.store import Store
from arena.store.errors import MatchFinished, Refused
from arena.store.rows import FinishedMatch, MatchRow
from engine.match import Ending, Info, Match, MatchError, Moved, NoOffer, Termination, encode_event

log = structlog.get_logger("arena.referee")


class Referee:
    """Plays one match to its end, or until it is suspended."""

    def __init__(
        self,
        row: MatchRow,
        match: Match,
        stage: Stage,
        *,
        store: Store,
        settings: Settings,
        metrics: Metrics,
        present: Callable[[int], Entrant | None],
        resumed: bool = False,
    ) -> None:
        """``present`` tells who is connected. The clocks wait until both bots have sat down; if resumed, once more."""
        self.row = row
        self.match = match
        self.stage = stage
        self.finished: FinishedMatch | None = None
        """Set once the end is in the store."""
        self._store = store
        self._settings = settings
        self._free = round(settings.lag_grace * 1000)
        """Milliseconds of each move that the way through the network may take."""
        self._metrics = metrics
        self._present = present
        self._resumed = resumed
        self._seats = tuple(Seat(player.bot_id, player.bot, player.bot_kind == "house") for player in row.players)
        self._house = all(seat.house for seat in self._seats)
        self._mailbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._stored = len(match.events) if resumed else 0
        self._turn: Turn | None = None
        self._given = -1.0
        """When the last turn was given."""
        self._suspended = False

    # ---------------------------------------------------------------- what happens, from outside

    def heard(self, entrant: Entrant, message: m.Move | m.Resign | m.OfferDraw | m.AnswerDraw | m.Sync) -> None:
        """A bot of this match said something; the clock stops at this very moment."""
        now = self._loop.time()
        self._post(lambda: self._handle(entrant, message, now))

    def joined(self, entrant: Entrant) -> None:
        """A bot of this match is connected (again)."""
        self._post(lambda: self._joined(entrant))

    def left(self, entrant: Entrant) -> None:
        """The connection of a bot of this match is gone."""
        self._post(lambda: self._left(entrant))

    def abort(self, reason: str) -> None:
        """End the match without a result."""
        self._post(lambda: self._abort(reason))

    def forfeit(self, bot_id: int, detail: str) -> None:
        """Let a bot lose that cannot speak the protocol."""
        self._post(lambda: self._forfeit(bot_id, detail))

    def suspend(self) -> None:
        """Leave the match as it stands, to be resumed when the arena starts again."""
        self._post(self._suspend)

    def _post(self, handler: Callable[[], Awaitable[None]]) -> None:
        self._mailbox.put_nowait(handler)

    # ---------------------------------------------------------------- the task

    async def run(self) -> None:
        """Play until the match is over or suspended. Whatever breaks voids the match; only cancelling raises."""
        try:
            await self._play()
        except Exception as error:
            log.exception("a match broke", match=self.row.id, game=self.row.game)
            await self._break_off(error)
        finally:
            self._stop_timers()

    async def _play(self) -> None:
        try:
            await self._begin()
            while not self._done:
                handler = await self._mailbox.get()
                await handler()
        except MatchFinished:
            await self._follow_store()

    @property
    def _done(self) -> bool:
        return self._suspended or self.match.ending is not None

    async def _begin(self) -> None:
        for seat in self._seats:
            entrant = self._present(seat.bot_id)
            if entrant is None:
                self._start_grace(seat)
            else:
                seat.take(entrant)
                self._tell_state(seat)
        if self.match.ending is not None:
            await self._commit()
        else:
            self._next_turn()

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
            await self._finish([] if isinstance(error, Refused) else self._unstored())
        except Exception:
            log.exception("a broken match could not be voided", match=self.row.id)
            void = Ending("*", Termination.VOID, detail)
            self._tell_end(void, FinishedMatch(self.row.id, None))

    async def _follow_store(self) -> None:
        """End as the store says: somebody ended the match there."""
        stored = await insist(partial(self._store.matches.get, self.row.id))
        if self.match.ending is None:
            self.match.void(stored.row.detail if stored else "")
        await self._finish([])

    # ---------------------------------------------------------------- handlers, one at a time

    async def _handle(self, entrant: Entrant, message: m.BotMessage, at: float) -> None:
        seat = self._seat_of(entrant)
        if seat is None:
            return
        try:
            match message:
                case m.Move():
                    await self._move(seat, message, at)
                case m.Resign():
                    self.match.resign(seat)
                    await self._commit()
                case m.OfferDraw():
                    if self.match.offer_draw(seat):
                        await self._commit()
                        if self.match.ending is None:
                            self._seats[1 - seat].send(m.DrawOffered(match=self.row.id))
                case m.AnswerDraw(accept=accept):
                    (self.match.accept_draw if accept else self.match.decline_draw)(seat)
                    await self._commit()
                    if self.match.ending is None:
                        self._seats[1 - seat].send(m.DrawDeclined(match=self.row.id))
                case _:
                    self._tell_state(self._seats[seat])
        except NoOffer as error:
            entrant.refuse(ErrorCode.NO_OFFER, str(error), self.row.id)

    async def _move(self, seat: int, message: m.Move, at: float) -> None:
        match, entrant = self.match, self._seats[seat].entrant
        assert entrant is not None
        played = message.ply - len(match.opening)
        if message.ply < match.ply and played >= 0:
            made = match.moves[played]
            if made.seat == seat and made.move == message.move:
                entrant.send(m.Accepted(match=self.row.id, ply=message.ply, clock=made.clock))
                return
        turn = self._turn
        if turn is None or match.to_move != seat or message.ply != match.ply:
            entrant.refuse(ErrorCode.NOT_YOUR_TURN, f"no move is asked of you at ply {message.ply}", self.row.id)
            return
        try:
            elapsed = max(0, round((at - turn.began) * 1000))
            match.play(seat, message.move, elapsed, _info(message.info), free=self._free)
        except MatchError as error:
            entrant.refuse(ErrorCode.NOT_YOUR_TURN, str(error), self.row.id)
            return
        self._end_turn()
        if match.ending is not None and match.ending.termination is Termination.ILLEGAL_MOVE:
            entrant.refuse(ErrorCode.ILLEGAL_MOVE, match.ending.detail, self.row.id)
        await self._commit(mover=seat, asked=at)
        if match.ending is None:
            self._next_turn()

    async def _flagged(self, ply: int) -> None:
        if self._turn is not None and self._turn.ply == ply and self.match.to_move is not None:
            self.match.flag(self.match.to_move)
            await self._commit()

    async def _joined(self, entrant: Entrant) -> None:
        seat = next((each for each in self._seats if each.bot_id == entrant.bot.id), None)
        if seat is None or seat.entrant is entrant or not entrant.connection.open:
            return
        seat.take(entrant)
        self._tell_state(seat)
        if self._turn is None:
            self._next_turn()
        elif self.match.to_move == self._seats.index(seat):
            self._tell_turn()

    async def _left(self, entrant: Entrant) -> None:
        seat = self._seat_of(entrant)
        if seat is not None:
            self._seats[seat].entrant = None
            self._start_grace(self._seats[seat])

    async def _grace_over(self, seat: Seat) -> None:
        if seat.entrant is not None:
            return
        missing = [each.name for each in self._seats if each.missing]
        if missing:
            absence = "the arena restarted and {} did not come back" if self._resumed else "{} did not come"
            self.match.void(absence.format(" and ".join(missing)))
        elif all(each.entrant is None for each in self._seats):
            self.match.void("both bots lost their connection")
        else:
            detail = f"{seat.name} did not come back within {self._settings.reconnect_grace:g} s"
            self.match.forfeit(self._seats.index(seat), Termination.DISCONNECT, detail)
        await self._commit()

    async def _abort(self, reason: str) -> None:
        self.match.void(reason)
        await self._commit()

    async def _forfeit(self, bot_id: int, detail: str) -> None:
        seat = next(index for index, seat in enumerate(self._seats) if seat.bot_id == bot_id)
        self.match.forfeit(seat, Termination.BAD_MESSAGE, detail)
        await self._commit()

    async def _suspend(self) -> None:
        self._suspended = True

    async def _relay(self, ply: int) -> None:
        if self._turn is None and self.match.ply == ply:
            self._give_turn()

    # ---------------------------------------------------------------- turns and clocks

    def _next_turn(self) -> None:
        """Give the next turn, at once or, in a match of house bots, after the time that people need to follow it."""
        if any(seat.missing for seat in self._seats):
            return
        wait = self._given + self._settings.house_move_time - self._loop.time() if self._house else 0.0
        if wait > 0 and self._given >= 0:
            ply = self.match.ply
            self._loop.call_later(wait, self._post, lambda: self._relay(ply))
        else:
            self._give_turn()

    def _give_turn(self) -> None:
        """Ask for a move; the clock runs from here."""
        match, now = self.match, self._loop.time()
        self._turn, self._given = Turn(match.ply, now), now
        seat = match.to_move
        assert seat is not None
        if match.clocks is not None:
            due = now + match.clocks[seat] / 1000 + self._settings.lag_grace + _ROUNDING
            self._turn.flag = self._loop.call_at(due, self._flag_due, self._turn, due)
        self.stage.turn(seat, match.clocks)
        self._tell_turn()

    def _flag_due(self, turn: Turn, due: float) -> None:
        """Let the flag fall. If the loop was held up, a move may lie unread in the socket: it gets as much time again,
        once, and the clock is put back by all of it.
        """
        now = self._loop.time()
        late = now - due
        if late > _HELD_UP and not turn.extended:
            turn.extended = True
            turn.began += 2 * late
            turn.flag = self._loop.call_at(now + late, self._flag_due, turn, now + late)
        else:
            self._post(lambda: self._flagged(turn.ply))

    def _end_turn(self) -> None:
        if self._turn is not None and self._turn.flag is not None:
            self._turn.flag.cancel()
        self._turn = None

    def _clocks(self) -> tuple[int, int] | None:
        """Return what both clocks show now."""
        clocks, seat = self.match.clocks, self.match.to_move
        if clocks is None or self._turn is None or seat is None:
            return clocks
        taken = max(0, round((self._loop.time() - self._turn.began) * 1000) - self._free)
        left = max(0, clocks[seat] - taken)
        return (left, clocks[1]) if seat == 0 else (clocks[0], left)

    def _start_grace(self, seat: Seat) -> None:
        if seat.grace is not None:
            seat.grace.cancel()
        seat.grace = self._loop.call_later(self._settings.reconnect_grace, self._post, lambda: self._grace_over(seat))

    def _stop_timers(self) -> None:
        self._end_turn()
        for seat in self._seats:
            if seat.grace is not None:
                seat.grace.cancel()

    # ---------------------------------------------------------------- the record, and who is told

    async def _commit(self, mover: int | None = None, asked: float | None = None) -> None:
        """Store what is new, then tell of it: to the mover that its move counts, to spectators what it was, to both
        the end.
        """
        match = self.match
        moved = [event for event in match.events[self._stored :] if isinstance(event, Moved)]
        if match.ending is None:
            await insist(partial(self._store.matches.append, self.row.id, self._unstored()))
            self._stored = len(match.events)
            self._tell_moves(mover, moved)
            if asked is not None:
                self._metrics.relay.observe(self._loop.time() - asked)
        else:
            self._end_turn()
            await self._finish(self._unstored(), mover, moved)

    def _unstored(self) -> list[tuple[int, bytes]]:
        """Return the events that the store does not have yet, with their numbers."""
        new = enumerate(self.match.events[self._stored :], self._stored)
        return [(number, encode_event(event)) for number, event in new]

    async def _finish(
        self, events: list[tuple[int, bytes]], mover: int | None = None, moved: Sequence[Moved] = ()
    ) -> None:
        """Store the end with what led to it, in one transaction with the ratings, and tell it."""
        assert self.match.ending is not None
        ending, finished = await self._store_end(events, self.match.ending)
        self._stored = len(self.match.events)
        if ending == self.match.ending:
            self._tell_moves(mover, moved)
        self._tell_end(ending, finished)
        self.finished = finished

    async def _store_end(self, events: list[tuple[int, bytes]], ending: Ending) -> tuple[Ending, FinishedMatch]:
        """Store the end and return it; when somebody else ended the match in the store before, that end holds."""
        finish = partial(
            self._store.matches.finish,
            self.row.id,
            result=ending.result,
            termination=ending.termination,
            detail=ending.detail,
            plies=self.match.ply,
            events=events,
        )
        finished = await insist(finish)
        if finished.changes is None and ending.scores is not None:
            stored = await insist(partial(self._store.matches.get, self.row.id))
            if stored is not None and stored.row.result and stored.row.termination:
                ending = Ending(stored.row.result, Termination(stored.row.termination), stored.row.detail)
        return ending, finished

    def _tell_end(self, ending: Ending, finished: FinishedMatch) -> None:
        row, changes = self.row, finished.changes
        ratings = None
        if changes is not None:
            one, other = changes
            ratings = m.RatingChange(one.before, one.after), m.RatingChange(other.before, other.after)
        shown = watching.Ending(ending.result, ending.termination, ending.detail, ratings)
        self.stage.over(shown, self.match.clocks)
        for index, seat in enumerate(self._seats):
            over = m.Over(
                match=row.id,
                result=ending.result,
                score=None if ending.scores is None else ending.scores[index],
                termination=ending.termination,
                detail=ending.detail,
                rating=None if ratings is None else ratings[index],
            )
            # it may have come back while the end was being stored
            entrant = self._present(seat.bot_id) or seat.entrant
            if entrant is not None:
                entrant.send(over)
        self._metrics.finished.labels(row.game, str(ending.termination)).inc()
        log.info("match over", match=row.id, game=row.game, result=ending.result, why=str(ending.termination))

    def _tell_moves(self, mover: int | None, moved: Sequence[Moved]) -> None:
        for event in moved:
            if mover is not None:
                self._seats[mover].send(m.Accepted(match=self.row.id, ply=event.ply - 1, clock=event.clock))
            self.stage.moved(event, self.match)
            self._metrics.moves.labels(self.row.game).inc()

    def _tell_state(self, seat: Seat) -> None:
        match, row, index = self.match, self.row, self._seats.index(seat)
        one, other = (m.Player(each.bot, each.version, each.rating_before) for each in row.players)
        state = m.Match(
            match=row.id,
            game=row.game,
            seat=index,
            players=(one, other),
            rated=row.rated,
            time_control=row.time_control,
            start=match.start,
            opening=list(match.opening),
            moves=[m.PlayedMove(move.move, move.elapsed, move.clock) for move in match.moves],
            position=match.game.format_position(match.position.state),
            ply=match.ply,
            to_move=match.position.to_move,
            clocks=self._clocks(),
            draw_offered=match.draw_offer == 1 - index,
        )
        seat.send(state)

    def _tell_turn(self) -> None:
        match, index = self.match, self.match.to_move
        assert index is not None
        entrant = self._seats[index].entrant
        if entrant is None:
            return
        turn = m.Turn(
            match=self.row.id,
            game=self.row.game,
            ply=match.ply,
            position=match.game.format_position(match.position.state),
            seat=index,
            last_move=match.moves[-1].move if match.moves else match.opening[-1] if match.opening else None,
            legal_moves=match.legal if entrant.legal_moves else None,
            clocks=self._clocks(),
            increment=match.time_control.increment if match.time_control else 0,
            draw_offered=match.draw_offer == 1 - index,
        )
        entrant.send(turn)

    def _seat_of(self, entrant: Entrant) -> int | None:
        """Return where a bot sits, if through this very connection."""
        return next((index for index, seat in enumerate(self._seats) if seat.entrant is entrant), None)


_ROUNDING = 0.002
"""Seconds by which the flag falls late, so that a move in the last millisecond is not cut off by rounding."""


_HELD_UP = 0.005
"""Seconds by which a timer is late only when the loop was held up."""


def _info(info: m.Info | None) -> Info | None:
    return None if info is None else Info(score=info.score, depth=info.depth, nodes=info.nodes, pv=tuple(info.pv))
