# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow, simple implementation of Othello on a board of any size, square by square, for comparison."""

from dataclasses import dataclass

Square = tuple[int, int]
"""Column and row, from 0 at the top left."""

DIRECTIONS = tuple((right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if (right, down) != (0, 0))


@dataclass(frozen=True)
class Oracle:
    """The colours of the discs, "X" or "O", by square, and the side to move."""

    size: int
    discs: dict[Square, str]
    mover: str

    @classmethod
    def read(cls, text: str) -> "Oracle":
        """Read a line of OBF."""
        board, mover = text.split()
        size = round(len(board) ** 0.5)
        discs = {(place % size, place // size): letter for place, letter in enumerate(board) if letter != "-"}
        return cls(size, discs, mover)

    def write(self) -> str:
        """Write a line of OBF."""
        squares = ((column, row) for row in range(self.size) for column in range(self.size))
        return "".join(self.discs.get(square, "-") for square in squares) + f" {self.mover}"

    @property
    def other(self) -> str:
        return "O" if self.mover == "X" else "X"

    def squares(self) -> list[Square]:
        return [(column, row) for row in range(self.size) for column in range(self.size)]

    def flipped(self, target: Square, mover: str) -> list[Square]:
        """Return the discs that a disc of ``mover`` on an empty square flips."""
        found = []
        for right, down in DIRECTIONS:
            line = []
            column, row = target[0] + right, target[1] + down
            while self.discs.get((column, row), mover) != mover:
                line.append((column, row))
                column, row = column + right, row + down
            if self.discs.get((column, row)) == mover:
                found += line
        return found

    def targets(self, mover: str) -> list[Square]:
        return [square for square in self.squares() if square not in self.discs and self.flipped(square, mover)]

    def moves(self) -> dict[str, "Oracle"]:
        """What each move, by its text, leads to; nothing at the end of the game."""
        found = {}
        for column, row in self.targets(self.mover):
            turned = dict.fromkeys([(column, row), *self.flipped((column, row), self.mover)], self.mover)
            found["abcdefgh"[column] + str(row + 1)] = Oracle(self.size, self.discs | turned, self.other)
        if not found and self.targets(self.other):
            found["pass"] = Oracle(self.size, self.discs, self.other)
        return found

    def lead(self) -> int:
        """Return the discs of black minus those of white."""
        colours = list(self.discs.values())
        return colours.count("X") - colours.count("O")
