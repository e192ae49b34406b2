# SPDX-License-Identifier: GPL-3.0-or-later
"""Tic-tac-toe: two boards of nine bits, the mover's first; bit 0 is the top left square, bit 8 the bottom right."""

import re
from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import popcount
from engine.decision import endings_by_lines
from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, Moves, State, features, irreversible, legal_moves, outcome, step, to_move
from engine.hints.alphabeta import slot
from engine.kernel import implements
from engine.rules import OpeningRule
from engine.time_control import TimeControl

FULL = 0o777
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class TicTacToe(NamedTuple):
    """The boards of the mover and of the other seat; X is to move if both have equally many marks."""

    own: int
    other: int


@implements(to_move, TicTacToe)
def _to_move(state: State) -> int:
    return popcount(np.uint64(state.own | state.other)) & 1


@implements(legal_moves, TicTacToe)
def _legal_moves(state: State, out: Moves) -> int:
    count = 0
    for square in range(9):
        if not (state.own | state.other) >> square & 1:
            out[count] = square
            count += 1
    return count


@implements(step, TicTacToe)
def _step(state: State, move: int) -> TicTacToe:
    return TicTacToe(state.other, state.own | 1 << move)


@implements(outcome, TicTacToe)
def _outcome(state: State) -> tuple[bool, float, float]:
    for line in LINES:
        if state.other & line == line:
            winner = 1.0 if popcount(np.uint64(state.own | state.other)) & 1 else -1.0
            return True, winner, -winner
    return state.own | state.other == FULL, 0.0, 0.0


@implements(irreversible, TicTacToe)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(slot, TicTacToe)
def _slot(state: State, move: int) -> int:
    return move


@implements(features, TicTacToe)
def _features(state: State) -> tuple[int]:
    """Open lines of the mover minus those of the other seat."""
    open_lines = 0
    for line in LINES:
        open_lines += (state.other & line == 0) - (state.own & line == 0)
    return (open_lines,)


# ---------------------------------------------------------------- notation

NAMES = tuple(f"{column}{row}" for row in (3, 2, 1) for column in "abc")
_POSITION = re.compile(r"[.xo]{3}/[.xo]{3}/[.xo]{3}")


def _parse_position(text: str) -> TicTacToe:
    text = text.strip().lower()
    if not _POSITION.fullmatch(text):
        raise ValueError(f"{text[:80]!r} is not a position; write the rows from the top, like x.o/.x./..o")
    cells = text.replace("/", "")
    crosses, noughts = (sum(1 << square for square in range(9) if cells[square] == mark) for mark in "xo")
    surplus = crosses.bit_count() - noughts.bit_count()
    if surplus not in (0, 1):
        raise ValueError("there must be as many x as o, or one x more, because x moves first")
    state = TicTacToe(noughts, crosses) if surplus else TicTacToe(crosses, noughts)
    if any(state.own & line == line for line in LINES):
        raise ValueError("the side to move has three in a row, so the game ended before its opponent's last move")
    return state


def _diagram(state: State) -> str:
    own, other = "xo" if (state.own | state.other).bit_count() % 2 == 0 else "ox"
    return "".join(
        own if state.own >> square & 1 else other if state.other >> square & 1 else "." for square in range(9)
    )


def _format_position(state: State) -> str:
    cells = _diagram(state)
    return "/".join((cells[:3], cells[3:6], cells[6:]))


BOARD = Board(3, 3, "grid", {"x": Piece("cross", "cross", 0), "o": Piece("nought", "nought", 1)})

GAMES = [
    Game(
        name="tictactoe",
        title="Tic-tac-toe",
        state=TicTacToe,
        start=lambda: TicTacToe(0, 0),
        parse_position=_parse_position,
        format_position=_format_position,
        format_move=lambda state, move: NAMES[move],
        diagram=_diagram,
        squares=lambda state, move: (move,),
        board=BOARD,
        width=9,
        evaluations={
            "open-lines": Evaluation(
                "open-lines", (1,), "open rows, columns and diagonals of a side minus the opponent's"
            )
        },
        time_control=TimeControl(10_000, 100),
        seats=("X", "O"),
        opening=OpeningRule(plies=1),
        description="Three in a row wins.",
        rules="X and O take turns, X first. A move puts the player's mark on an empty square of the 3 × 3 board.\n\n"
        "The first player with three marks in a row, column or diagonal wins. If the board is full and nobody has won, "
        "the game is a draw.",
        link="https://en.wikipedia.org/wiki/Tic-tac-toe",
        read_move=lambda state, text: text.strip().lower(),
        endings=endings_by_lines(BOARD, _diagram, 3, "three in a row"),
        scale=0.4,
    )
]
