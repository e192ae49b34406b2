# SPDX-License-Identifier: GPL-3.0-or-later
"""The two sides of a match in play: the bot of each seat, and the messages that it gets."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arena.connections.sessions import Entrant
from arena.matches.clocks import Clocks
from arena.protocol import messages as m
from arena.protocol.errors import ErrorCode
from arena.protocol.messages import ArenaMessage
from arena.store.rows import MatchRow
from engine.match.ending import Ending
from engine.match.machine import Match

# ---------------------------------------------------------------- numbers
#
# The number by which the bot of a seat knows a match: the match's own. Where a bot plays against itself, the second
# seat has a number of its own, so that the two instances of the bot cannot be confused on their one connection.

SECOND = 2**52
"""What the second seat of a bot that plays against itself adds to the number of the match."""


def told_number(row: MatchRow, seat: int) -> int:
    """Return the number by which the bot of a seat knows a match."""
    one, other = row.players
    return row.id + SECOND if seat and one.bot_id == other.bot_id else row.id


def told_numbers(row: MatchRow, bot_id: int) -> list[int]:
    """Return the numbers by which a bot knows a match: one for each seat that it plays."""
    return [told_number(row, seat) for seat, player in enumerate(row.players) if player.bot_id == bot_id]


def match_of(number: int) -> int:
    """Return the match of a number that a bot sent."""
    return number % SECOND


# ---------------------------------------------------------------- seat
#
# A side of a running match, and the bot on its seat.


@dataclass(eq=False, slots=True)
class Seat:
    """One side of the match and, while it is connected, the bot that sits there."""

    bot_id: int
    name: str
    built_in: bool
    number: int
    """The number of the match in messages from and to the seat."""
    person: bool = False
    """Whether a person sits there."""
    entrant: Entrant | None = None
    missing: bool = True
    """Whether it has not sat down yet, since the match started or the arena started again."""
    away: float = 0.0
    """Since when it is away, if it is, on the clock that matches go by."""
    grace: asyncio.TimerHandle | None = None
    """Runs while it is away."""

    @property
    def round_trip(self) -> float:
        """Round-trip time of messages to the bot, in seconds; 0 while it is absent, or if unknown."""
        return 0.0 if self.entrant is None else self.entrant.connection.trips.shortest

    def send(self, message: ArenaMessage) -> None:
        """Tell the bot, if it is there."""
        if self.entrant is not None:
            self.entrant.send(message)

    def refuse(self, code: ErrorCode, text: str) -> None:
        """Refuse the bot's last message about the match, if the bot is there."""
        if self.entrant is not None:
            self.entrant.refuse(code, text, self.number)

    def take(self, entrant: Entrant) -> None:
        """Let the bot sit down (again)."""
        self.entrant = entrant
        self.missing = False
        if self.grace is not None:
            self.grace.cancel()
            self.grace = None


# ---------------------------------------------------------------- sides


class Sides:
    """The two seats of a match. A bot that is not connected gets no messages, but the whole state when it sits down."""

    def __init__(self, row: MatchRow, match: Match, present: Callable[[int], Entrant | None]) -> None:
        """Keep a seat for each player; ``present`` returns the connected bots."""
        self._row = row
        self._match = match
        self._present = present
        self._seats = tuple(
            Seat(player.bot_id, player.bot, player.bot_kind == "built-in", told_number(row, seat), player.person)
            for seat, player in enumerate(row.players)
        )
        self.built_in = all(seat.built_in for seat in self._seats)
        """Whether only built-in bots play."""

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats)

    def __getitem__(self, index: int) -> Seat:
        return self._seats[index]

    def seat_of(self, entrant: Entrant, number: int) -> int | None:
        """Return the seat that a bot plays through this connection, by the number that it knows the match by; None when
        it plays through another connection, or not.
        """
        places = (index for index, seat in enumerate(self._seats) if seat.number == number and seat.entrant is entrant)
        return next(places, None)

    def seats_of(self, entrant: Entrant) -> list[int]:
        """Return the seats that a bot plays through this connection."""
        return [index for index, seat in enumerate(self._seats) if seat.entrant is entrant]

    def seats_of_bot(self, bot_id: int) -> list[int]:
        """Return the seats of a bot, connected or not."""
        return [index for index, seat in enumerate(self._seats) if seat.bot_id == bot_id]

    def tell_state(self, index: int, clocks: Clocks) -> None:
        """Send a player the whole state of the match."""
        match, row = self._match, self._row
        one, other = (m.Player("", "") if row.anonymous and seat != index else self._player(seat) for seat in range(2))
        state = m.Match(
            match=self._seats[index].number,
            game=row.game,
            seat=index,
            players=(one, other),
            rated=row.rated,
            time_control=row.time_control,
            start=match.start,
            opening=list(match.opening),
            moves=[
                m.PlayedMove(text, move.elapsed, move.clock, move.instructions)
                for text, move in zip(match.seen_by(index), match.moves, strict=True)
            ],
            position=match.observe(index).position,
            ply=match.ply,
            to_move=match.position.to_move,
            clocks=clocks,
            draw_offered=match.draw_offer == 1 - index,
            dice_commitment=row.dice_commitment,
            mirrored_dice=row.mirrored_dice,
        )
        self._seats[index].send(state)

    def _player(self, seat: int) -> m.Player:
        player = self._row.players[seat]
        return m.Player(player.bot, player.version, player.rating, player.bot_id)

    def tell_turn(self, index: int, clocks: Clocks, *, watched: bool = False) -> None:
        """Ask a player for a move; ``watched``: whether spectators see its search info at once."""
        match = self._match
        entrant = self._seats[index].entrant
        if entrant is None:
            return
        turn = m.Turn(
            match=self._seats[index].number,
            game=self._row.game,
            ply=match.ply_of(index),
            position=match.observe(index).position,
            seat=index,
            last_move=match.last_seen_by(index),
            legal_moves=match.legal_of(index) if entrant.legal_moves else None,
            clocks=clocks,
            increment=match.time_control.of(index).increment if match.time_control else 0,
            moves_to_go=match.moves_to_go(index),
            instructions=match.limit_of(index),
            draw_offered=match.draw_offer == 1 - index,
            watched=watched,
        )
        entrant.send(turn)

    def tell_end(self, ending: Ending, ratings: tuple[m.RatingChange, m.RatingChange] | None) -> None:
        """Tell both players how the match ended, also one that has come back while the end was being stored."""
        for index, seat in enumerate(self._seats):
            over = m.Over(
                match=seat.number,
                result=ending.result,
                score=None if ending.scores is None else ending.scores[index],
                termination=ending.termination,
                detail=ending.detail,
                rating=None if ratings is None else ratings[index],
                opponent=self._player(1 - index) if self._row.anonymous else None,
                dice_secret=self._row.told_secret,
                payoff=ending.payoff,
                points=ending.points,
            )
            entrant = self._present(seat.bot_id) or seat.entrant
            if entrant is not None:
                entrant.send(over)
