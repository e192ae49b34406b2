# SPDX-License-Identifier: GPL-3.0-or-later
"""A game small enough to reach every ending of a match: a move takes one or two pebbles, or passes.

Who takes the last pebble wins; taking two where one is left is a draw. A move is written "pass", "take 1" or "take 2".
"""

from typing import NamedTuple

from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, Moves, irreversible, legal_moves, outcome, step, to_move
from engine.kernel import implements
from engine.rules import Draws
from engine.time_control import TimeControl

TEXTS = ("pass", "take 1", "take 2")


class Pebbles(NamedTuple):
    """What is left, -1 once too many were taken, and the seat to move."""

    left: int
    turn: int


@implements(legal_moves, Pebbles)
def _legal_moves(state: Pebbles, out: Moves) -> int:
    for taken in range(3):
        out[taken] = taken
    return 3


@implements(step, Pebbles)
def _step(state: Pebbles, move: int) -> Pebbles:
    return Pebbles(state.left - move, 1 - state.turn)


@implements(to_move, Pebbles)
def _to_move(state: Pebbles) -> int:
    return state.turn


@implements(outcome, Pebbles)
def _outcome(state: Pebbles) -> tuple[bool, float, float]:
    first = 0.0 if state.left else (1.0 if state.turn == 1 else -1.0)
    return state.left <= 0, first, -first


@implements(irreversible, Pebbles)
def _irreversible(state: Pebbles, move: int) -> bool:
    return move > 0


def _parse(text: str) -> Pebbles:
    left, _, turn = text.partition(" ")
    if not (left.isdecimal() and int(left) > 0 and turn in ("0", "1")):
        raise ValueError(f"{text!r} is no heap of pebbles")
    return Pebbles(int(left), int(turn))


GAME = Game(
    name="pebbles",
    title="Pebbles",
    state=Pebbles,
    start=lambda: Pebbles(8, 0),
    parse_position=_parse,
    format_position=lambda state: f"{state.left} {state.turn}",
    format_move=lambda state, move: TEXTS[move],
    diagram=lambda state: ("o" * state.left).ljust(99, ".")[:99],
    squares=lambda state, move: (),
    board=Board(1, 99, "heaps", {"o": Piece("pebble", "token", None)}),
    width=3,
    evaluations={"none": Evaluation("none", (0,))},
    time_control=TimeControl(60_000),
    draws=Draws(repetition=3, no_progress_plies=12, plies=60),
    read_move=lambda state, text: text.strip().lower(),
)
