# SPDX-License-Identifier: GPL-3.0-or-later
"""The match state machine: rules, clocks, draws and results of one match between two seats.

It is pure: it reads no clock and does no I/O; elapsed time is an argument. Everything that happens is an event, and
``Match.replay`` of the events gives the same match. Times are in milliseconds.

At chance nodes the match rolls the dice at once, by a seed that the players do not know; a roll is a move without a
player. Dice may be mirrored: see ``engine.match.dice``.

The winner has a payoff in points. By the rules of the game it is that of ``outcome``; a seat that resigns, runs out of
time, forfeits or loses by adjudication loses the points of ``Game.loss``.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Self

from engine.game import CHANCE, Game, Position
from engine.match.dice import mirrored_roll, roll, roller
from engine.match.ending import FORFEITS, Adjudication, Ending, Termination, drawn, resigned
from engine.match.events import DrawDeclined, DrawOffered, Ended, Event, Info, Moved
from engine.match.superko import without_repetitions
from engine.rules import FORBIDDEN, Draws
from engine.time_control import TimeControl


class MatchError(ValueError):
    """An action that is not possible now; the match is unchanged."""


class OutOfTurn(MatchError):
    """It is the other seat's turn."""


class MatchOver(MatchError):
    """The match has ended."""


class NoOffer(MatchError):
    """There is no draw offer to answer."""


class Match:
    """One game between seat 0, which moves first, and seat 1.

    Methods that change the match return the resulting events in order. If an action is not possible, they raise
    MatchError and change nothing.
    """

    game: Game
    start: str
    """The initial position."""
    opening: tuple[str, ...]
    """Moves before the players' own, on no clock."""
    time_control: TimeControl | None
    draws: Draws
    adjudication: Adjudication
    mirrored_dice: bool
    """Whether each seat has the same rolls in all matches with the same seed."""
    position: Position
    ply: int
    """Number of moves so far, the opening included."""
    clocks: tuple[int, int] | None
    """Remaining time of each seat at the start of its turn or the end of its last move."""
    draw_offer: int | None
    """The seat with a valid draw offer."""
    ending: Ending | None
    events: list[Event]
    moves: list[Moved]
    """The players' moves, and the rolls."""
    made: int | None
    """The newest move as a number of the rules, the opening included."""
    own_moves: list[int]
    """Number of moves of each seat on its own clock."""

    def __init__(
        self,
        game: Game,
        *,
        opening: Sequence[str] = (),
        start: str | None = None,
        time_control: TimeControl | None = None,
        draws: Draws | None = None,
        adjudication: Adjudication | None = None,
        seed: int | None = None,
        mirrored_dice: bool = False,
    ) -> None:
        """Set up a match. ``draws`` replaces the game's draw rules.

        ``seed``: for dice; without a seed, the match waits at chance nodes for ``apply`` with the roll.
        ``mirrored_dice``: whether each seat has the same rolls in all matches with this seed. Raises ValueError if
        ``start`` is not a position, an opening move is illegal, or the match is over at once.
        """
        self.game = game
        self._seed = seed
        self.mirrored_dice = mirrored_dice
        self._rolls = [0, 0]
        self.time_control = time_control
        self.draws = game.draws if draws is None else draws
        self.adjudication = adjudication or Adjudication()
        self.clocks = None
        if time_control is not None and time_control.timed:
            self.clocks = time_control.initial, time_control.of(1).initial
        self.draw_offer = None
        self.ending = None
        self.events = []
        self.moves = []
        self.made = None
        self.ply = 0
        self._reversible = 0
        self._seen: dict[tuple[int, int], int] = {}
        self._past: set[int] = set()
        self._texts: dict[str, int] | None = None
        self._offered = [False, False]
        self.own_moves = [0, 0]
        self._enter(game.look(game.start() if start is None else game.parse_position(start)))
        self.start = game.format_position(self.position.state)
        played = []
        for text in opening:
            move, canonical = self._read(text)
            self._advance(move)
            played.append(canonical)
        self.opening = tuple(played)
        if self._verdict():
            raise ValueError("the match is over before its first move")
        self._roll()

    @classmethod
    def replay(
        cls,
        game: Game,
        *,
        events: Iterable[Event],
        opening: Sequence[str] = (),
        start: str | None = None,
        time_control: TimeControl | None = None,
        draws: Draws | None = None,
        adjudication: Adjudication | None = None,
        seed: int | None = None,
        mirrored_dice: bool = False,
    ) -> Self:
        """Return the match of these events; add events that must follow: ``Ended``, and rolls if there is a ``seed``.

        Raises ValueError if the events do not form such a match.
        """
        match = cls(
            game,
            opening=opening,
            start=start,
            time_control=time_control,
            draws=draws,
            adjudication=adjudication,
            mirrored_dice=mirrored_dice,
        )
        for event in events:
            match.apply(event)
        match._seed = seed
        verdict = None if match.ending else match._verdict()
        if verdict:
            match.apply(Ended(verdict))
        match._roll()
        return match

    @property
    def to_move(self) -> int | None:
        """The seat to move; None if the match is over; CHANCE if a roll is needed and there is no seed."""
        return None if self.ending else self.position.to_move

    @property
    def legal(self) -> list[str]:
        """The legal moves, in the order of the rules; none if the match is over."""
        return [] if self.ending else list(self._legal())

    def moves_to_go(self, seat: int) -> int | None:
        """Return the number of moves of a seat to its next session; None without sessions."""
        return None if self.time_control is None else self.time_control.of(seat).moves_to_go(self.own_moves[seat])

    def limit_of(self, seat: int) -> int | None:
        """Return the limit of instructions for each move of a seat; None in a match with a clock or without limits."""
        return None if self.time_control is None else self.time_control.of(seat).instructions

    # ---------------------------------------------------------------- actions of players and the clock

    def play(
        self,
        seat: int,
        text: str,
        elapsed: int = 0,
        info: Info | None = None,
        *,
        free: int = 0,
        instructions: int | None = None,
    ) -> list[Event]:
        """Make a move that took ``elapsed`` ms; the clock is charged ``elapsed`` minus ``free`` ms.

        A move after the time is used up loses on time, legal or not; an illegal move loses. In a match by instructions
        a move that used more ``instructions`` than allowed loses, and so does a move without their number. Raises
        OutOfTurn, MatchOver, and ValueError if the time is negative.
        """
        self._check_turn(seat)
        if elapsed < 0:
            raise ValueError(f"the elapsed time must not be negative (got {elapsed} ms)")
        clock = None
        if self.clocks is not None and self.time_control is not None:
            left = self.clocks[seat] - max(0, elapsed - free)
            if left < 0:
                return self._lose(seat, Termination.TIME)
            clock = self.time_control.of(seat).after(left, self.own_moves[seat] + 1)
        limit = self.limit_of(seat)
        if limit is not None and (instructions is None or instructions > limit):
            used = "it reported no number of instructions" if instructions is None else f"it used {instructions:,}"
            return self._lose(seat, Termination.BAD_MESSAGE, f"{used}; each move has a limit of {limit:,} instructions")
        try:
            move, canonical = self._read(text)
        except ValueError as error:
            return self._lose(seat, Termination.ILLEGAL_MOVE, str(error))
        moved = Moved(self.ply + 1, seat, canonical, elapsed, clock, None if limit is None else instructions, info)
        self._make(moved, move)
        verdict = self._verdict()
        if verdict:
            return [moved, *self._end(verdict)]
        return [moved, *self._roll()] if self.position.to_move == CHANCE else [moved]

    def flag(self, seat: int) -> list[Event]:
        """End the match on time: the clock of the seat to move ran out.

        Raises OutOfTurn, MatchOver, and MatchError without a clock.
        """
        self._check_turn(seat)
        if self.clocks is None:
            raise MatchError("this match has no clock")
        return self._lose(seat, Termination.TIME)

    def resign(self, seat: int) -> list[Event]:
        """Resign, in turn or not. Raises MatchOver."""
        self._check_open(seat)
        return self._lose(seat, Termination.RESIGNATION)

    def offer_draw(self, seat: int) -> list[Event]:
        """Offer a draw, in turn or not; accept the other seat's offer if there is one. Raises MatchOver.

        A seat may offer once between two of its moves; further offers have no effect. In a match by instructions no
        offer has an effect: the time at which an answer arrives would decide what happens.
        """
        self._check_open(seat)
        if self.limit_of(seat) is not None:
            return []
        if self.draw_offer == 1 - seat:
            return self.accept_draw(seat)
        return [] if self._offered[seat] else self._record(DrawOffered(seat))

    def accept_draw(self, seat: int) -> list[Event]:
        """Accept the other seat's draw offer. Raises NoOffer, MatchOver."""
        self._check_offer(seat)
        return self._end(Ending("1/2-1/2", Termination.AGREEMENT))

    def decline_draw(self, seat: int) -> list[Event]:
        """Decline the other seat's draw offer. Raises NoOffer, MatchOver."""
        self._check_offer(seat)
        return self._record(DrawDeclined(seat))

    # ---------------------------------------------------------------- decisions of the arena

    def forfeit(self, seat: int, termination: Termination, detail: str = "") -> list[Event]:
        """Let a seat forfeit, in turn or not. Raises MatchOver, and ValueError for a termination not in FORFEITS."""
        self._check_open(seat)
        if termination not in FORFEITS:
            raise ValueError(f"{termination!r} is not a reason to forfeit")
        return self._lose(seat, termination, detail)

    def void(self, detail: str = "") -> list[Event]:
        """End the match without a result. Raises MatchOver."""
        self._check_open(0)
        return self._end(Ending("*", Termination.VOID, detail))

    # ---------------------------------------------------------------- events

    def apply(self, event: Event) -> None:
        """Apply a recorded event. Turn, ply and legality are checked; clocks are taken from the event.

        Raises ValueError if the event is not possible.
        """
        match event:
            case Moved():
                if event.seat == CHANCE:
                    self._check_dice()
                else:
                    self._check_turn(event.seat)
                if event.ply != self.ply + 1:
                    raise MatchError(f"ply {event.ply} cannot follow ply {self.ply}")
                if (event.clock is None) != (self.clocks is None or event.seat == CHANCE):
                    raise MatchError("the move and the match disagree on whether a clock runs")
                counted = event.seat != CHANCE and self.limit_of(event.seat) is not None
                if (event.instructions is not None) != counted:
                    raise MatchError("the move and the match disagree on whether instructions are counted")
                if self._verdict():
                    raise MatchOver("the match is over")
                move, _ = self._read(event.move)
                self._make(event, move)
            case DrawOffered():
                self._check_open(event.seat)
                self._record(event)
            case DrawDeclined():
                self._check_offer(event.seat)
                self._record(event)
            case Ended():
                self._check_open(0)
                self._end(event.ending)

    def _record(self, event: DrawOffered | DrawDeclined) -> list[Event]:
        if isinstance(event, DrawOffered):
            self.draw_offer = event.seat
            self._offered[event.seat] = True
        else:
            self.draw_offer = None
        self.events.append(event)
        return [event]

    def _make(self, event: Moved, move: int) -> None:
        seat = event.seat
        if self.clocks is not None and event.clock is not None:
            self.clocks = (event.clock, self.clocks[1]) if seat == 0 else (self.clocks[0], event.clock)
        if self.draw_offer == 1 - seat:
            self.draw_offer = None
        if seat != CHANCE:
            self._offered[seat] = False
            self.own_moves[seat] += 1
        elif self.mirrored_dice:
            self._rolls[roller(self.game, self.position)] += 1
        self._advance(move)
        self.moves.append(event)
        self.events.append(event)

    def _roll(self) -> list[Event]:
        """Roll the dice while the match is at a chance node; return the events."""
        events: list[Event] = []
        while self._seed is not None and self.ending is None and self.position.to_move == CHANCE:
            if self.mirrored_dice:
                seat = roller(self.game, self.position)
                move = mirrored_roll(self.game, self.position, self._seed, seat, self._rolls[seat])
            else:
                move = roll(self.game, self.position, self._seed, self.ply)
            shown = Moved(self.ply + 1, CHANCE, self.game.format_move(self.position.state, move))
            self._make(shown, move)
            events.append(shown)
            verdict = self._verdict()
            if verdict:
                events += self._end(verdict)
        return events

    def _lose(self, seat: int, termination: Termination, detail: str = "") -> list[Event]:
        return self._end(self._lost(seat, termination, detail))

    def _lost(self, seat: int, termination: Termination, detail: str) -> Ending:
        payoff = self.game.given_up(self.position, seat)
        return Ending("0-1" if seat == 0 else "1-0", termination, detail, payoff)

    def _end(self, ending: Ending) -> list[Event]:
        if ending.termination is Termination.TIME and self.clocks is not None:
            self.clocks = (0, self.clocks[1]) if ending.winner == 1 else (self.clocks[0], 0)
        self.ending = ending
        self.draw_offer = None
        ended = Ended(ending)
        self.events.append(ended)
        return [ended]

    # ---------------------------------------------------------------- rules

    def _legal(self) -> dict[str, int]:
        if self._texts is None:
            self._texts = self.game.move_texts(self.position)
        return self._texts

    def _read(self, text: str) -> tuple[int, str]:
        """Return the legal move of a text, and its canonical text. Raises ValueError."""
        move = self._legal().get(text)
        if move is not None:
            return move, text
        try:
            move = self.game.parse_move(self.position, text)
        except ValueError:
            if self.draws.repetition == FORBIDDEN and self._repeats(text):
                raise ValueError(f"{text[:40]!r} repeats an earlier position (superko)") from None
            raise
        return move, self.game.format_move(self.position.state, move)

    def _repeats(self, text: str) -> bool:
        """Return whether only superko forbids the move of a text."""
        try:
            self.game.parse_move(self.game.look(self.position.state), text)
        except ValueError:
            return False
        return True

    def _advance(self, move: int) -> None:
        self.ply += 1
        self.made = move
        self._enter(self.game.play(self.position, move))

    def _enter(self, position: Position) -> None:
        if position.irreversible:
            # earlier positions cannot occur again
            self._seen = {}
            self._past = set()
            self._reversible = 0
        else:
            self._reversible += 1
        if self.draws.repetition == FORBIDDEN:
            self._past.add(position.repetition_key)
            position = without_repetitions(self.game, position, self._past)
        else:
            place = position.key, position.to_move
            self._times = self._seen[place] = self._seen.get(place, 0) + 1
        self.position = position
        self._texts = None

    def _verdict(self) -> Ending | None:
        """Return the end of the match by the rules in the current position, if any."""
        draws = self.draws
        if self.position.over:
            first, second = self.position.payoffs
            if first == second:
                return Ending("1/2-1/2", Termination.DECIDED)
            return Ending("1-0" if first > second else "0-1", Termination.DECIDED, payoff=max(first, second))
        if draws.repetition == FORBIDDEN:
            repeated = not self.position.moves
        else:
            repeated = draws.repetition is not None and self._times >= draws.repetition
        if repeated:
            return Ending("1/2-1/2", Termination.REPETITION)
        if draws.no_progress_plies is not None and self._reversible >= draws.no_progress_plies:
            return Ending("1/2-1/2", Termination.NO_PROGRESS)
        if draws.plies is not None and self.ply >= draws.plies:
            return Ending("1/2-1/2", Termination.PLY_LIMIT)
        return self._adjudicated()

    def _adjudicated(self) -> Ending | None:
        """Return the end of the match by adjudication, if any."""
        rules = self.adjudication
        if rules.plies is not None and self.ply >= rules.plies:
            return Ending("1/2-1/2", Termination.ADJUDICATION, f"the limit of {rules.plies} plies")
        counted = [rule.moves for rule in (rules.draw, rules.resign) if rule is not None]
        if not self.moves or not counted:
            return None
        newest = (moved for moved in reversed(self.moves) if moved.seat != CHANCE)
        own = list(islice(newest, 2 * max(counted)))[::-1]
        scores = [moved.info.score if moved.info else None for moved in own]
        if rules.resign is not None and resigned(rules.resign, scores):
            told = "both report the match as decided" if rules.resign.both else "the loser reports the match as lost"
            return self._lost(own[-1].seat, Termination.ADJUDICATION, told)
        if rules.draw is not None and drawn(rules.draw, scores, self.ply):
            return Ending("1/2-1/2", Termination.ADJUDICATION, "both report the match as level")
        return None

    # ---------------------------------------------------------------- checks

    def _check_open(self, seat: int) -> None:
        if self.ending:
            raise MatchOver("the match is over")
        if seat not in (0, 1):
            raise ValueError(f"there is no seat {seat}")

    def _check_turn(self, seat: int) -> None:
        self._check_open(seat)
        if seat != self.position.to_move:
            raise OutOfTurn("it is the other seat's turn")

    def _check_dice(self) -> None:
        if self.ending:
            raise MatchOver("the match is over")
        if self.position.to_move != CHANCE:
            raise OutOfTurn("no dice are to be rolled")

    def _check_offer(self, seat: int) -> None:
        self._check_open(seat)
        if self.draw_offer != 1 - seat:
            raise NoOffer("there is no offer of a draw to answer")
