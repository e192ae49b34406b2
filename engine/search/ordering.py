# SPDX-License-Identifier: GPL-3.0-or-later
"""Move ordering: which legal move is tried first.

Every move gets one number, the larger the earlier; its lowest 16 bits tell moves of equal merit apart by their place in
the list of legal moves. On the principal variation the table's move is the first. Elsewhere come the two killers,
the moves that last refuted a position at this ply, and then the others by their history: how often they refuted a
position, weighed by depth, less what they lost by failing where another move refuted. What a move wins at once and
being the table's move add to that.

The table's move is not simply the first because proofs share more positions, and so are smaller, when the same move
refutes many: a move that a shallower search left in the table knows only its own position.
"""

from engine.buffers import borrowed
from engine.game import State, gain, slot
from engine.kernel import compiled
from engine.search.memory import FIRST_KILLER, SECOND_KILLER, SWITCHES, Memory
from engine.search.switches import ORDERING, Switch

GAINS, KILLERS, HISTORY = int(Switch.GAINS), int(Switch.KILLERS), int(Switch.HISTORY)
ORDER = int(ORDERING | Switch.TABLE_MOVE)

PLACES = 0xFFFF
FIRST, KILLER, OTHER_KILLER = 1 << 42, 1 << 40, 1 << 39
BOUND = 1 << 36
"""No history counts for more."""

PENALTY = 4
"""How much more a move loses by failing than it gains by refuting."""

TRUST = 16
"""How many refutations the table's knowledge of a move is worth."""


@compiled
def rate(
    state: State, seat: int, ply: int, row: int, depth: int, count: int, known: int, principal: bool, memory: Memory
) -> None:
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
            merit += FIRST if principal else TRUST * depth * depth
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
