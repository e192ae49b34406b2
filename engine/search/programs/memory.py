# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrays of a depth program: byte code, inputs, registers, stack and trace."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Words
from engine.game import Game
from engine.search.programs.code import ROW, compiled_from
from engine.search.programs.program import REGISTERS, SIZE, Program

SHARED_ROW, STACK_ROW, CONSTANTS_ROW, LINE = range(4)
"""Rows of ``numbers``: registers of the search and of the game, the stack, the constants; LINE: the first ply's row."""

REST = ROW
"""Column of a ply's row: the fraction of a ply by which its remaining depth exceeds the whole plies."""

MATERIAL_UNIT = 1000
"""``material`` counts in parts of a pawn, in checkers of a man."""

PLY, MOVE, GIVEN, VISITS, REACH = range(5)
"""Columns of ``trace``: the ply of the position; the branch's move; the depth that the program gave it, in thousandths
of a ply; how many positions were visited before it; and the largest ply until the next row is written, without
quiescence search."""

TRACED_PLIES = 3
"""Branches of positions nearer to the root than this are traced, but for those after a null move."""


class ProgramMemory(NamedTuple):
    """The arrays; empty ones where no program runs."""

    code: NDArray[np.int64]
    """The instructions: see ``engine.search.programs.code``."""
    numbers: NDArray[np.float64]
    """(row, SIZE): the rows named above, then one for each ply: the context of its last branch, its registers, REST."""
    material: Words
    """Weights of the game's first evaluation, which counts material, in MATERIAL_UNIT."""
    trace: NDArray[np.int64]
    """(branch, column): the branches near the root of the last iteration, in the order of the search."""


def no_program() -> ProgramMemory:
    """Return the arrays of searches without a program."""
    return ProgramMemory(
        np.zeros(0, np.int64),
        np.zeros((LINE + 1, SIZE), np.float64),
        np.zeros(1, np.int64),
        np.zeros((0, REACH + 1), np.int64),
    )


def program_memory(game: Game, program: Program, plies: int, traced: int) -> tuple[ProgramMemory, int]:
    """Return the arrays of a program, and its bits of the context that it reads; ``traced``: branches to trace.

    Raises ValueError for an invalid program.
    """
    code = compiled_from(program)
    numbers = np.zeros((LINE + plies, SIZE), np.float64)
    numbers[CONSTANTS_ROW, : len(code.constants)] = code.constants
    counting = next(iter(game.evaluations.values()))
    material = np.rint(counting.words().astype(np.float64) / counting.points(1) * MATERIAL_UNIT).astype(np.int64)
    return ProgramMemory(code.instructions, numbers, material, np.zeros((traced, REACH + 1), np.int64)), code.looks


def clear(memory: ProgramMemory, *, game: bool = False) -> None:
    """Clear the registers before a search, and before a ``game`` those of the game too."""
    memory.numbers[LINE:] = 0
    memory.numbers[SHARED_ROW, : None if game else REGISTERS] = 0


def trace_of(memory: ProgramMemory, rows: int, reached: int) -> NDArray[np.int64]:
    """Return a copy of the trace of an iteration; ``reached``: the largest ply since the last row was written."""
    found = memory.trace[:rows].copy()
    found[rows - 1 :, REACH] = reached
    return found
