# SPDX-License-Identifier: GPL-3.0-or-later
"""Expectiminimax with Star1 and Star2 pruning: the search of games with dice.

Expectiminimax: D. Michie, 1966. Star1 and Star2: B. W. Ballard, The *-minimax search procedure for trees containing
chance nodes, 1983; T. Hauk, M. Buro, J. Schaeffer, Rediscovering *-minimax search, 2004.

The value of a chance node is the average over the rolls, weighted by the kernel ``odds``. Values are in units of
1 / SCALE point, and averages are rounded down to a unit. All arithmetic is in integers, so pruning changes no value.
"""

from typing import Any

import numpy as np

from engine.game import CHANCE, State, key, legal_moves, odds, outcome, step, to_move
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.search.limits import given_up
from engine.search.memory import ABORTED, AGE, BOUND, HORIZON, ROOT_MOVES, SWITCHES, Memory
from engine.search.minimax import extend_line, final_value, static_value
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN, best_index, find, keep, saw_horizon, settled_value, settles

SCALE = 2**16
"""Units per point."""

LEAST, MOST = range(2)
"""Rows of ``memory.bounds`` at a chance node: lower and upper bound of each roll's value."""

CUTS, TABLE, TABLE_MOVE, STATIC_ORDERING, PROBES = (
    int(Switch.CUTS),
    int(Switch.TABLE),
    int(Switch.TABLE_MOVE),
    int(Switch.STATIC_ORDERING),
    int(Switch.PROBES),
)

WORTH_SCORING = 3
"""Children are scored for ordering, and probed, from this depth on; below, it costs as much as it saves."""


@compiled
def expectiminimax(state: State, depth: int, alpha: int, beta: int, ply: int, memory: Memory) -> Any:
    """Search a game with dice; return v for the seat to move, at a chance node for seat 0.

    v <= alpha is an upper bound of the value, v >= beta a lower bound, any other v the value; ``memory.line[ply]`` is
    then the best line, which ends at the first chance node. No value exceeds ``memory.control[BOUND]``.
    """
    memory = borrowed(memory)
    control, line = memory.control, memory.line
    switches, bound = control[SWITCHES], control[BOUND]
    line[ply, ply] = -1
    if given_up(control, 1):
        return 0
    over, first, second = outcome(state)
    seat = to_move(state)
    if over:
        return SCALE * final_value(second if seat == 1 else first, depth, memory)
    if depth == 0:
        control[HORIZON] = 1
        return SCALE * static_value(state, memory)
    mark, known = np.int64(0), -1
    if switches & TABLE:
        mark = np.int64(key(state))
        entry = find(memory.table, mark)
        if entry >= 0:
            if switches & TABLE_MOVE:
                known = best_index(memory.table, entry)
            if ply > 0 and settles(memory.table, entry, depth, alpha, beta):
                control[HORIZON] |= saw_horizon(memory.table, entry)
                return settled_value(memory.table, entry, beta)
    saw = control[HORIZON]
    control[HORIZON] = 0
    moves = memory.moves[ply]
    count = legal_moves(state, moves) if ply else control[ROOT_MOVES]
    best, index = -bound - 1, -1

    if seat != CHANCE:
        arrange(state, ply, count, known, depth, memory)
        if control[ABORTED]:
            return 0
        bar = alpha
        for i in range(count):
            move = moves[i]
            child = step(state, move)
            same = max(to_move(child), 0) == seat
            floor, top = (bar, beta) if same else (-beta, -bar)
            value = expectiminimax(child, depth - 1, floor, top, ply + 1, memory)
            if control[ABORTED]:
                return 0
            if not same:
                value = -value
            if value > best:
                # at the root the index is the place after ordering
                best, index = value, memory.slots[ply, i] if ply else i
                if value > bar:
                    extend_line(line, ply, move)
                    if switches & CUTS:
                        bar = value
                        if value >= beta:
                            break

    else:
        bounds = memory.bounds[ply]
        total = 0
        for i in range(count):
            total += odds(state, moves[i])
            bounds[LEAST, i], bounds[MOST, i] = -bound, bound
        # bounds of the sum over all rolls, and the sums from which the average exceeds alpha and reaches beta
        low, high = -bound * total, bound * total
        exceeding, reaching = (max(alpha, -bound - 1) + 1) * total, min(beta, bound + 1) * total
        cut = False
        if switches & PROBES and depth >= WORTH_SCORING:
            for i in range(count):
                child = step(state, moves[i])
                mover = to_move(child)
                over, _, _ = outcome(child)
                if over or mover == CHANCE:
                    continue
                reply = promising(child, ply + 1, depth - 1, memory)
                if control[ABORTED]:
                    return 0
                child = step(child, reply)
                often = odds(state, moves[i])
                low += often * bound
                high -= often * bound
                floor, top = window(low, high, -bound, bound, often, exceeding, reaching)
                mine = to_move(child) < 1
                value = expectiminimax(
                    child, depth - 2, floor if mine else -top, top if mine else -floor, ply + 2, memory
                )
                if control[ABORTED]:
                    return 0
                if not mine:
                    value = -value
                # the best reply is worth at least as much to the mover
                if mover == 0 and value > floor:
                    bounds[LEAST, i] = min(value, bound)
                if mover == 1 and value < top:
                    bounds[MOST, i] = max(value, -bound)
                low += often * bounds[LEAST, i]
                high += often * bounds[MOST, i]
                cut = high < exceeding or low >= reaching
                if cut:
                    break
        for i in range(0 if cut else count):
            often, least, most = odds(state, moves[i]), bounds[LEAST, i], bounds[MOST, i]
            low -= often * least
            high -= often * most
            floor, top = alpha, beta
            if switches & CUTS:
                floor, top = window(low, high, least, most, often, exceeding, reaching)
            value = least
            if floor < top:
                child = step(state, moves[i])
                mine = to_move(child) < 1
                value = expectiminimax(
                    child, depth - 1, floor if mine else -top, top if mine else -floor, ply + 1, memory
                )
                if control[ABORTED]:
                    return 0
                if not mine:
                    value = -value
                # a bound outside of the possible range is the value
                value = min(max(value, least), most)
            low += often * value
            high += often * value
            if high < exceeding or low >= reaching:
                break
        best = high // total if high < exceeding else low // total

    if switches & TABLE:
        keep(memory.table, mark, depth, alpha, beta, best, index, control[HORIZON], control[AGE])
    control[HORIZON] |= saw
    return best


@inlined
def window(low: int, high: int, least: int, most: int, often: int, exceeding: int, reaching: int) -> tuple[int, int]:
    """Return the Star1 window of one roll: outside of it the roll's value cuts off the chance node.

    ``low`` and ``high``: bounds of the sum of the other rolls; ``least`` and ``most``: bounds of this roll.
    """
    return max(least, (exceeding - 1 - high) // often), min(most, -((low - reaching) // often))


@compiled
def promising(state: State, ply: int, depth: int, memory: Memory) -> int:
    """Return the most promising move of the player to move: the probe of Star2."""
    memory = borrowed(memory)
    known = -1
    if memory.control[SWITCHES] & TABLE_MOVE:
        entry = find(memory.table, np.int64(key(state)))
        if entry >= 0:
            known = best_index(memory.table, entry)
    count = legal_moves(state, memory.moves[ply])
    arrange(state, ply, count, known, depth, memory)
    return np.int64(memory.moves[ply, 0])  # type: ignore[return-value]  # an int64, compiled


@compiled
def arrange(state: State, ply: int, count: int, known: int, depth: int, memory: Memory) -> None:
    """Order the moves at a ply; write their places before ordering into ``slots``.

    The move of index ``known`` comes first, unless that is -1. With STATIC_ORDERING and enough depth the others follow
    by the static evaluation of their children. Each evaluation counts as a visit; the search is aborted if the node
    limit does not allow so many.
    """
    memory = borrowed(memory)
    moves, merits, places = memory.moves[ply], memory.order[ply], memory.slots[ply]
    scored = memory.control[SWITCHES] & STATIC_ORDERING and depth >= WORTH_SCORING
    seat = to_move(state)
    if scored and given_up(memory.control, count):
        return
    for i in range(count):
        move = moves[i]
        merit = np.int64(0)
        if scored:
            child = step(state, move)
            over, first, second = outcome(child)
            mine = max(to_move(child), 0)
            merit = final_value(second if mine else first, 0, memory) if over else static_value(child, memory)
            if mine != seat:
                merit = -merit
        if i == known:
            merit = UNKNOWN
        at = i
        while at > 0 and merits[at - 1] < merit:
            moves[at], merits[at], places[at] = moves[at - 1], merits[at - 1], places[at - 1]
            at -= 1
        moves[at], merits[at], places[at] = move, merit, i
