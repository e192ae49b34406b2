# SPDX-License-Identifier: GPL-3.0-or-later
"""How the frame of play foresees a player's moves, by ``engine.search.foresight``."""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State
from engine.kernel import compiled, inlined
from engine.search.foresight import ANY, FACTS, WHOLE, recalled, tell
from engine.search.memory import KEY, SWITCHES, TOOK, Memory
from engine.search.play.entries import MARK
from engine.search.play.picking import BELIEVED, PLACES
from engine.search.switches import Switch

FIRST = int(Switch.BELIEVED_FIRST)


@compiled
def foresee(state: State, seat: int, ply: int, row: int, count: int, known: int, loan: Memory) -> None:
    """Write the belief in each of the ``count`` moves at ``ply``, and put what is believed in before most others.

    ``known``: the low bits of the table's move, or -1; that stays the first.
    """
    memory = borrowed(loan)
    foresight = memory.foresight
    moves, order, beliefs = memory.moves[ply], memory.order[ply], memory.beliefs[ply]
    mark = memory.path[row, KEY]
    if recalled(foresight.known, mark, ANY) >= 0:
        for i in range(count):
            beliefs[i] = max(recalled(foresight.known, mark, moves[i]), 0)
    else:
        facts = np.empty(FACTS)
        scores = np.empty(count)
        most = -np.inf
        for i in range(count):
            tell(state, moves[i], seat, memory.path[row, TOOK] != 0, moves[i] & MARK == known, foresight, facts)
            score = 0.0
            for fact in range(FACTS):
                score += facts[fact] * foresight.weights[fact]
            scores[i] = score
            most = max(most, score)
        total = 0.0
        for i in range(count):
            scores[i] = np.exp(scores[i] - most)
            total += scores[i]
        for i in range(count):
            beliefs[i] = np.int64(scores[i] / total * WHOLE)
    if foresight.awry[0] and count > 1:
        _turn(beliefs, count, 1 + np.int64(np.uint64(mark) % np.uint64(count - 1)))
    if memory.control[SWITCHES] & FIRST:
        for i in range(count):
            if beliefs[i] >= memory.margins.believed and moves[i] & MARK != known:
                order[i] = (BELIEVED + beliefs[i]) << 16 | (PLACES - i)


@compiled
def _turn(beliefs, count: int, places: int) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    """Give each belief to the move so many places further on."""
    before = beliefs[:count].copy()
    for i in range(count):
        beliefs[(i + places) % count] = before[i]


@inlined
def belief(ply: int, number: int, memory: Memory) -> Any:
    """Return the belief in the move of a number."""
    return memory.beliefs[ply, PLACES - (number & PLACES)]
