# SPDX-License-Identifier: GPL-3.0-or-later
"""What positions are worth in a steered search, and how programs see that."""

from typing import Any

import numpy as np

from bots.evolution.steered.desk import MAN, TERMS, WIN, Desk
from engine.buffers import borrowed
from engine.game import State, outcome, score, to_move
from engine.kernel import compiled, inlined

BEYOND = 2**62
"""What no value reaches."""
FAR = 100.0
"""Windows are seen by programs as no wider than so many men."""


@inlined
def worth(payoff: float, ply: int, desk: Desk) -> Any:
    """Return what a finished game is worth to a seat with this pay-off: the more, the sooner it is won."""
    return np.int64(np.rint(payoff * (desk.control[WIN] - ply)))


@compiled
def ended_value(state: State, ply: int, loan: Desk) -> Any:
    """Return what a state that is over is worth to the seat to move."""
    desk = borrowed(loan)
    _, first, second = outcome(state)
    return worth(second if to_move(state) else first, ply, desk)


@inlined
def static(state: State, desk: Desk) -> Any:
    """Return what features say, seen by the seat to move."""
    return np.int64(score(state, desk.control[TERMS], desk.weights))


@inlined
def in_men(value: Any, desk: Desk) -> Any:
    """Return a value in men, FAR at most."""
    return min(max(value / desk.control[MAN], -FAR), FAR)
