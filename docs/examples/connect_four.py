# SPDX-License-Identifier: GPL-3.0-or-later
"""Connect Four: two boards of bits, the mover's first.

A column takes seven bits, the lowest square first; its seventh is always empty, so that no line runs from one column
into the next. Four in a row then are four bits at equal distances of 1 (a column), 7 (a row), 6 or 8 (the diagonals).
"""

import re
from typing import NamedTuple

import numpy as np

from engine.bits import popcount
from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, Moves, OpeningRule, State, features, irreversible, legal_moves, outcome, step, to_move
from engine.kernel import implements, inlined
from engine.time_control import TimeControl

ROWS, COLUMNS, HEIGHT = 6, 7, 7
COLUMN = (1 << ROWS) - 1
BOARD = sum(COLUMN << HEIGHT * column for column in range(COLUMNS))
DIRECTIONS = (1, 6, 7, 8)


class ConnectFour(NamedTuple):
    """Black, who moves first, is to move when both have as many discs."""

    own: int
    other: int


# ---------------------------------------------------------------- rules


@implements(to_move, ConnectFour)
def _to_move(state: State) -> int:
    return popcount(np.uint64(state.own | state.other)) & 1


@implements(legal_moves, ConnectFour)
def _legal_moves(state: State, out: Moves) -> int:
    count = 0
    for column in range(COLUMNS):
        if not (state.own | state.other) >> HEIGHT * column + ROWS - 1 & 1:
            out[count] = column
            count += 1
    return count


@implements(step, ConnectFour)
def _step(state: State, move: int) -> ConnectFour:
    """Adding one to a column sets its lowest empty square."""
    taken = state.own | state.other
    return ConnectFour(state.other, (taken + (1 << HEIGHT * move) | taken) ^ state.other)


@inlined
def fours(board: int) -> int:
    """Return how many lines of four lie within a board."""
    count = 0
    for way in DIRECTIONS:
        pairs = board & board >> way
        count += popcount(np.uint64(pairs & pairs >> 2 * way))
    return count


@implements(outcome, ConnectFour)
def _outcome(state: State) -> tuple[bool, float, float]:
    if fours(state.other):
        winner = 1.0 if popcount(np.uint64(state.own | state.other)) & 1 else -1.0
        return True, winner, -winner
    return state.own | state.other == BOARD, 0.0, 0.0


@implements(irreversible, ConnectFour)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(features, ConnectFour)
def _features(state: State) -> tuple[int]:
    """Lines of four still open to the mover less those open to the other."""
    return (fours(BOARD & ~state.other) - fours(BOARD & ~state.own),)


# ---------------------------------------------------------------- as people write it

_POSITION = re.compile(r"[.bw]{7}(/[.bw]{7}){5}")


def _bit(place: int) -> int:
    """Return the bit of a place in the diagram, whose top row comes first."""
    row, column = divmod(place, COLUMNS)
    return HEIGHT * column + ROWS - 1 - row


def _parse_position(text: str) -> ConnectFour:
    text = text.strip().lower()
    if not _POSITION.fullmatch(text):
        raise ValueError(
            f"{text[:80]!r} is no position; write six rows from the top, like ...b... with slashes between"
        )
    cells = text.replace("/", "")
    black, white = (sum(1 << _bit(place) for place in range(42) if cells[place] == colour) for colour in "bw")
    if (black | white) & ~((black | white) << 1 | BOARD // COLUMN):
        raise ValueError("a disc hangs in the air")
    surplus = black.bit_count() - white.bit_count()
    if surplus not in (0, 1):
        raise ValueError("black moves first, so there are as many black discs as white ones or one more")
    return ConnectFour(white, black) if surplus else ConnectFour(black, white)


def _diagram(state: State) -> str:
    own, other = "bw" if (state.own | state.other).bit_count() % 2 == 0 else "wb"
    bits = map(_bit, range(ROWS * COLUMNS))
    return "".join(own if state.own >> bit & 1 else other if state.other >> bit & 1 else "." for bit in bits)


def _format_position(state: State) -> str:
    cells = _diagram(state)
    return "/".join(cells[begin : begin + COLUMNS] for begin in range(0, len(cells), COLUMNS))


def _squares(state: State, move: int) -> tuple[int, ...]:
    """Return where the disc falls."""
    discs = ((state.own | state.other) >> HEIGHT * move & COLUMN).bit_count()
    return ((ROWS - 1 - discs) * COLUMNS + move,)


GAMES = [
    Game(
        name="connect-four",
        title="Connect Four",
        state=ConnectFour,
        start=lambda: ConnectFour(0, 0),
        parse_position=_parse_position,
        format_position=_format_position,
        format_move=lambda state, move: "abcdefg"[move],
        diagram=_diagram,
        squares=_squares,
        board=Board(
            ROWS,
            COLUMNS,
            "grid",
            {"b": Piece("black disc", "disc", 0), "w": Piece("white disc", "disc", 1)},
            ("",) * 35 + tuple("abcdefg"),
        ),
        width=COLUMNS,
        evaluations={"open-fours": Evaluation("open-fours", (1,), "lines of four still open, own minus other's")},
        time_control=TimeControl(30_000, 300),
        seats=("Black", "White"),
        opening=OpeningRule(plies=2),
        description="Drop discs into columns; four in a row win.",
        read_move=lambda state, text: text.strip().lower(),
    )
]
