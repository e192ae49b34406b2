# SPDX-License-Identifier: GPL-3.0-or-later
"""The board of backgammon, seen by seat 0: the upper row has points 13 to 24, the lower row 12 to 1.

Each row is cut in two by the bar, and ends with a tray for the men that are borne off.
"""

from engine.decision import Decision, End
from engine.drawing import Aside, Board, Piece
from engine.games.backgammon.board import (
    BAR,
    DROPPED,
    MEN,
    OFF,
    Backgammon,
    cube_owner,
    cube_value,
    phase_of,
    sides,
)
from engine.games.backgammon.rules import TEN
from engine.games.backgammon.steps import LOWER_FIRST, SOURCE, WIDTH

COLUMNS = 14
MIDDLE, TRAY = 6, 13
"""Columns of the bar and of the trays."""
UPPER, LOWER = 0, COLUMNS
"""First squares of the rows."""

LETTERS = ("ABCDEFGHIJKLMNO", "abcdefghijklmno")
"""Letters of 1 to 15 men of each seat."""


def square_of(seat: int, point: int) -> int:
    """Return the square of a point in the view of a seat; points 25 and 0 are the bar and the tray."""
    if point == BAR:
        return (LOWER if seat else UPPER) + MIDDLE
    if point == OFF:
        return (UPPER if seat else LOWER) + TRAY
    seen = BAR - point if seat else point
    column = (seen - 13 if seen > 12 else 12 - seen) % 12
    return (UPPER if seen > 12 else LOWER) + column + (column >= MIDDLE)


def diagram(state: Backgammon) -> str:
    """Draw a state."""
    squares = ["."] * 2 * COLUMNS
    for seat, men in enumerate(sides(state)):
        for point, count in enumerate(men):
            if count:
                squares[square_of(seat, point)] = LETTERS[seat][count - 1]
    return "".join(squares)


def steps_of(state: Backgammon, move: int) -> list[tuple[int, int]]:
    """Return the steps of a turn in order, as points from and to in the view of the seat on roll."""
    dice = divmod(state.roll, TEN)
    if move & LOWER_FIRST:
        dice = dice[::-1]
    found = []
    for index in range(4):
        source = move >> WIDTH * index & SOURCE
        if source:
            found.append((source, max(source - dice[min(index, 1)], OFF)))
    return found


def squares(state: Backgammon, move: int) -> tuple[int, ...]:
    """Return the squares of the steps, alternately from and to; none for a roll, a pass or a move of the cube."""
    return tuple(square_of(state.seat, point) for step in steps_of(state, move) for point in step) if state.roll else ()


def aside(state: Backgammon) -> Aside:
    """Return the pips of both sides, the dice of the roll, and the cube."""
    first, second = (sum(point * count for point, count in enumerate(men)) for men in sides(state))
    return Aside(
        counts=(first, second),
        dice=divmod(state.roll, TEN) if state.roll else (),
        roller=state.seat if state.roll else 0,
        cube=cube_value(state.cube) if state.cube else 0,
        owner=cube_owner(state.cube) if state.cube else None,
    )


GAMMON, BACKGAMMON, SINGLE = "with a gammon", "with a backgammon", "by bearing off all men"
DROP = "because the opponent dropped the double"


def decide(end: End) -> Decision:
    """Return the kind of win."""
    if phase_of(end.state.cube) == DROPPED:
        return Decision(DROP)
    return Decision({2: GAMMON, 3: BACKGAMMON}.get(int(end.points) // cube_value(end.state.cube), SINGLE))


BOARD = Board(
    2,
    COLUMNS,
    "points",
    {
        letter: Piece(f"{tone} man", "man", seat, count=count)
        for seat, tone in enumerate(("dark", "light"))
        for count, letter in enumerate(LETTERS[seat][:MEN], 1)
    },
    counted="pips",
)
