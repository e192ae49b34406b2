# SPDX-License-Identifier: GPL-3.0-or-later
"""A game that forbids repetition: each seat moves its token on a ring of places.

The places of both tokens may not recur, whichever side is to move, as the stones in Go's positional superko.
"""

from typing import NamedTuple

import numpy as np

from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, Moves, features, legal_moves, outcome, repetition_key, step, to_move
from engine.kernel import implements
from engine.rules import FORBIDDEN, Draws
from engine.time_control import TimeControl

RING = 7
TEXTS = ("back", "on", "stay")


class Circling(NamedTuple):
    """The places of the tokens, the seat to move, and how often in a row a token stayed."""

    first: int
    second: int
    turn: int
    stayed: int


@implements(to_move, Circling)
def _to_move(state: Circling) -> int:
    return state.turn


@implements(legal_moves, Circling)
def _legal_moves(state: Circling, out: Moves) -> int:
    """A token does not enter the other's place; only from the places 2 and 3 it may stay."""
    own, other = (state.second, state.first) if state.turn else (state.first, state.second)
    count = 0
    if (own + RING - 1) % RING != other:
        out[count] = 0
        count += 1
    if (own + 1) % RING != other:
        out[count] = 1
        count += 1
    if own in (2, 3):
        out[count] = 2
        count += 1
    return count


@implements(step, Circling)
def _step(state: Circling, move: int) -> Circling:
    by = RING - 1 if move == 0 else move % 2
    first = state.first if state.turn else (state.first + by) % RING
    second = (state.second + by) % RING if state.turn else state.second
    return Circling(first, second, 1 - state.turn, state.stayed + 1 if move == 2 else 0)


@implements(outcome, Circling)
def _outcome(state: Circling) -> tuple[bool, float, float]:
    """Where the first token is on 5 and the second on 1 or 6, the seat that moved wins; two stays are a draw."""
    if state.stayed == 2:
        return True, 0.0, 0.0
    won = state.first == 5 and state.second in (1, 6)
    first = 1.0 if state.turn else -1.0
    return won, first if won else 0.0, -first if won else 0.0


@implements(repetition_key, Circling)
def _repetition_key(state: Circling) -> int:
    return np.uint64(state.first * RING + state.second + 1)  # type: ignore[return-value]  # an int of 64 bits


@implements(features, Circling)
def _features(state: Circling) -> tuple[int]:
    """Something that differs from place to place."""
    value = (5 * state.first + 3 * state.second) % 11
    return (-value if state.turn else value,)


def _parse(text: str) -> Circling:
    first, second, turn = map(int, text.split())
    return Circling(first, second, turn, 0)


GAME = Game(
    name="circling",
    title="Circling",
    state=Circling,
    start=lambda: Circling(0, 3, 0, 0),
    parse_position=_parse,
    format_position=lambda state: f"{state.first} {state.second} {state.turn}",
    format_move=lambda state, move: TEXTS[move],
    diagram=lambda state: "".join("x" if p == state.first else "o" if p == state.second else "." for p in range(RING)),
    squares=lambda state, move: (),
    board=Board(1, RING, "grid", {"x": Piece("first", "token", 0), "o": Piece("second", "token", 1)}),
    width=3,
    evaluations={"distance": Evaluation("distance", (1,), win=1000)},
    time_control=TimeControl(60_000),
    draws=Draws(repetition=FORBIDDEN),
)
