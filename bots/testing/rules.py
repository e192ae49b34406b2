# SPDX-License-Identifier: MIT
"""Games as the miniature arena referees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Rules(Protocol):
    """A game as the miniature arena needs it; positions and moves are texts."""

    name: str

    def start(self, seed: int) -> str:
        """Return the initial position of a match."""

    def to_move(self, position: str) -> int:
        """Return the seat to move, 0 or 1."""

    def legal_moves(self, position: str) -> list[str]:
        """Return the legal moves; none when the game is over."""

    def play(self, position: str, move: str) -> str:
        """Return the position after a legal move."""

    def result(self, position: str) -> str:
        """Return the result of a game that is over: "1-0", "0-1", "1/2-1/2", or "*" for no result."""


class TicTacToe:
    """Tic-tac-toe as the arena writes it: rows from the top, like "x.o/.x./..o"; squares a1 to c3."""

    name = "tictactoe"
    _SQUARES = tuple(f"{column}{row}" for row in (3, 2, 1) for column in "abc")
    _LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def start(self, seed: int) -> str:
        """Return the empty board."""
        return ".../.../..."

    def to_move(self, position: str) -> int:
        """Return 0 for x, which moves first, 1 for o."""
        return (9 - position.count(".")) % 2

    def legal_moves(self, position: str) -> list[str]:
        """Return the empty squares, none when there are three in a row."""
        if self._winner(position):
            return []
        return [square for square, mark in zip(self._SQUARES, position.replace("/", ""), strict=True) if mark == "."]

    def play(self, position: str, move: str) -> str:
        """Return the position with the mover's mark on a square."""
        cells = list(position.replace("/", ""))
        cells[self._SQUARES.index(move)] = "xo"[self.to_move(position)]
        return "/".join("".join(cells[row : row + 3]) for row in (0, 3, 6))

    def result(self, position: str) -> str:
        """Return the result of a full board or a row of three."""
        return {"x": "1-0", "o": "0-1", "": "1/2-1/2"}[self._winner(position)]

    def _winner(self, position: str) -> str:
        cells = position.replace("/", "")
        for one, two, three in self._LINES:
            if cells[one] != "." and cells[one] == cells[two] == cells[three]:
                return cells[one]
        return ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A position with its legal moves and the seat to move, as an arena once sent them."""

    position: str
    legal_moves: Sequence[str]
    seat: int = 0


class Positions:
    """A game known by recorded positions only: a match starts at one of them and ends, void, after one move."""

    def __init__(self, name: str, recorded: Sequence[Recorded]) -> None:
        self.name = name
        self._recorded = list(recorded)
        self._known = {each.position: each for each in recorded}

    def start(self, seed: int) -> str:
        """Return one of the positions."""
        return self._recorded[seed % len(self._recorded)].position

    def to_move(self, position: str) -> int:
        """Return the recorded seat."""
        return self._known[position].seat if position in self._known else 0

    def legal_moves(self, position: str) -> list[str]:
        """Return the recorded moves; none after one was made."""
        return list(self._known[position].legal_moves) if position in self._known else []

    def play(self, position: str, move: str) -> str:
        """Return a position that is over."""
        return f"{position} {move}"

    def result(self, position: str) -> str:
        """Return "*"."""
        return "*"
