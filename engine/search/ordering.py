# SPDX-License-Identifier: GPL-3.0-or-later
"""Move ordering: which legal move is tried first.

Every move gets one number, the larger the earlier; its lowest 16 bits tell moves of equal merit apart by their place in
the list of legal moves. On the principal variation the table's move is first. Elsewhere the order is: the two killers,
which are the moves that last refuted a position at this ply; the table's move; the others by their history, which is
how often they refuted a position, weighed by depth, less what they lost by failing where another move refuted.

Killers go before the table's move, and what a move wins at once only adds to its history, because proofs share more
positions, and so are smaller, when the same moves refute many of them: what a shallower search left in the table suits
its own position only.
"""

from engine.buffers import borrowed
from engine.game import State, gain, slot
from engine.kernel import compiled
from engine.search.memory import FIRST_KILLER, SECOND_KILLER, SWITCHES, Memory
from engine.search.switches import ORDERING, Switch

GAINS, KILLERS, HISTORY = int(Switch.GAINS), int(Switch.KILLERS), int(Switch.HISTORY)
ORDER = int(ORDERING | Switch.TABLE_MOVE)

PLACES = 0xFFFF
FIRST, KILLER, OTHER_KILLER, TABLES = 1 << 42, 1 << 40, 1 << 39, 1 << 38
BOUND = 1 << 36
"""No history counts for more."""

PENALTY = 4
"""How much more a move loses by failing than it gains by refuting."""


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, known: int, principal: bool, memory: Memory) -> None:
    """Give each of the ``count`` moves at ``ply`` its number.

    ``known`` is the index of the table's move, or -1; ``principal`` tells that the window is open.
    """
    memory = borrowed(memory)
    switches = memory.control[SWITCHES]
    for i in range(count):
        move = memory.moves[ply, i]
        place = slot(state, move)
        memory.slots[ply, i] = place
        merit = 0
        if switches & HISTORY:
            merit += memory.history[seat, place]
        if switches & KILLERS:
            if memory.path[row, FIRST_KILLER] == place:
                merit = KILLER
            elif memory.path[row, SECOND_KILLER] == place:
                merit = OTHER_KILLER
        if switches & GAINS:
            merit += gain(state, move)
        if i == known:
            merit = FIRST if principal else max(merit, TABLES)
        memory.order[ply, i] = merit << 16 | (PLACES - i)


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
    refutation = slot_at(ply, i, memory)
    if memory.path[row, FIRST_KILLER] != refutation:
        memory.path[row, SECOND_KILLER] = memory.path[row, FIRST_KILLER]
        memory.path[row, FIRST_KILLER] = refutation
    for j in range(i + 1):
        place = slot_at(ply, j, memory)
        credit = depth * depth if j == i else -PENALTY * depth * depth
        memory.history[seat, place] = min(max(memory.history[seat, place] + credit, -BOUND), BOUND)


@compiled
def slot_at(ply: int, i: int, memory: Memory) -> int:
    """Return the history slot of the move at place ``i`` of the order."""
    return memory.slots[ply, PLACES - (memory.order[ply, i] & PLACES)]
