# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of games with dice: expectiminimax (D. Michie, 1966) with Star1 and Star2 pruning (B. W. Ballard, The
*-minimax search procedure for trees containing chance nodes, 1983; T. Hauk, M. Buro, J. Schaeffer, Rediscovering
*-minimax search, 2004).

A state where dice decide is worth the average of what they lead to, weighed by the kernel ``odds``. Averages are no
whole points: values in here are units of 1 / SCALE point, and an average is rounded down to one. So all arithmetic is
of integers, and what is pruned changes no value by a bit.
"""

from typing import Any

import numpy as np

from engine.buffers import borrowed
from engine.game import CHANCE, State, key, legal_moves, odds, outcome, step, to_move
from engine.kernel import compiled, inlined
from engine.search.leaf import final_value, static_value
from engine.search.limits import given_up
from engine.search.memory import ABORTED, AGE, BOUND, HORIZON, ROOT_MOVES, SWITCHES, Memory
from engine.search.minimax import extend_line
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN, best_index, find, keep, saw_horizon, settled_value, settles

SCALE = 2**16
"""Units to a point."""

LEAST, MOST = range(2)
"""Rows of ``memory.bounds`` at a ply where dice decide: what each roll is worth at least, and at most."""

CUTS, TABLE, TABLE_MOVE, LOOKS, PROBES = (
    int(Switch.CUTS),
    int(Switch.TABLE),
    int(Switch.TABLE_MOVE),
    int(Switch.LOOKS),
    int(Switch.PROBES),
)

WORTH_LOOKING = 3
"""At smaller depths a look at where moves lead costs as much as it can save."""


@compiled
def expectiminimax(state: State, depth: int, alpha: int, beta: int, ply: int, memory: Memory) -> Any:
    """Return v, for the seat to move: v <= alpha is an upper bound of the value, v >= beta a lower one, else v is it.

    Where dice decide, v is for seat 0. No value is greater than ``memory.control[BOUND]``, and none below its negative.
    Where v is the value, the best line stands in ``memory.line[ply]``; it ends where dice decide.
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
                # the root's moves stay in the order they were brought into
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
        # the average times all odds is in between; it exceeds alpha, or reaches beta, from so much on
        low, high = -bound * total, bound * total
        exceeding, reaching = (max(alpha, -bound - 1) + 1) * total, min(beta, bound + 1) * total
        cut = False
        if switches & PROBES and depth >= WORTH_LOOKING:
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
                # its best reply is worth as much to who moves, or more
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
                # a bound beyond what it can be at all is its value
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
    """Return between which values a roll decides nothing yet: down to the first, or up to the second, it is cut.

    ``low`` and ``high`` bound the sum of the other rolls, ``least`` and ``most`` this one.
    """
    return max(least, (exceeding - 1 - high) // often), min(most, -((low - reaching) // often))


@compiled
def promising(state: State, ply: int, depth: int, memory: Memory) -> int:
    """Return the move that is tried first in a state at a ply where a player is to move."""
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
    """Bring the moves at a ply into the order they are tried in, and their places in the old order into ``slots``.

    The one of index ``known`` comes first, unless that is -1. With LOOKS, and depth enough, the others follow in the
    order of what they lead to, scored at once; each look counts as a visit, and where so many are not allowed any more
    the search is given up.
    """
    memory = borrowed(memory)
    moves, merits, places = memory.moves[ply], memory.order[ply], memory.slots[ply]
    looks = memory.control[SWITCHES] & LOOKS and depth >= WORTH_LOOKING
    seat = to_move(state)
    if looks and given_up(memory.control, count):
        return
    for i in range(count):
        move = moves[i]
        merit = np.int64(0)
        if looks:
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
