# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of finished games: players, moves, result. ``engine.formats`` reads and writes them."""

from collections.abc import Iterator
from typing import Self

from msgspec import Struct, field, structs

from engine import games
from engine.game import Position
from engine.match.ending import ONE, Termination, checked_payoff, payoffs_of
from engine.match.events import Info
from engine.match.machine import Match

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Seat 0 won, seat 1 won, a draw, no result."""


class Player(Struct, frozen=True, omit_defaults=True):
    """The player of a seat."""

    name: str
    """Name of the player."""
    version: str = ""
    """Version of the player; empty: unknown."""
    rating: float | None = None
    """Rating before the game."""


class PlayedMove(Struct, frozen=True, omit_defaults=True):
    """A move of a player; None: unknown."""

    move: str
    """The move in the game's notation."""
    elapsed: int | None = None
    """Time of the move, in milliseconds."""
    clock: int | None = None
    """Remaining time after the move, in milliseconds."""
    info: Info | None = None
    """Search info of the player."""
    instructions: int | None = None
    """Number of instructions that the move used, in a match by instructions."""


class Record(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A finished game. The players are in the order of the seats.

    Times are ISO 8601 in UTC ("2024-05-01T12:00:00Z"), without the parts that are unknown ("1926").
    """

    game: str
    """Name of the game."""
    players: tuple[Player, Player]
    """Both players."""
    result: str
    '"1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (no result).'
    start: str | None = None
    """The initial position; None: the game's own."""
    opening: tuple[str, ...] = ()
    """Moves before the players' own."""
    moves: tuple[PlayedMove, ...] = ()
    """Moves of the players."""
    termination: Termination | None = None
    """Reason for the end; None: unknown."""
    detail: str = ""
    """Details of the end, for people."""
    payoff: float = ONE
    """Payoff of the winner, in points; 1 without a winner."""
    points: tuple[float, float] | None = None
    """Payoffs of both seats in a game that is not zero-sum; None: ``payoff`` says them."""
    time_control: str | None = None
    """The time control; None: none or unknown."""
    seed: int | None = None
    """Seed of the game, which determines its dice."""
    mirrored_dice: bool = False
    """Whether the seed determines the dice by seat and number of the roll, or the place of a deal, so that another game
    has the same rolls."""
    event: str = ""
    """Name of the event."""
    site: str = ""
    """Place of the game, or address of the server."""
    round: str = ""
    """Number of the game in the event: round, board and game."""
    started: str | None = None
    """Time at which the game started."""
    finished: str | None = None
    """Time at which the game ended."""
    tags: dict[str, str] = field(default_factory=dict)
    """Other tags of a file."""

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"{self.result!r} is not a result; results are {', '.join(RESULTS)}")
        structs.force_setattr(self, "payoff", checked_payoff(self.result, self.payoff, self.points))

    @property
    def payoffs(self) -> tuple[float, float] | None:
        """Payoff of each seat, in points; None without a result."""
        return payoffs_of(self.result, self.payoff, self.points)

    @classmethod
    def from_match(
        cls,
        match: Match,
        players: tuple[Player, Player],
        *,
        seed: int | None = None,
        event: str = "",
        site: str = "",
        round: str = "",  # noqa: A002  # the field's name, as in PGN
        started: str | None = None,
        finished: str | None = None,
    ) -> Self:
        """Return the record of a finished match. Raises ValueError if the match is not over."""
        if match.ending is None:
            raise ValueError("the match is not over")
        own_start = match.game.format_position(match.game.start())
        return cls(
            game=match.game.name,
            players=players,
            result=match.ending.result,
            start=None if match.start == own_start else match.start,
            opening=match.opening,
            moves=tuple(
                # without a clock, 0 means not measured
                PlayedMove(
                    moved.move,
                    moved.elapsed if moved.elapsed or match.clocks else None,
                    moved.clock,
                    moved.info,
                    moved.instructions,
                )
                for moved in match.moves
            ),
            termination=match.ending.termination,
            detail=match.ending.detail,
            payoff=match.ending.payoff,
            points=match.ending.points,
            time_control=None if match.time_control is None else str(match.time_control),
            seed=seed,
            mirrored_dice=match.mirrored_dice,
            event=event,
            site=site,
            round=round,
            started=started,
            finished=finished,
        )

    def positions(self) -> Iterator[Position]:
        """Yield the initial position, and the position after each move, the opening included.

        Raises KeyError if the game is unknown, and ValueError if a move is not legal.
        """
        game = games.find(self.game)
        position = game.look(game.start() if self.start is None else game.parse_position(self.start))
        yield position
        for text in (*self.opening, *(played.move for played in self.moves)):
            position = game.play(position, game.parse_move(position, text))
            yield position
