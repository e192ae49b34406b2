# SPDX-License-Identifier: GPL-3.0-or-later
"""A game in which each seat moves twice in a row: count up by 1 to 3; the seat to move at GOAL or above has lost."""

from typing import NamedTuple

from engine.drawing import Board
from engine.evaluation import Evaluation
from engine.game import Game, Moves, features, legal_moves, outcome, step, to_move
from engine.kernel import implements
from engine.time_control import TimeControl

GOAL = 17


class Twice(NamedTuple):
    """How far it is counted, and how many moves were made."""

    total: int
    made: int


@implements(to_move, Twice)
def _to_move(state: Twice) -> int:
    return state.made // 2 & 1


@implements(legal_moves, Twice)
def _legal_moves(state: Twice, out: Moves) -> int:
    for move in range(3):
        out[move] = move
    return 3


@implements(step, Twice)
def _step(state: Twice, move: int) -> Twice:
    return Twice(state.total + move + 1, state.made + 1)


@implements(outcome, Twice)
def _outcome(state: Twice) -> tuple[bool, float, float]:
    first = 1.0 if state.made // 2 & 1 else -1.0
    return state.total >= GOAL, first, -first


@implements(features, Twice)
def _features(state: Twice) -> tuple[int]:
    """Something that knows no reason."""
    seen = (state.total * 7919 + state.made * 104729) % 23 - 11
    return (-seen if state.made // 2 & 1 else seen,)


GAME = Game(
    name="twice",
    title="Twice",
    state=Twice,
    start=lambda: Twice(0, 0),
    parse_position=lambda text: Twice(*map(int, text.split())),
    format_position=lambda state: f"{state.total} {state.made}",
    format_move=lambda state, move: f"+{move + 1}",
    diagram=lambda state: "." * GOAL,
    squares=lambda state, move: (),
    board=Board(1, GOAL, "heaps", {}),
    width=3,
    evaluations={"odd": Evaluation("odd", (10,))},
    time_control=TimeControl(1000),
)
