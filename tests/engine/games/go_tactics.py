# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow tactics of Go: liberties, captures, ladders and shapes of eyes. An oracle for those of tree search."""

from collections.abc import Iterable

from engine.game import Game, State
from engine.games.go.board import unpack
from tests.engine.games.go_oracle import Board, Point

AREAS = ("ooo", "oo/o", "ooo/-o", "-o/ooo/-o", "oo/ooo", "oo/ooo/-o")
"""Areas that make one eye only if the other side plays at the point with the most neighbours."""


def read(game: Game, state: State) -> tuple[Board, int, Point | None]:
    """The slow board of a state, the seat to move, and the point of the ko."""
    black, white, seat, _, ko = unpack(state)
    side = game.board.rows
    points = {(column, row): (side + 1) * row + column for row in range(side) for column in range(side)}
    stones = {point: white >> bit & 1 for point, bit in points.items() if (black | white) >> bit & 1}
    return Board(side, stones), seat, next((point for point, bit in points.items() if bit == ko - 1), None)


def placed(board: Board, point: Point, seat: int) -> Board:
    """The board with a stone more; nothing is captured."""
    return Board(board.side, {**board.stones, point: seat})


def liberties(board: Board, point: Point) -> set[Point]:
    chain, _ = board.connected(point)
    return {each for stone in chain for each in board.beside(stone) if each not in board.stones}


def capturing(board: Board, points: Iterable[Point]) -> set[Point]:
    """The points where chains are captured that have only one liberty."""
    return {each for point in points if len(found := liberties(board, point)) == 1 for each in found}


def beside(board: Board, point: Point) -> set[Point]:
    """The stones of the other side beside a chain."""
    chain, _ = board.connected(point)
    other = 1 - board.stones[point]
    return {each for stone in chain for each in board.beside(stone) if board.stones.get(each) == other}


def caught(board: Board, point: Point) -> bool:
    """Whether a chain with one liberty, whose side is to move, cannot escape from a ladder."""
    seat = board.stones[point]
    if capturing(board, beside(board, point)):
        return False
    (last,) = liberties(board, point)
    board = placed(board, last, seat)
    left = liberties(board, point)
    return len(left) < 2 or (len(left) == 2 and bool(snares(board, point)))


def snares(board: Board, point: Point) -> set[Point]:
    """The points at which the other side catches a chain with two liberties in a ladder."""
    left, other = liberties(board, point), 1 - board.stones[point]
    if len(left) != 2:
        return set()
    tried = {each: placed(board, each, other) for each in left}
    return {each for each, after in tried.items() if liberties(after, each) and caught(after, point)}


def saving(board: Board, point: Point) -> set[Point]:
    """The points that save a chain from capture."""
    if len(left := liberties(board, point)) != 1:
        return set()
    captures = capturing(board, beside(board, point))
    (last,) = left
    extended = len(liberties(placed(board, last, board.stones[point]), last)) > 1
    return captures | (left if extended and (captures or not caught(board, point)) else set())


def _origin(area: Iterable[Point]) -> frozenset[Point]:
    """An area moved to the lower left."""
    points = set(area)
    left, low = (min(point[axis] for point in points) for axis in (0, 1))
    return frozenset((column - left, row - low) for column, row in points)


def _turned() -> Iterable[frozenset[Point]]:
    for rows in AREAS:
        points = [(x, y) for y, row in enumerate(rows.split("/")) for x, sign in enumerate(row) if sign == "o"]
        for across, up in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            yield _origin((across * x, up * y) for x, y in points)
            yield _origin((up * y, across * x) for x, y in points)


SHAPES = set(_turned())


def vital(area: set[Point]) -> set[Point]:
    """The vital point of an area that makes one eye only; nothing for other areas."""
    if not area or _origin(area) not in SHAPES:
        return set()
    counts = {(x, y): sum(abs(x - a) + abs(y - b) == 1 for a, b in area) for x, y in area}
    return {point for point, count in counts.items() if count == max(counts.values())}


def kills(chain: set[Point]) -> bool:
    """Whether an eye in place of a chain could not become two."""
    square = _origin(chain) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    return len(chain) < 4 or square or bool(vital(chain))
