# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow rules of Go over dictionaries, written from the text of Tromp and Taylor: an oracle for the compiled kernels."""

from collections.abc import Iterator
from typing import NamedTuple

Point = tuple[int, int]
"""Column and row from the lower left, from 0."""

PASS: Point | None = None


class Board(NamedTuple):
    """The side of the board, and the seats of its stones by point."""

    side: int
    stones: dict[Point, int]

    def beside(self, point: Point) -> Iterator[Point]:
        """Yield the neighbours of a point."""
        column, row = point
        for each in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            if all(0 <= place < self.side for place in each):
                yield each

    def connected(self, point: Point) -> tuple[set[Point], set[int | None]]:
        """Return the points of the same kind that are connected to a point, and what borders on them."""
        kind, found, border = self.stones.get(point), {point}, set[int | None]()
        waiting = [point]
        while waiting:
            for each in self.beside(waiting.pop()):
                if self.stones.get(each) != kind:
                    border.add(self.stones.get(each))
                elif each not in found:
                    found.add(each)
                    waiting.append(each)
        return found, border

    def after(self, seat: int, point: Point) -> "Board | None":
        """Return the board after a stone was placed on an empty point; None for suicide."""
        placed = Board(self.side, {**self.stones, point: seat})
        for each in placed.beside(point):
            if placed.stones.get(each) == 1 - seat:
                chain, border = placed.connected(each)
                if None not in border:
                    for stone in chain:
                        del placed.stones[stone]
        _, border = placed.connected(point)
        return placed if None in border else None

    def moves(self, seat: int, earlier: "list[Board]") -> dict[Point, "Board"]:
        """Return the points where a seat may play, with the boards after it; none of ``earlier`` is repeated."""
        points = [(column, row) for row in range(self.side) for column in range(self.side)]
        placed = {point: self.after(seat, point) for point in points if point not in self.stones}
        return {point: board for point, board in placed.items() if board is not None and board not in earlier}

    def lead(self) -> int:
        """Return the area of seat 0 minus that of seat 1."""
        counted = [0, 0]
        for column in range(self.side):
            for row in range(self.side):
                kind = self.stones.get((column, row))
                borders = {kind} if kind is not None else self.connected((column, row))[1]
                if len(borders) == 1:
                    counted[borders.pop() or 0] += 1
        return counted[0] - counted[1]
