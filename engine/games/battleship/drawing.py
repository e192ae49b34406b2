# SPDX-License-Identifier: GPL-3.0-or-later
"""How Battleship is drawn: the sea of seat 0 and, behind a gap of one column, that of seat 1."""

from collections.abc import Sequence

from engine.decision import Decision, End, Endings
from engine.drawing import Aside, Board, Piece, Shape
from engine.game import State
from engine.games.battleship.board import LENGTHS, SHIPS, SIDE, SQUARES
from engine.games.battleship.notation import View, cells_of, fleet_of, next_ship, shots_of, view_of, write_square

COLUMNS = 2 * SIDE + 1

WHOLE: tuple[Shape, ...] = ("ship left", "ship across", "ship right", "ship top", "ship down", "ship bottom")
HIT: tuple[Shape, ...] = (
    "hit ship left",
    "hit ship across",
    "hit ship right",
    "hit ship top",
    "hit ship down",
    "hit ship bottom",
)
WRECK: tuple[Shape, ...] = ("wreck left", "wreck across", "wreck right", "wreck top", "wreck down", "wreck bottom")
"""The parts of a ship: the ends and the middle of a row, and of a column."""

LETTERS = ("ABCDEFGHIJKLMNOPQR", "abcdefghijklmnopqr")
"""The letters of the shapes above, for the ships of each seat."""
MISS, BLAST, SINKING = "*", "x", "#"

_NAMES = ("square of a ship", "hit square of a ship", "square of a sunk ship")


def _pieces() -> dict[str, Piece]:
    pieces = {
        letter: Piece(_NAMES[index // len(WHOLE)], shape, seat)
        for seat in (0, 1)
        for index, (letter, shape) in enumerate(zip(LETTERS[seat], (*WHOLE, *HIT, *WRECK), strict=True))
    }
    return pieces | {
        MISS: Piece("miss", "splash", None),
        BLAST: Piece("hit", "blast", None),
        SINKING: Piece("hit that sank a ship", "sinking", None),
    }


def _labels() -> tuple[str, ...]:
    """Return the letters of the columns and the numbers of the rows at the edges of both seas; a corner has both."""
    labels = []
    for row in range(SIDE):
        for column in range(COLUMNS):
            name = "" if column == SIDE else write_square(row * SIDE + column % (SIDE + 1))
            labels.append(name[:1] * (row == 0) + name[1:] * (column % (SIDE + 1) == 0))
    return tuple(labels)


BOARD = Board(SIDE, COLUMNS, "seas", _pieces(), _labels(), counted="hits")


def place_of(owner: int, square: int) -> int:
    """Return the square of the diagram, for a square of a seat's sea."""
    row, column = divmod(square, SIDE)
    return row * COLUMNS + column + owner * (SIDE + 1)


def _parts(placement: int, length: int) -> Sequence[int]:
    """Return the number of the part of each square of a ship."""
    first = len(WHOLE) // 2 if placement >= SQUARES else 0
    return [first, *[first + 1] * (length - 2), first + 2]


def draw(view: View) -> str:
    """Return the diagram of a view."""
    cells = ["."] * (SIDE * COLUMNS)
    for owner in (0, 1):
        fleet, shots = view.fleets[owner], view.shots[1 - owner]
        for square in shots.misses:
            cells[place_of(owner, square)] = MISS
        for number, square in enumerate(shots.hits, 1):
            cells[place_of(owner, square)] = SINKING if number in shots.sunk else BLAST
        for placement, length in zip(fleet or (), LENGTHS, strict=False):
            squares = cells_of(placement, length)
            sunk = all(square in shots.hits for square in squares)
            for square, part in zip(squares, _parts(placement, length), strict=True):
                kind = 2 if sunk else int(square in shots.hits)
                cells[place_of(owner, square)] = LETTERS[owner][kind * len(WHOLE) + part]
    return "".join(cells)


def diagram(state: State) -> str:
    """Return the diagram of a state, with both fleets."""
    return draw(view_of(state, None, opened=True))


def squares(state: State, move: int) -> tuple[int, ...]:
    """Return the squares that a ship takes, or the one of a shot."""
    ship = next_ship(state)
    if ship < SHIPS:
        owner = 0 if len(fleet_of(state, 0)) == ship else 1
        return tuple(place_of(owner, square) for square in cells_of(move, LENGTHS[ship]))
    first, second = (len(shots_of(state, seat).squares) for seat in (0, 1))
    return (place_of(1 if first == second else 0, move),)


def aside(state: State) -> Aside:
    """Return the numbers of hits."""
    first, second = (float(len(shots_of(state, seat).hits)) for seat in (0, 1))
    return Aside((first, second))


SUNK = "with {0} shots"


def _decide(end: End) -> Decision:
    """Tell the number of the winner's shots."""
    assert end.winner is not None, "a game of Battleship has a winner"
    return Decision(SUNK, (len(shots_of(end.state, end.winner).squares),))


ENDINGS = Endings(_decide, (SUNK,), "fleet sunk")
