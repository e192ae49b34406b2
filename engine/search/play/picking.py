# SPDX-License-Identifier: GPL-3.0-or-later
"""Which move the frame of play tries next.

Every move gets one number, the larger the earlier; its lowest 16 bits tell its place in the list of legal moves. The
table's move comes first; then what is believed of a player who is foreseen, and what wins something, by its gain; the
two killers and the reply to the last move; the other quiet moves by how they did before; at last what loses by the
exchange. Histories are looked up, and exchanges weighed, only when the turn of such moves comes: most positions are
left before.
"""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import State, aim, exchange_reaches, gain, slot
from engine.kernel import compiled, inlined
from engine.search.memory import AIM, FIRST_KILLER, SECOND_KILLER, SLOT, SWITCHES, Memory
from engine.search.play.entries import MARK
from engine.search.switches import Switch

TACTICAL = int(Switch.GAINS | Switch.EXCHANGES)
EXCHANGES, KILLERS, HISTORY, REPLIES, FOLLOWUPS = (
    int(Switch.EXCHANGES),
    int(Switch.KILLERS),
    int(Switch.HISTORY),
    int(Switch.REPLIES),
    int(Switch.FOLLOWUPS),
)

PLACES = 0xFFFF
TABLES, BELIEVED, WINNING, KILLER, OTHER_KILLER, REPLY = 1 << 40, 1 << 38, 1 << 34, 1 << 30, 1 << 29, 1 << 28
LOSING = -(1 << 34)
UNRATED = -(1 << 24)
"""The merit of a quiet move whose history was not looked up yet; less than any that was, more than what loses."""
TRIED = -(1 << 62)

MOST = 16384
"""No history counts for more."""


@inlined
def quiet_merit(state: State, seat: int, row: int, move: int, memory: Memory) -> Any:
    """Return how well a quiet move did before."""
    switches = memory.control[SWITCHES]
    merit = np.int64(0)
    if switches & HISTORY:
        merit += memory.history[seat, slot(state, move)]
    if switches & FOLLOWUPS:
        place = aim(state, move)
        merit += np.int64(memory.followups[0, memory.path[row, AIM], place])
        merit += np.int64(memory.followups[1, memory.path[max(row - 1, 0), AIM], place])
    return merit


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, known: int, loan: Memory) -> None:
    """Give each of the ``count`` moves at ``ply`` its number; ``known``: the low bits of the table's move, or -1."""
    memory = borrowed(loan)
    switches = memory.control[SWITCHES]
    moves, order = memory.moves[ply], memory.order[ply]
    first, second = memory.path[row, FIRST_KILLER], memory.path[row, SECOND_KILLER]
    last = memory.path[row, SLOT]
    reply = memory.replies[seat, last] if switches & REPLIES and last >= 0 else -1
    for i in range(count):
        move = moves[i]
        merit: Any
        won = np.int64(gain(state, move)) if switches & TACTICAL else 0
        if move & MARK == known:
            merit = TABLES
        elif won > 0:
            merit = WINNING + won
        elif switches & KILLERS and move == first:
            merit = KILLER
        elif switches & KILLERS and move == second:
            merit = OTHER_KILLER
        elif move == reply:
            merit = REPLY
        else:
            merit = UNRATED
        order[i] = merit << 16 | (PLACES - i)


@compiled
def rate_quiet(state: State, seat: int, ply: int, row: int, count: int, loan: Memory) -> None:
    """Give the quiet moves their numbers that were not rated yet."""
    memory = borrowed(loan)
    moves, order = memory.moves[ply], memory.order[ply]
    for i in range(count):
        if order[i] >> 16 == UNRATED:
            order[i] = quiet_merit(state, seat, row, moves[i], memory) << 16 | (PLACES - i)


@compiled
def foremost(ply: int, count: int, loan: Memory) -> int:
    """Return the largest of the numbers at ``ply``."""
    order = borrowed(loan).order[ply]
    best = order[0]
    for i in range(1, count):
        best = max(best, order[i])
    return best


@inlined
def next_move(state: State, seat: int, ply: int, row: int, count: int, loan: Memory) -> Any:
    """Take the best of the moves not yet tried and return its number; TRIED where none is left."""
    memory = borrowed(loan)
    order = memory.order[ply]
    while True:
        best = foremost(ply, count, loan)
        if best == TRIED:
            return best
        place = PLACES - (best & PLACES)
        merit = best >> 16
        if merit == UNRATED:
            rate_quiet(state, seat, ply, row, count, loan)
            continue
        unweighed = memory.control[SWITCHES] & EXCHANGES and WINNING <= merit < BELIEVED
        if unweighed and not exchange_reaches(state, memory.moves[ply, place], 0):
            order[place] = best + ((LOSING - WINNING) << 16)
            continue
        order[place] = TRIED
        return best


@inlined
def leave_quiet(ply: int, count: int, memory: Memory) -> None:
    """Let all quiet moves count as tried that were not tried yet, but for those that are believed in.

    Where what wins something is not told from them, none is.
    """
    order = memory.order[ply]
    tells = memory.control[SWITCHES] & TACTICAL
    for i in range(count):
        if tells and LOSING // 2 < order[i] >> 16 < WINNING:
            order[i] = TRIED


@inlined
def chosen(ply: int, number: int, memory: Memory) -> Any:
    """Return the move of a number."""
    return memory.moves[ply, PLACES - (number & PLACES)]


@inlined
def loses(number: int) -> bool:
    """Return whether a number is that of a move which loses by the exchange."""
    return number >> 16 <= LOSING // 2


@inlined
def bent(merit: int, credit: int, most: int) -> Any:
    """Return a history after one more credit; the nearer it is to its bounds, the less it is moved towards them."""
    return merit + credit - merit * abs(credit) // most


@compiled
def reward(state: State, seat: int, ply: int, row: int, move: int, tried: int, depth: int, loan: Memory) -> None:
    """Remember that a quiet move refuted the position, and that those tried before, noted in ``slots``, did not."""
    memory = borrowed(loan)
    path = memory.path
    if path[row, FIRST_KILLER] != move:
        path[row, SECOND_KILLER] = path[row, FIRST_KILLER]
        path[row, FIRST_KILLER] = move
    if path[row, SLOT] >= 0:
        memory.replies[seat, path[row, SLOT]] = move
    credit = min(memory.margins.credit * depth, memory.margins.most_credit)
    note(state, seat, row, move, credit, loan)
    for i in range(tried):
        note(state, seat, row, memory.slots[ply, i], -credit, loan)


@compiled
def note(state: State, seat: int, row: int, move: int, credit: int, loan: Memory) -> None:
    """Credit a quiet move."""
    memory = borrowed(loan)
    place = slot(state, move)
    memory.history[seat, place] = bent(memory.history[seat, place], credit, MOST)
    target = aim(state, move)
    for back in range(2):
        before = memory.path[max(row - back, 0), AIM]
        if before:
            did = np.int64(memory.followups[back, before, target])
            memory.followups[back, before, target] = bent(did, credit, MOST)
