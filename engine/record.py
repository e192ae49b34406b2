# SPDX-License-Identifier: GPL-3.0-or-later
"""A finished game as it is kept and exchanged: who played, what was played, how it ended.

``engine.formats`` writes and reads it.
"""

from collections.abc import Iterator
from typing import Self

from msgspec import Struct, field

from engine import games
from engine.ending import Termination
from engine.game import Position
from engine.match import Info, Match

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Seat 0 won, seat 1 won, a draw, none."""


class Player(Struct, frozen=True, omit_defaults=True):
    """Who sat on a seat; ``rating`` is the one before the game."""

    name: str
    version: str = ""
    rating: float | None = None


class PlayedMove(Struct, frozen=True, omit_defaults=True):
    """A move in the game's own notation; ``elapsed`` and ``clock`` (left after it) in milliseconds, None: unknown."""

    move: str
    elapsed: int | None = None
    clock: int | None = None
    info: Info | None = None


class Record(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A finished game. The players are in the order of the seats, so the first moved first.

    Times of day are ISO 8601 in UTC ("2024-05-01T12:00:00Z"); what is unknown at their end is left out ("1926").
    """

    game: str
    players: tuple[Player, Player]
    result: str
    """One of RESULTS."""
    start: str | None = None
    """The initial position; None: the game's own."""
    opening: tuple[str, ...] = ()
    """Moves made from the start before the players' own."""
    moves: tuple[PlayedMove, ...] = ()
    termination: Termination | None = None
    """Why it ended; None where unknown."""
    detail: str = ""
    time_control: str | None = None
    seed: int | None = None
    event: str = ""
    site: str = ""
    round: str = ""
    started: str | None = None
    finished: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    """What else a file said of it."""

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"{self.result!r} is no result; results are {', '.join(RESULTS)}")

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
        """Return the record of a match that is over. Raises ValueError when it is not."""
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
                # where no clock runs, 0 is what was not measured
                PlayedMove(
                    moved.move, moved.elapsed if moved.elapsed or match.clocks else None, moved.clock, moved.info
                )
                for moved in match.moves
            ),
            termination=match.ending.termination,
            detail=match.ending.detail,
            time_control=None if match.time_control is None else str(match.time_control),
            seed=seed,
            event=event,
            site=site,
            round=round,
            started=started,
            finished=finished,
        )

    def positions(self) -> Iterator[Position]:
        """Yield the initial position and the one after each move, those of the opening included.

        Raises KeyError when the game is unknown and ValueError when a move is not legal.
        """
        game = games.find(self.game)
        position = game.look(game.start() if self.start is None else game.parse_position(self.start))
        yield position
        for text in (*self.opening, *(played.move for played in self.moves)):
            position = game.play(position, game.parse_move(position, text))
            yield position
