# SPDX-License-Identifier: GPL-3.0-or-later
"""Move ordering: which legal move is tried first.

Every move gets one number, the larger the earlier; its lowest 16 bits tell moves of equal merit apart by their place in the rules' list.
From the top: the table's move, moves that win something at once, killers, the reply that refuted this previous move before, then by history.
"""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State, gain, slot
from engine.kernel import compiled
from engine.search.memory import FIRST_KILLER, PAIRS, SECOND_KILLER, SLOT, SWITCHES, Memory
from engine.search.switches import Switch

GAINS, KILLERS, HISTORY, REPLIES, ORDER = (
    int(Switch.GAINS),
    int(Switch.KILLERS),
    int(Switch.HISTORY),
    int(Switch.REPLIES),
    int(Switch.GAINS | Switch.KILLERS | Switch.HISTORY | Switch.REPLIES | Switch.TABLE_MOVE),
)

PLACES = 0xFFFF
CEILING = 1 << 24
"""History is halved when it exceeds this."""


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, first: int, memory: Memory) -> None:
    """Give each of the ``count`` moves at ``ply`` its number; ``first`` is the index of the table's move, or -1."""
    memory = borrowed(memory)
    switches = memory.control[SWITCHES]
    for i in range(count):
        move = memory.moves[ply, i]
        place = slot(state, move)
        memory.slots[ply, i] = place
        won = gain(state, move) if switches & GAINS else 0
        merit = (1 << 40) + won if won > 0 else standing(seat, row, place, memory)
        if i == first:
            merit = 1 << 45
        memory.order[ply, i] = merit << 16 | (PLACES - i)


@compiled
def standing(seat: int, row: int, place: int, memory: Memory) -> Any:
    """Return how well a quiet move did elsewhere."""
    switches = memory.control[SWITCHES]
    before = memory.path[row, SLOT]
    if switches & KILLERS:
        if memory.path[row, FIRST_KILLER] == place:
            return 1 << 39
        if memory.path[row, SECOND_KILLER] == place:
            return 1 << 38
    if switches & REPLIES and memory.replies[seat, before] == place:
        return 1 << 37
    merit = np.int64(0)
    if switches & HISTORY:
        merit += memory.history[seat, place]
    if switches & REPLIES:
        merit += memory.pairs[pair(seat, before, place)]
    return merit


@compiled
def pair(seat: int, before: int, place: int) -> int:
    """Return where the history of a move after another is kept."""
    mixed = np.uint64((before * 2 + seat) * 4096 + place) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(48))


@compiled
def next_index(ply: int, i: int, count: int, memory: Memory) -> int:
    """Bring the best move not yet tried to place ``i`` of the order and return its index in the list of moves."""
    order = borrowed(memory).order[ply]
    best = i
    for j in range(i + 1, count):
        if order[j] > order[best]:
            best = j
    order[i], order[best] = order[best], order[i]
    return PLACES - (order[i] & PLACES)


@compiled
def reward(seat: int, ply: int, row: int, i: int, depth: int, memory: Memory) -> None:
    """Remember that the move at place ``i`` of the order refuted the position, and that those before it did not."""
    memory = borrowed(memory)
    place = memory.slots[ply, PLACES - (memory.order[ply, i] & PLACES)]
    before = memory.path[row, SLOT]
    if memory.path[row, FIRST_KILLER] != place:
        memory.path[row, SECOND_KILLER] = memory.path[row, FIRST_KILLER]
        memory.path[row, FIRST_KILLER] = place
    memory.replies[seat, before] = place
    bonus = depth * depth
    memory.history[seat, place] += bonus
    memory.pairs[pair(seat, before, place)] += bonus
    for j in range(i):
        other = memory.slots[ply, PLACES - (memory.order[ply, j] & PLACES)]
        memory.history[seat, other] -= bonus
        memory.pairs[pair(seat, before, other)] -= bonus
