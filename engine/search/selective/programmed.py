# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches with a depth program, which gives each branch its depth.

The program runs once for each branch, after the move is made. Depths are whole plies; a fraction beyond them is kept
beside the position (REST), for the program alone. A branch has at most the depth of its position, so it is extended by
one ply at most; lines longer than twice the depth of the iteration are not extended.
"""

from typing import Any

import numpy as np

from engine.game import State, score, to_move
from engine.hints.alphabeta import exchange_reaches, gain
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.search.memory import LIMIT, LOOKS, MAN, NODES, PRESSED, REACHED, ROOT_DEPTH, SCORE, SLOT, TRACED, Memory
from engine.search.programs.code import PLACES, Code, execute
from engine.search.programs.memory import (
    CONSTANTS_ROW,
    GIVEN,
    LINE,
    MATERIAL_UNIT,
    MOVE,
    PLY,
    REACH,
    REST,
    SHARED_ROW,
    STACK_ROW,
    TRACED_PLIES,
    VISITS,
)
from engine.search.selective.ordering import MOST, history_score

LEVEL, HORIZON, ALPHA, BETA = (PLACES[name] for name in ("level", "horizon", "alpha", "beta"))
SCORES, MATERIAL, MOVES, PLACE = (PLACES[name] for name in ("score", "material", "moves", "place"))
SUCCESS, GAIN, SPENT = (PLACES[name] for name in ("history", "gain", "nodes"))
THREATENED, THREATENS, LOSES = (PLACES[name] for name in ("threatened", "threatens", "loses"))
PRINCIPAL, SHORTFALL = PLACES["principal"], PLACES["shortfall"]
READS_MATERIAL, READS_SUCCESS, READS_LOSES = 1 << MATERIAL, 1 << SUCCESS, 1 << LOSES

OMITTED = -1
FAR = 100.0
"""Limit of the scores and bounds that programs read, in pawn units."""
PAWN = 100.0
"""Units of ``gain`` in a pawn unit."""


@inlined
def pawn_units(value: int, memory: Memory) -> Any:
    """Convert points to pawn units, from -FAR to FAR."""
    return min(max(value / memory.control[MAN], -FAR), FAR)


@compiled
def branch_depth(
    state: State,
    move: int,
    checks: bool,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    row: int,
    count: int,
    tried: int,
    loan: Memory,
) -> Any:
    """Return the whole plies that the program gives a branch; OMITTED if it gives less than 0.

    ``checks``: whether the move threatens; ``count``: legal moves; ``tried``: number of moves searched before.
    """
    memory = borrowed(loan)
    control, program = memory.control, memory.program
    numbers = program.numbers
    cells = numbers[LINE + ply]
    seat = to_move(state)
    stand = memory.path[row, SCORE]
    won = gain(state, move) / PAWN
    remaining = depth + cells[REST]
    cells[LEVEL] = ply
    cells[HORIZON] = remaining - 1.0
    cells[ALPHA] = pawn_units(alpha, memory)
    cells[BETA] = pawn_units(beta, memory)
    cells[SCORES] = pawn_units(-stand if seat else stand, memory)
    cells[MOVES] = count
    cells[PLACE] = tried
    cells[GAIN] = won
    cells[SPENT] = control[NODES] / control[LIMIT]
    cells[THREATENED] = 1.0 if memory.path[row, PRESSED] else 0.0
    cells[THREATENS] = 1.0 if checks else 0.0
    cells[PRINCIPAL] = 1.0 if beta - alpha > 1 else 0.0
    cells[SHORTFALL] = max(cells[ALPHA] - cells[SCORES] - won, 0.0)
    if control[LOOKS] & READS_MATERIAL:
        cells[MATERIAL] = score(state, 0, program.material) / MATERIAL_UNIT
    if control[LOOKS] & READS_SUCCESS:
        cells[SUCCESS] = history_score(state, seat, row, move, memory) / MOST
    if control[LOOKS] & READS_LOSES:
        cells[LOSES] = 0.0 if exchange_reaches(state, move, 0) else 1.0
    code = Code(program.code, numbers[CONSTANTS_ROW], control[LOOKS])
    given = execute(code, cells, numbers[SHARED_ROW], numbers[STACK_ROW])
    whole = np.int64(OMITTED)
    if given >= 0.0:
        given = min(given, remaining if ply < 2 * control[ROOT_DEPTH] else remaining - 1.0)
        whole = np.int64(given)
        numbers[LINE + ply + 1, REST] = given - whole
    trace, number = program.trace, control[TRACED]
    if ply < TRACED_PLIES and number < len(trace) and (ply == 0 or memory.path[row, SLOT] >= 0):
        trace[number, PLY] = ply
        trace[number, MOVE] = move
        trace[number, GIVEN] = np.int64(np.rint(1000.0 * given))
        trace[number, VISITS] = control[NODES]
        if number > 0:
            trace[number - 1, REACH] = control[REACHED]
        control[REACHED] = ply
        control[TRACED] = number + 1
    if whole != OMITTED:
        control[REACHED] = max(control[REACHED], ply + 1)
    return whole
