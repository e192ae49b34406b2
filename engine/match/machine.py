# SPDX-License-Identifier: GPL-3.0-or-later
"""The match state machine: rules, clocks, draws and results of one match between two seats.

It is pure: it reads no clock and does no I/O; elapsed time is an argument. Everything that happens is an event, and
``Match.replay`` of the events gives the same match. Times are in milliseconds.

At chance nodes the match rolls the dice at once, by a seed that the players do not know; a roll is a move without a
player. Dice may be mirrored: see ``engine.match.dice``.

Where both seats choose at the same time, both are asked at once. The match stores the first answer without an event.
When it has both answers, it makes both moves, seat 0's first, so no event shows one choice before the other is made.

The winner has a payoff in points. By the rules of the game it is that of ``outcome``; a seat that resigns, runs out of
time, forfeits or loses by adjudication loses the points of ``Game.loss``. A ply limit ends a match as a draw, or by the
points so far (``Game.points_so_far``).
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Self

from engine.game import CHANCE, Game
from engine.match.dice import mirrored_roll, roll, roller
from engine.match.ending import FORFEITS, ONE, Adjudication, Ending, Termination, drawn, resigned
from engine.match.events import DrawDeclined, DrawOffered, Ended, Event, Info, Moved, Resumed
from engine.match.history import History
from engine.rules import Draws
from engine.secrets import Observation
from engine.time_control import TimeControl
from engine.viewpoint import Viewpoint


class MatchError(ValueError):
    """An action that is not possible now; the match is unchanged."""


class OutOfTurn(MatchError):
    """It is the other seat's turn."""


class MatchOver(MatchError):
    """The match has ended."""


class NoOffer(MatchError):
    """There is no draw offer to answer."""


class Match(History):
    """One game between seat 0, which moves first, and seat 1.

    Methods that change the match return the resulting events in order. If an action is not possible, they raise
    MatchError and change nothing.
    """

    opening: tuple[str, ...]
    """Moves before the players' own, on no clock."""
    time_control: TimeControl | None
    adjudication: Adjudication
    mirrored_dice: bool
    """Whether each seat has the same rolls in all matches with the same seed."""
    clocks: tuple[int, int] | None
    """Remaining time of each seat at the start of its turn or the end of its last move."""
    draw_offer: int | None
    """The seat with a valid draw offer."""
    ending: Ending | None
    events: list[Event]
    moves: list[Moved]
    """The players' moves, and the rolls."""
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
        super().__init__(game, game.draws if draws is None else draws, start)
        self._seed = seed
        self.mirrored_dice = mirrored_dice
        self._rolls = [0, 0]
        self.time_control = time_control
        self.adjudication = adjudication or Adjudication()
        self.clocks = None
        if time_control is not None and time_control.timed:
            self.clocks = time_control.initial, time_control.of(1).initial
        self.draw_offer = None
        self.ending = None
        self.events = []
        self.moves = []
        self._offered = [False, False]
        self._choices: dict[int, tuple[Moved, int]] = {}
        self._disclosed: list[tuple[str, str, str]] = []
        self.own_moves = [0, 0]
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
        """The seat to move; None if the match is over; CHANCE if a roll is needed and there is no seed.

        Where both choose at the same time, the first seat whose choice is missing.
        """
        return None if self.ending else next(iter(self.asked), self.position.to_move)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats whose move the match waits for: two where both choose at the same time, none if it is over."""
        if self.ending or self.position.to_move == CHANCE:
            return ()
        if self.position.simultaneous:
            return tuple(seat for seat in (0, 1) if seat not in self._choices)
        return (self.position.to_move,)

    @property
    def legal(self) -> list[str]:
        """The legal moves of ``to_move``, in the order of the rules; none if the match is over."""
        return [] if self.ending else list(self._legal(self.to_move))

    def legal_of(self, seat: int) -> list[str]:
        """Return the legal moves of a seat that is asked, in the order of the rules; none for another seat."""
        return list(self._legal(seat)) if seat in self.asked else []

    def ply_of(self, seat: int) -> int:
        """Return the number of moves before the next move of a seat that is asked."""
        return self.ply + 1 if self.position.simultaneous and seat == 1 else self.ply

    def observe(self, viewer: int | None) -> Observation:
        """Return what a seat, or the public (None), sees of the position during the match."""
        return Viewpoint.of(self.game, viewer).observe(self.position.state)

    def seen_by(self, viewer: int | None) -> list[str]:
        """Return the texts of ``moves`` as a seat, or the public (None), sees them during the match."""
        if self.game.secrets is None:
            return [moved.move for moved in self.moves]
        index = 2 if viewer is None else viewer
        return [texts[index] for texts in self._disclosed]

    def last_seen_by(self, viewer: int) -> str | None:
        """Return the text of the last move, or roll, as a seat sees it; None before the first."""
        if not self.moves:
            return self.opening[-1] if self.opening else None
        return self._disclosed[-1][viewer] if self.game.secrets is not None else self.moves[-1].move

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

        Where both seats choose at the same time, the first choice returns no event, and the second one both moves.
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
            move, canonical = self._read(text, seat)
        except ValueError as error:
            return self._lose(seat, Termination.ILLEGAL_MOVE, str(error))
        counted = None if limit is None else instructions
        moved = Moved(self.ply_of(seat) + 1, seat, canonical, elapsed, clock, counted, info)
        made: list[Event] = [moved]
        if self.position.simultaneous:
            self._choices[seat] = moved, move
            if self.asked:
                return []
            made = [self._choices[each][0] for each in (0, 1)]
            for each in (0, 1):
                self._make(*self._choices.pop(each))
        else:
            self._make(moved, move)
        verdict = self._verdict()
        if verdict:
            return [*made, *self._end(verdict)]
        return [*made, *self._roll()] if self.position.to_move == CHANCE else made

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
        offer has an effect: the time at which an answer arrives would decide what happens. Draw offers have no effect
        in games that are not zero-sum either, because the seats would have to agree on the payoffs.
        """
        self._check_open(seat)
        if self.limit_of(seat) is not None or not self.game.zero_sum:
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
                    self._check_open(event.seat)
                    if event.seat != self.position.to_move:
                        raise OutOfTurn("it is the other seat's turn")
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
            case Resumed():
                self._check_open(0)
                self.resume(event.epoch, event.node)

    def resume(self, epoch: int, node: str) -> None:
        """Note that another server referees the match from here on. Raises MatchError unless its epoch is later."""
        before = next((each.epoch for each in reversed(self.events) if isinstance(each, Resumed)), 1)
        if epoch <= before:
            raise MatchError(f"epoch {epoch} cannot follow epoch {before}")
        self.events.append(Resumed(epoch, node))

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
        if self.game.secrets is not None:
            state = self.position.state
            one, other, public = (self.game.secrets.disclose(state, move, viewer) for viewer in (0, 1, None))
            self._disclosed.append((one, other, public))
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
        result = "0-1" if seat == 0 else "1-0"
        if self.game.points_given_up is not None:
            points = self.game.points_given_up(self.position.state, seat)
            return Ending(result, termination, detail, points=points)
        return Ending(result, termination, detail, self.game.given_up(self.position, seat))

    def _end(self, ending: Ending) -> list[Event]:
        if ending.termination is Termination.TIME and self.clocks is not None:
            self.clocks = (0, self.clocks[1]) if ending.winner == 1 else (self.clocks[0], 0)
        self.ending = ending
        self.draw_offer = None
        ended = Ended(ending)
        self.events.append(ended)
        return [ended]

    # ---------------------------------------------------------------- rules

    def _verdict(self) -> Ending | None:
        """Return the end of the match by the rules in the current position, if any."""
        if self._halfway:
            return None
        if self.position.over:
            return self._counted(self.position.payoffs, Termination.DECIDED)
        drawn = self._drawn()
        if drawn is Termination.PLY_LIMIT:
            return self._cut(drawn)
        return Ending("1/2-1/2", drawn) if drawn else self._adjudicated()

    def _counted(self, payoffs: tuple[float, float], termination: Termination, detail: str = "") -> Ending:
        """Return the end with the payoffs of both seats; the seat with more points wins."""
        first, second = payoffs
        result = "1/2-1/2" if first == second else "1-0" if first > second else "0-1"
        if not self.game.zero_sum:
            return Ending(result, termination, detail, points=(first, second))
        return Ending(result, termination, detail, ONE if first == second else max(first, second))

    def _cut(self, termination: Termination, detail: str = "") -> Ending:
        """Return the end by a ply limit: a draw, or by the points so far where the game counts them."""
        so_far = self.game.points_so_far
        return self._counted((0.0, 0.0) if so_far is None else so_far(self.position.state), termination, detail)

    def _adjudicated(self) -> Ending | None:
        """Return the end of the match by adjudication, if any."""
        rules = self.adjudication
        if rules.plies is not None and self.ply >= rules.plies:
            return self._cut(Termination.ADJUDICATION, f"the limit of {rules.plies} plies")
        counted = [rule.moves for rule in (rules.draw, rules.resign) if rule is not None]
        if not self.moves or not counted:
            return None
        newest = (moved for moved in reversed(self.moves) if moved.seat != CHANCE)
        own = list(islice(newest, 2 * max(counted)))[::-1]
        scores = [moved.info.score if moved.info else None for moved in own]
        if rules.resign is not None and resigned(rules.resign, scores):
            told = "both report the match as decided" if rules.resign.both else "the loser reports the match as lost"
            return self._lost(own[-1].seat, Termination.ADJUDICATION, told)
        if rules.draw is not None and self.game.zero_sum and drawn(rules.draw, scores, self.ply):
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
        if seat not in self.asked:
            raise OutOfTurn("this seat has made its choice" if seat in self._choices else "it is the other seat's turn")

    def _check_dice(self) -> None:
        if self.ending:
            raise MatchOver("the match is over")
        if self.position.to_move != CHANCE:
            raise OutOfTurn("no dice are to be rolled")

    def _check_offer(self, seat: int) -> None:
        self._check_open(seat)
        if self.draw_offer != 1 - seat:
            raise NoOffer("there is no offer of a draw to answer")
