# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiescence search: a position is only scored by its features when no move wins anything at once."""

from typing import Any

from engine.buffers import borrowed
from engine.game import State, gain, legal_moves, outcome, step, to_move
from engine.kernel import compiled
from engine.search.leaf import final_value, static_value
from engine.search.limits import given_up
from engine.search.memory import ABORTED, HORIZON, PLIES, SWITCHES, Memory
from engine.search.ordering import PLACES, next_index
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN

CUTS = int(Switch.CUTS)


@compiled
def quiesce(state: State, alpha: int, beta: int, ply: int, memory: Memory) -> Any:
    """Return v as alphabeta.search does.

    The seat to move may stand on the features' score, unless every legal move wins something at once: such moves may be
    compulsory. The move that wins most is tried first.
    """
    memory = borrowed(memory)
    control = memory.control
    memory.line[ply, ply] = -1
    if given_up(control, 1):
        return 0
    over, first, second = outcome(state)
    seat = to_move(state)
    if over:
        return final_value(second if seat else first, 0, memory)
    control[HORIZON] = 1
    stand = static_value(state, memory)
    if ply >= PLIES - 2:
        return stand
    moves = memory.moves[ply]
    count = legal_moves(state, moves)
    order = memory.order[ply]
    tactical = 0
    for i in range(count):
        won = gain(state, moves[i])
        if won > 0:
            order[tactical] = won << 16 | (PLACES - i)
            tactical += 1
    best = -UNKNOWN if tactical == count else stand
    for i in range(tactical):
        bar = max(alpha, best) if control[SWITCHES] & CUTS else alpha
        if bar >= beta:
            break
        child = step(state, moves[next_index(ply, i, tactical, memory)])
        same = to_move(child) == seat
        value = quiesce(child, bar if same else -beta, beta if same else -bar, ply + 1, memory)
        if control[ABORTED]:
            return 0
        best = max(best, value if same else -value)
    return best
