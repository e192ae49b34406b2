# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that a GTP controller sets up: moves by colour, taking them back, the board and the score."""

from collections.abc import Iterable

from bots.bridges.gtp.boards import COLOURS, OTHELLO, PASS, GtpBoard
from engine.game import Position
from engine.games import find
from engine.games.go import notation
from engine.match.superko import look


class PlayedGame:
    """A game from its start, with the moves so far. Superko is observed."""

    def __init__(self, board: GtpBoard, start: str | None = None) -> None:
        """``start``: another position than the game's own. Raises ValueError."""
        self.board = board
        self.game = find(board.game)
        state = self.game.start() if start is None else self.game.parse_position(start)
        self.start = self.game.format_position(state)
        self.moves: list[str] = []
        self._positions = [self.game.look(state)]
        self._lengths: list[int] = []
        """The numbers of moves before each ``play``, which may have needed a pass of the other side first."""

    @property
    def position(self) -> Position:
        """The present position."""
        return self._positions[-1]

    def turn_to(self, seat: int) -> bool:
        """Let a seat be to move: the other one passes if it is to move and may pass.

        Returns whether the seat is to move; the game may be over then. It changes nothing if not.
        """
        position = self.position
        if position.over or position.to_move == seat:
            return True
        try:
            move = self.game.parse_move(position, PASS)
        except ValueError:
            return False
        after = self.game.play(position, move)
        if after.over:
            return False
        self._append(PASS, move)
        return True

    def play(self, seat: int, text: str) -> str:
        """Make a move of a seat, and return it as the arena writes it. Raises ValueError if it is not legal."""
        before = len(self.moves)
        if not self.turn_to(seat):
            raise ValueError(f"{COLOURS[seat]} is not to move")
        try:
            if self.position.over:
                raise ValueError("the game is over")
            move = self.game.parse_move(self.position, text)
        except ValueError:
            self.cut(before)
            raise
        canonical = self.game.format_move(self.position.state, move)
        self._append(canonical, move)
        self._lengths.append(before)
        return canonical

    def play_all(self, moves: Iterable[str]) -> None:
        """Make moves of both seats in turn. Raises ValueError."""
        for text in moves:
            self.play(self.position.to_move, text)

    def undo(self) -> bool:
        """Take the last move back; returns False if there is none."""
        if not self._lengths:
            return False
        self.cut(self._lengths.pop())
        return True

    def _append(self, text: str, move: int) -> None:
        after = self.game.play(self.position, move)
        if not after.over:
            history = [position.repetition_key for position in self._positions]
            after = after._replace(moves=look(self.game, after.state, history).moves)
        self._positions.append(after)
        self.moves.append(text)

    def cut(self, length: int) -> None:
        """Take back all but the first moves, among them passes that ``turn_to`` made."""
        del self.moves[length:]
        del self._positions[length + 1 :]

    # ---------------------------------------------------------------- what a controller asks for

    def score(self) -> str:
        """Return the score as GTP writes it: "B+3.5", "W+12" or "0"; Go by area, Othello by discs.

        Go is scored as it stands, all stones being alive. Raises ValueError if a game of Othello is not over.
        """
        state = self.position.state
        if self.board.family == OTHELLO:
            if not self.position.over:
                raise ValueError("the game is not over")
            letters = self.game.diagram(state)
            lead: float = letters.count("X") - letters.count("O")
        else:
            lead = notation.area_lead(state) - (self.board.komi or 0)
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def drawing(self) -> str:
        """Return the board with its coordinates, and the side to move. No line is empty."""
        size, upwards = self.board.size, self.board.family != OTHELLO
        letters = self.game.diagram(self.position.state)
        columns = notation.COLUMNS if upwards else "ABCDEFGH"
        head = "   " + " ".join(columns[:size])
        rows = [head]
        for row in range(size):
            number = size - row if upwards else row + 1
            cells = " ".join(letters[row * size : (row + 1) * size]).translate(_STONES)
            rows.append(f"{number:>2} {cells} {number}")
        moving = "the game is over" if self.position.over else f"{COLOURS[self.position.to_move]} to move"
        return "\n".join(["", *rows, head, moving])


_STONES = str.maketrans("xo", "XO")
