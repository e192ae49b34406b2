# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs and contexts, and what byte code makes of them beside the interpreter."""

from random import Random

import numpy as np
from hypothesis import strategies

from bots.evolution.evochess.growth import gibberish
from engine.search.programs.code import ROW, SHARED, STACK, compiled_from, run
from engine.search.programs.program import CONTEXT, LOADS, Program
from tests.engine.search.programs.interpreter import Machine

NUMBERS = strategies.floats(-1e6, 1e6) | strategies.sampled_from([0.0, -0.0, 1.0, -1.0, 1e-10, 1e6, -1e6])
CONTEXTS = strategies.tuples(
    *(NUMBERS if word.gives == "number" else strategies.sampled_from([0.0, 1.0]) for word in (*CONTEXT, *LOADS))
)
PROGRAMS = strategies.builds(
    lambda seed, deep: gibberish(Random(seed), deep), strategies.integers(0, 2**64), strategies.integers(2, 10)
)

RUNAWAY: tuple[Program, ...] = (
    ("deeper", "deeper", "horizon"),
    (1e6,),
    (-1e6,),
    ("keep game 0", "+", "game 0", "keep game 1", "+", 1.0, "*", "game 1", 2.0),
    ("/", 1.0, "-", "level", "level"),
)
"""Programs whose depths never end a search, or end it at once."""

assert len(CONTEXT) + len(LOADS) == ROW + SHARED


def agree(program: Program, context: tuple[float, ...], times: int = 2) -> None:
    """Run a program some times, its registers going on from one time to the next; fail where anything differs."""
    code = compiled_from(program)
    row, shared, stack = np.array(context[:ROW]), np.array(context[ROW:]), np.zeros(STACK)
    seen = {word.name: number for word, number in zip(CONTEXT, context, strict=False)}
    held = {word.name: number for word, number in zip(LOADS, context[len(CONTEXT) :], strict=True)}
    machine = Machine(seen, held)
    for _ in range(times):
        value = run(code, row, shared, stack)
        assert value == machine.run(program), (program, context)
        assert abs(value) <= 1e6
        assert [*row[len(CONTEXT) :], *shared] == list(machine.registers.values()), (program, context)
    assert tuple(row[: len(CONTEXT)]) == context[: len(CONTEXT)]
