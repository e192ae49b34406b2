# SPDX-License-Identifier: GPL-3.0-or-later
"""Pig, a dice game with known optimal play: a player who holds keeps the turn's points; a roll of 1 loses them.

The first player with 100 points wins (T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, 2004). Here
the same seat moves before and after a roll, and positions can occur again.
"""

from typing import NamedTuple

from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import CHANCE, Game, Moves, State, features, legal_moves, outcome, step, to_move
from engine.kernel import implements
from engine.time_control import TimeControl

GOAL = 100
ROLL, HOLD = 0, 1


class Pig(NamedTuple):
    """The points of both seats, what the turn brought, whose it is, and whether the die rolls."""

    first: int
    second: int
    turn: int
    seat: int
    rolling: int


@implements(to_move, Pig)
def _to_move(state: State) -> int:
    return CHANCE if state.rolling else state.seat


@implements(legal_moves, Pig)
def _legal_moves(state: State, out: Moves) -> int:
    if state.rolling:
        for face in range(6):
            out[face] = face + 1
        return 6
    out[0], out[1] = ROLL, HOLD
    return 2 if state.turn else 1


@implements(step, Pig)
def _step(state: State, move: int) -> Pig:
    first, second, turn, seat, rolling = state
    if rolling and move > 1:
        return Pig(first, second, turn + move, seat, 0)
    if rolling:
        return Pig(first, second, 0, 1 - seat, 0)
    if move == ROLL:
        return Pig(first, second, turn, seat, 1)
    if seat:
        return Pig(first, second + turn, 0, 0, 0)
    return Pig(first + turn, second, 0, 1, 0)


@implements(outcome, Pig)
def _outcome(state: State) -> tuple[bool, float, float]:
    own = state.second if state.seat else state.first
    if own + state.turn < GOAL:
        return False, 0.0, 0.0
    return (True, -1.0, 1.0) if state.seat else (True, 1.0, -1.0)


@implements(features, Pig)
def _features(state: State) -> tuple[int]:
    """The points of who looks, the turn's included, less the other's; where the die rolls, seat 0 looks."""
    lead = state.first - state.second + (-state.turn if state.seat else state.turn)
    return (-lead if state.seat and not state.rolling else lead,)


GAME = Game(
    name="pig",
    title="Pig",
    state=Pig,
    start=lambda: Pig(0, 0, 0, 0, 0),
    parse_position=lambda text: Pig(*map(int, text.split())),
    format_position=lambda state: " ".join(map(str, state)),
    format_move=lambda state, move: str(move) if state.rolling else ("roll", "hold")[move],
    diagram=lambda state: "dl"[state.seat],
    squares=lambda state, move: (0,),
    board=Board(1, 1, "grid", {"d": Piece("dark", "disc", 0), "l": Piece("light", "disc", 1)}),
    width=6,
    evaluations={"points": Evaluation("points", (1,), "points, the turn's included", win=GOAL)},
    time_control=TimeControl(10_000),
    chance=True,
)
