# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of games with dice: expectiminimax (D. Michie, 1966) with Star1 and Star2 pruning (B. W. Ballard, The
*-minimax search procedure for trees containing chance nodes, 1983; T. Hauk, M. Buro, J. Schaeffer, Rediscovering
*-minimax search, 2004).

A state where dice decide is worth the average of what they lead to, weighed by the kernel ``odds``. Averages are no
whole points: values in here are units of 1 / SCALE point, and an average is rounded down to one. So all arithmetic is
of integers, and what is pruned changes no value by a bit.
"""

from typing import Any

from engine.buffers import borrowed
from engine.game import CHANCE, State, legal_moves, odds, outcome, step, to_move
from engine.kernel import compiled, inlined
from engine.search.leaf import final_value, static_value
from engine.search.memory import ABORTED, BOUND, HORIZON, LIMIT, NODES, ROOT_MOVES, STOP, SWITCHES, Memory
from engine.search.minimax import extend_line
from engine.search.switches import Switch

SCALE = 2**16
"""Units to a point."""

LEAST, MOST = range(2)
"""Rows of ``memory.bounds`` at a ply where dice decide: what each roll is worth at least, and at most."""

CUTS, LOOKS, PROBES = int(Switch.CUTS), int(Switch.LOOKS), int(Switch.PROBES)

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
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return 0
    control[NODES] += 1
    over, first, second = outcome(state)
    seat = to_move(state)
    if over:
        return SCALE * final_value(second if seat == 1 else first, depth, memory)
    if depth == 0:
        control[HORIZON] = 1
        return SCALE * static_value(state, memory)
    moves = memory.moves[ply]
    count = legal_moves(state, moves) if ply else control[ROOT_MOVES]

    if seat != CHANCE:
        if switches & LOOKS and depth >= WORTH_LOOKING:
            arrange(state, ply, count, memory)
        best, bar = -bound - 1, alpha
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
                best = value
                if value > bar:
                    extend_line(line, ply, move)
                    if switches & CUTS:
                        bar = value
                        if value >= beta:
                            break
        return best

    bounds = memory.bounds[ply]
    total = 0
    for i in range(count):
        total += odds(state, moves[i])
        bounds[LEAST, i], bounds[MOST, i] = -bound, bound
    # the average times all odds is in between; it exceeds alpha, or reaches beta, from so much on
    low, high = -bound * total, bound * total
    exceeding, reaching = (max(alpha, -bound - 1) + 1) * total, min(beta, bound + 1) * total

    if switches & PROBES and depth >= WORTH_LOOKING:
        replies = memory.moves[ply + 1]
        for i in range(count):
            child = step(state, moves[i])
            mover = to_move(child)
            over, _, _ = outcome(child)
            if over or mover == CHANCE:
                continue
            arrange(child, ply + 1, legal_moves(child, replies), memory)
            child = step(child, replies[0])
            often = odds(state, moves[i])
            low += often * bound
            high -= often * bound
            floor, top = window(low, high, -bound, bound, often, exceeding, reaching)
            mine = to_move(child) < 1
            value = expectiminimax(child, depth - 2, floor if mine else -top, top if mine else -floor, ply + 2, memory)
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
            if high < exceeding:
                return high // total
            if low >= reaching:
                return low // total

    for i in range(count):
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
            value = expectiminimax(child, depth - 1, floor if mine else -top, top if mine else -floor, ply + 1, memory)
            if control[ABORTED]:
                return 0
            if not mine:
                value = -value
            # a bound beyond what it can be at all is its value
            value = min(max(value, least), most)
        low += often * value
        high += often * value
        if high < exceeding:
            return high // total
        if low >= reaching:
            return low // total
    return low // total


@inlined
def window(low: int, high: int, least: int, most: int, often: int, exceeding: int, reaching: int) -> tuple[int, int]:
    """Return between which values a roll decides nothing yet: down to the first, or up to the second, it is cut.

    ``low`` and ``high`` bound the sum of the other rolls, ``least`` and ``most`` this one.
    """
    return max(least, (exceeding - 1 - high) // often), min(most, -((low - reaching) // often))


@compiled
def arrange(state: State, ply: int, count: int, memory: Memory) -> None:
    """Bring the moves at a ply into the order of what they lead to, scored at once; each look counts as a visit."""
    memory = borrowed(memory)
    moves, merits = memory.moves[ply], memory.order[ply]
    seat = to_move(state)
    for i in range(count):
        move = moves[i]
        child = step(state, move)
        over, first, second = outcome(child)
        mine = max(to_move(child), 0)
        merit = final_value(second if mine else first, 0, memory) if over else static_value(child, memory)
        if mine != seat:
            merit = -merit
        place = i
        while place > 0 and merits[place - 1] < merit:
            moves[place], merits[place] = moves[place - 1], merits[place - 1]
            place -= 1
        moves[place], merits[place] = move, merit
    memory.control[NODES] += count
