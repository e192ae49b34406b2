# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that a chess program shows move by move: each time it tells all of it, and only the new moves are made."""

import contextlib
from collections.abc import Iterable, Sequence

from bots.bridges.uci.commands import Place
from engine.game import Game, Position


class Line:
    """The present position, the moves that led to it, and what search must know of those before it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.start: str | None = None
        """None: the game's own."""
        self.moves: tuple[str, ...] = ()
        self._line: list[Position] = [game.look(game.start())]

    @property
    def position(self) -> Position:
        """The present one."""
        return self._line[-1]

    @property
    def history(self) -> tuple[int, ...]:
        """Keys of the positions before the present one since the last irreversible move, the oldest first."""
        keys = []
        for before, after in zip(self._line[-2::-1], self._line[:0:-1], strict=True):
            if after.irreversible:
                break
            keys.append(before.key)
        return tuple(keys[::-1])

    def legal(self, texts: Iterable[str]) -> list[int]:
        """Return those of the moves that are legal here."""
        moves = []
        for text in texts:
            with contextlib.suppress(ValueError):
                moves.append(self._game.parse_move(self.position, text))
        return moves

    def mate(self, line: Sequence[str]) -> int | None:
        """Return in how many moves a line mates, negative when the side to move is mated; None when it does not."""
        position = self.position
        for text in line:
            try:
                position = self._game.play(position, self._game.parse_move(position, text))
            except ValueError:
                return None
        payoff = position.payoffs[self.position.to_move] if position.over else 0.0
        moves = (len(line) + 1) // 2
        return None if payoff == 0 else moves if payoff > 0 else -moves

    def place(self, place: Place) -> str | None:
        """Set up a position; returns the problem, for people, if it is invalid.

        Before an illegal move, the preceding moves stay applied; an invalid start changes nothing.
        """
        same = 0
        if place.start == self.start:
            while same < min(len(self.moves), len(place.moves)) and self.moves[same] == place.moves[same]:
                same += 1
        else:
            try:
                started = self._game.look(self._game.parse_position(place.start) if place.start else self._game.start())
            except ValueError as error:
                return str(error)
            self.start, self._line = place.start, [started]
        del self._line[same + 1 :]
        self.moves = place.moves[:same]
        for text in place.moves[same:]:
            try:
                move = self._game.parse_move(self.position, text)
            except ValueError as error:
                return f"move {len(self.moves) + 1}: {error}"
            self._line.append(self._game.play(self.position, move))
            self.moves = (*self.moves, text)
        return None
