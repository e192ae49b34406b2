# SPDX-License-Identifier: GPL-3.0-or-later
"""Endgames of Othello with many empty squares: principal variation search.

The transposition table also cuts by the values of the next positions. Moves are ordered by the replies that they leave
and by the static evaluation.
"""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.game import score
from engine.games.othello.board import ONE, PASS, WHOLE, ZERO, Othello, flips, targets
from engine.games.othello.endgame.last_squares import (
    CORNERS,
    QUADRANTS,
    bound_by_stability,
    final,
    four,
    four_squares,
    near,
    odd_quadrants,
)
from engine.games.othello.endgame.memory import (
    ABORTED,
    LIMIT,
    MOST,
    NEAR,
    NODES,
    STOP,
    UNKNOWN,
    Memory,
    found_at,
    keep,
    key_of,
    packed,
)
from engine.games.othello.evaluation import beside
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed, lent

WEIGHED = 11
"""From this number of empty squares on, moves are ordered by the static evaluation too."""
DEEP = 10
"""From this number of empty squares on, the search first looks up all next positions in the table."""


@inlined
def worth(own: Bits, enemy: Bits, square: Bits, parity: int, empties: int, memory: Memory) -> int:
    """Return the ordering key of a move, from the position after it, seen by its opponent."""
    replies = targets(own, enemy, WHOLE)
    key = -32 * (popcount(replies) + popcount(replies & CORNERS))
    key += 8 if QUADRANTS[square] & parity else 0
    if CORNERS >> square & ONE:
        key += 48
    if empties >= WEIGHED:
        return 2 * key - score(Othello(own, enemy, ZERO), 0, memory.weights) // 8
    return key - 8 * popcount(beside(enemy) & ~(own | enemy))


@compiled
def arrange(own: Bits, enemy: Bits, moves: Bits, known: int, ply: int, beta: int, loan: Memory) -> int:
    """Write the ordering keys of the moves; return a value of at least beta that the table proves, else -UNKNOWN."""
    memory = borrowed(loan)
    order = memory.order[ply]
    empty = ~(own | enemy)
    empties = popcount(empty)
    parity = odd_quadrants(empty)
    count = 0
    while moves:
        square = lowest(moves)
        moves &= moves - ONE
        flipped = flips(own, enemy, square)
        mine, theirs = enemy ^ flipped, own | flipped | ONE << square
        if empties >= DEEP:
            row = found_at(key_of(mine, theirs), memory)
            if row >= 0:
                reached = MOST - (memory.values[row] >> 8 & 255)
                if reached >= beta:
                    return reached
        key = 1 << 30 if np.int64(square) == known else worth(mine, theirs, square, parity, empties, memory)
        order[count] = key << 6 | np.int64(square)
        count += 1
    return -UNKNOWN


@compiled
def best_of(count: int, first: int, order: Any) -> int:
    """Bring the best remaining move to the place ``first``; return its square."""
    order = borrowed(order)
    best = first
    for place in range(first + 1, count):
        if order[place] > order[best]:
            best = place
    order[first], order[best] = order[best], order[first]
    return order[first] & 63


@compiled
def search(own: Bits, enemy: Bits, alpha: int, beta: int, ply: int, loan: Memory) -> int:
    """Return v: v <= alpha is an upper bound of the value, v >= beta a lower bound, any other v the value."""
    memory = borrowed(loan)
    control = memory.control
    empty = ~(own | enemy)
    empties = popcount(empty)
    if empties <= NEAR:
        parity = odd_quadrants(empty)
        if empties > 4:
            return near(own, enemy, alpha, beta, parity, False, loan)
        if empties == 4:
            return four(own, enemy, alpha, beta, four_squares(empty, parity), False, loan)
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return 0
    bound = bound_by_stability(own, enemy, alpha)
    if bound <= alpha:
        return bound
    key = key_of(own, enemy)
    row = found_at(key, memory)
    lower, upper, known = -MOST, MOST, PASS
    if row >= 0:
        entry = memory.values[row]
        lower, upper, known = (entry & 255) - MOST, (entry >> 8 & 255) - MOST, entry >> 16 & 255
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    moves = targets(own, enemy, WHOLE)
    if not moves:
        if not targets(enemy, own, WHOLE):
            return final(own, enemy)
        return -search(enemy, own, -beta, -alpha, ply + 1, loan)
    proved = arrange(own, enemy, moves, known, ply, beta, loan)
    if proved != -UNKNOWN:
        return proved
    count = popcount(moves)
    best = -UNKNOWN
    chosen: Any = PASS
    for place in range(count):
        square = np.uint64(best_of(count, place, memory.order[ply]))
        flipped = flips(own, enemy, square)
        mine, theirs = enemy ^ flipped, own | flipped | ONE << square
        control[NODES] += 1
        bar = max(alpha, best)
        value = -search(mine, theirs, -beta if place == 0 else -bar - 1, -bar, ply + 1, loan)
        if place and bar < value < beta:
            value = -search(mine, theirs, -beta, -value, ply + 1, loan)
        if control[ABORTED]:
            return 0
        if value > best:
            best, chosen = value, np.int64(square)
            if best >= beta:
                break
    if best >= beta:
        lower = max(lower, best)
    elif best <= alpha:
        upper = min(upper, best)
    else:
        lower = upper = best
    keep(key, packed(lower, upper, chosen, empties), memory)
    return best


@compiled
def solve_root(own: Bits, enemy: Bits, memory: Memory) -> tuple[int, int, bool]:
    """Return the value, a best move (PASS: none can be placed), and whether the game is over."""
    loan = lent(memory)
    moves = targets(own, enemy, WHOLE)
    if not moves:
        over = not targets(enemy, own, WHOLE)
        return (final(own, enemy) if over else -search(enemy, own, -MOST, MOST, 1, loan)), PASS, over
    memory.control[NODES] += 1
    count = popcount(moves)
    order = memory.order[0]
    arrange(own, enemy, moves, PASS, 0, UNKNOWN, loan)
    best, chosen = -UNKNOWN, PASS
    for place in range(count):
        square = best_of(count, place, order)
        flipped = flips(own, enemy, np.uint64(square))
        mine, theirs = enemy ^ flipped, own | flipped | ONE << np.uint64(square)
        memory.control[NODES] += 1
        low = max(best, -MOST)
        value = -search(mine, theirs, -MOST if place == 0 else -low - 1, -low, 1, loan)
        if place and low < value < MOST:
            value = -search(mine, theirs, -MOST, -value, 1, loan)
        if memory.control[ABORTED]:
            break
        if value > best:
            best, chosen = value, square
        if best >= MOST:
            break
    return best, chosen, False
