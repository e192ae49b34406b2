# SPDX-License-Identifier: GPL-3.0-or-later
"""The position of a match, its legal moves as texts, and the rules on history: repetition, superko, no progress."""

from engine.game import Game, Position
from engine.match.ending import Termination
from engine.match.superko import without_repetitions
from engine.rules import FORBIDDEN, Draws


class History:
    """The moves on the board so far, without seats and clocks, as far as the rules depend on them."""

    game: Game
    start: str
    """The initial position."""
    draws: Draws
    position: Position
    ply: int
    """Number of moves so far, the opening included."""
    made: int | None
    """The newest move as a number of the rules, the opening included."""

    def __init__(self, game: Game, draws: Draws, start: str | None) -> None:
        """Begin at ``start``, by default the game's own. Raises ValueError if it is not a position."""
        self.game = game
        self.draws = draws
        self.made = None
        self.ply = 0
        self._reversible = 0
        self._times = 0
        self._halfway = False
        self._seen: dict[tuple[int, int], int] = {}
        self._past: set[int] = set()
        self._texts: dict[str, int] | None = None
        self._enter(game.look(game.start() if start is None else game.parse_position(start)))
        self.start = game.format_position(self.position.state)

    def _chosen_from(self, seat: int | None) -> Position:
        """Return the position that has the legal moves of a seat.

        Where both choose at the same time, those of seat 1 do not depend on the move of seat 0.
        """
        if seat == 1 and self.position.simultaneous:
            return self.game.play(self.position, self.position.moves[0])
        return self.position

    def _legal(self, seat: int | None) -> dict[str, int]:
        if seat == 1 and self.position.simultaneous:
            return self.game.move_texts(self._chosen_from(seat))
        if self._texts is None:
            self._texts = self.game.move_texts(self.position)
        return self._texts

    def _read(self, text: str, seat: int | None = None) -> tuple[int, str]:
        """Return the legal move of a text, and its canonical text; ``seat``: the seat that chooses, None: that of the
        position. Raises ValueError.
        """
        move = self._legal(seat).get(text)
        if move is not None:
            return move, text
        position = self._chosen_from(seat)
        try:
            move = self.game.parse_move(position, text)
        except ValueError:
            if self.draws.repetition == FORBIDDEN and self._repeats(text):
                raise ValueError(f"{text[:40]!r} repeats an earlier position (superko)") from None
            raise
        return move, self.game.format_move(position.state, move)

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
        # the two plies of a simultaneous move are made together
        self._halfway = self.position.simultaneous
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

    def _drawn(self) -> Termination | None:
        """Return the rule on history that makes the match a draw in the current position, if any."""
        draws = self.draws
        if draws.repetition == FORBIDDEN:
            repeated = not self.position.moves
        else:
            repeated = draws.repetition is not None and self._times >= draws.repetition
        if repeated:
            return Termination.REPETITION
        if draws.no_progress_plies is not None and self._reversible >= draws.no_progress_plies:
            return Termination.NO_PROGRESS
        if draws.plies is not None and self.ply >= draws.plies:
            return Termination.PLY_LIMIT
        return None
