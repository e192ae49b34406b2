# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a match as a bot follows it, so that its search knows which positions have stood before."""

from bots.bot import Match, Turn
from engine.game import Game, Position, State


class Course:
    """The current position, and the keys of those before it that can come again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ply = 0
        self._keys: list[int] = []
        self.plies: list[tuple[State, int]] = []
        """The moves so far, each with the state before it; the whole match if the bot received its start."""
        self.position: Position | None = None
        """None until the first turn, unless the bot received the whole match."""

    @property
    def history(self) -> tuple[int, ...]:
        """Keys of the positions before the current one, since the last irreversible move, the oldest first."""
        return tuple(self._keys)

    def begin(self, match: Match) -> None:
        """Replay a match from its whole state."""
        self._begin_at(match.start, 0)
        for move in [*match.opening, *(played.move for played in match.moves)]:
            self.follow(move)

    def arrive(self, turn: Turn) -> Position:
        """Go to the position of a turn and return it; restart from that position if the turn does not follow."""
        if self.position is not None and self._ply == turn.ply - 1 and turn.last_move is not None:
            self.follow(turn.last_move)
        if self.position is None or self._ply != turn.ply or self._text() != turn.position:
            self._begin_at(turn.position, turn.ply)
        assert self.position is not None
        return self.position

    def follow(self, move: str) -> None:
        """Apply a move; after an illegal move the next turn restarts from its position."""
        before = self.position
        if before is None:
            return
        try:
            number = self._game.parse_move(before, move)
            self.position = self._game.play(before, number)
        except ValueError:
            self.position = None
            return
        self._ply += 1
        self.plies.append((before.state, number))
        if self.position.irreversible:
            self._keys.clear()
        else:
            self._keys.append(before.key)

    def _begin_at(self, position: str, ply: int) -> None:
        self.position = self._game.look(self._game.parse_position(position))
        self._ply = ply
        self._keys.clear()
        self.plies.clear()

    def _text(self) -> str:
        return "" if self.position is None else self._game.format_position(self.position.state)


def line(game: Game, position: Position, moves: tuple[int, ...]) -> tuple[str, ...]:
    """Write a principal variation, as far as it follows the rules."""
    texts = []
    for move in moves[:32]:
        if move not in position.moves:
            break
        texts.append(game.format_move(position.state, move))
        position = game.play(position, move)
    return tuple(texts)
