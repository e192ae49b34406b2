# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs as byte code, and the machine that runs it: a stack of numbers, in compiled code that is the same for all.

Jumps only lead forward, so every program ends after as many steps as it has instructions. Numbers stay finite: they are
clamped to -MOST and MOST, and a division by nearly 0 returns 1.
"""

from math import exp, sin
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernel import brief, inlined
from engine.search.programs.program import CONTEXT, LOADS, MOST, REGISTERS, STEEP, TINY, Program, check, parts, word_of

PUSH, LOAD, LOAD_SHARED, KEEP, KEEP_SHARED, ADD, SUBTRACT, MULTIPLY, DIVIDE = range(9)
DEEPER, SHALLOWER, SINE, SIGMOID, LESS, UNLESS, JUMP = range(9, 16)

OPERATIONS = {
    "+": ADD,
    "-": SUBTRACT,
    "*": MULTIPLY,
    "/": DIVIDE,
    "deeper": DEEPER,
    "shallower": SHALLOWER,
    "sin": SINE,
    "sigmoid": SIGMOID,
    "<": LESS,
}

ROW = len(CONTEXT) + REGISTERS
"""Cells of a level: its context, and its registers."""
SHARED = 2 * REGISTERS
"""Cells that all levels share: the registers of the search, then those of the game."""

STACK = 16
"""Size of the stack; larger than the maximum depth of a program."""

PLACES = {word.name: place for place, word in enumerate((*CONTEXT, *LOADS))}

Instructions = NDArray[np.int64]
Numbers = NDArray[np.float64]


class Code(NamedTuple):
    """A program as the machine runs it."""

    instructions: Instructions
    """Each instruction is operation + 16 × operand: a cell, the index of a constant, or a jump distance."""
    constants: Numbers
    looks: int
    """A bit for each number of the context that the program looks at."""


def compiled_from(program: Program) -> Code:
    """Return the byte code of a program. Raises ValueError as ``check`` does."""
    program = check(program)
    instructions: list[int] = []
    constants: list[float] = []

    def emit(operation: int, argument: int = 0) -> None:
        instructions.append(operation | argument << 4)

    def translate(start: int) -> None:
        token = program[start]
        word = word_of(token)
        if word is None:
            emit(PUSH, len(constants))
            constants.append(float(token))
            return
        inner = parts(program, start)
        if word.name == "if":
            (asked, _), (then, _), (otherwise, _) = inner
            translate(asked)
            branch = len(instructions)
            emit(UNLESS)
            translate(then)
            skip = len(instructions)
            emit(JUMP)
            instructions[branch] |= skip + 1 << 4
            translate(otherwise)
            instructions[skip] |= len(instructions) << 4
            return
        for place, _ in inner:
            translate(place)
        kept = word.name.removeprefix("keep ")
        if kept in PLACES:
            place = PLACES[kept]
            own = (LOAD, LOAD_SHARED) if word.name == kept else (KEEP, KEEP_SHARED)
            emit(own[place >= ROW], place if place < ROW else place - ROW)
        else:
            emit(OPERATIONS[word.name])

    translate(0)
    looks = sum({1 << PLACES[token] for token in program if isinstance(token, str) and token in _SEEN})
    return Code(np.array(instructions, np.int64), np.array(constants or [0.0], np.float64), looks)


_SEEN = {word.name for word in CONTEXT}


@inlined
def bounded(number: Any) -> Any:
    """Return a number clamped to -MOST and MOST."""
    return min(max(number, -MOST), MOST)


@inlined
def execute(code: Code, row: Numbers, shared: Numbers, stack: Numbers) -> Any:
    """Run a program on the cells of a level and the shared ones; return the depth that it gives a branch."""
    top = -1
    shift = 0.0
    place = 0
    end = len(code.instructions)
    while place < end:
        word = code.instructions[place]
        place += 1
        operation = word & 15
        argument = word >> 4
        if operation <= LOAD_SHARED:
            top += 1
            if operation == PUSH:
                stack[top] = code.constants[argument]
            elif operation == LOAD:
                stack[top] = row[argument]
            else:
                stack[top] = shared[argument]
        elif operation == KEEP:
            row[argument] = stack[top]
        elif operation == KEEP_SHARED:
            shared[argument] = stack[top]
        elif operation == DEEPER:
            shift += 1.0
        elif operation == SHALLOWER:
            shift -= 1.0
        elif operation == SINE:
            stack[top] = sin(stack[top])
        elif operation == SIGMOID:
            stack[top] = 1.0 / (1.0 + exp(-min(max(stack[top], -STEEP), STEEP)))
        elif operation == UNLESS:
            top -= 1
            if stack[top + 1] == 0.0:
                place = argument
        elif operation == JUMP:
            place = argument
        else:
            right = stack[top]
            top -= 1
            left = stack[top]
            if operation == ADD:
                stack[top] = bounded(left + right)
            elif operation == SUBTRACT:
                stack[top] = bounded(left - right)
            elif operation == MULTIPLY:
                stack[top] = bounded(left * right)
            elif operation == LESS:
                stack[top] = 1.0 if left < right else 0.0
            elif abs(right) < TINY:
                stack[top] = 1.0
            else:
                stack[top] = bounded(left / right)
    return bounded(stack[0] + shift)


@brief
def run(code: Code, row: Numbers, shared: Numbers, stack: Numbers) -> float:
    """Run a program once, for Python; cells are changed as ``execute`` does."""
    return execute(code, row, shared, stack)
