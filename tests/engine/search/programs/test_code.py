# SPDX-License-Identifier: GPL-3.0-or-later
"""Byte code does what programs say."""

import pytest
from hypothesis import given, settings

from engine.search.programs.code import compiled_from
from engine.search.programs.program import CONTEXT, LOADS, Program
from tests.engine.search.programs.cases import CONTEXTS, PROGRAMS, agree

NOTHING = (0.0,) * (len(CONTEXT) + len(LOADS))


@settings(max_examples=2_000, deadline=None)
@given(PROGRAMS, CONTEXTS)
def test_byte_code_and_interpreter_agree(program: Program, context: tuple[float, ...]) -> None:
    agree(program, context)


@pytest.mark.parametrize(
    "program",
    [
        ("/", 1.0, 0.0),
        ("/", 1.0, 1e-12),
        ("*", 1e6, "*", 1e6, "*", 1e6, 1e6),
        ("keep game 0", "*", 1000.0, "+", "game 0", 1.0),
        ("sigmoid", -1e6),
        ("if", "<", 0.0, 0.0, "keep level 1", 3.0, "keep search 0", 4.0),
        ("if", "threatened", "deeper", 1.0, "shallower", "shallower", 1.0),
        ("sin", 1e6),
    ],
)
def test_undefined_operations_have_defined_results(program: Program) -> None:
    agree(program, NOTHING, times=20)


def test_code_records_the_inputs_that_it_reads() -> None:
    names = [word.name for word in CONTEXT]
    looks = compiled_from(("if", "loses", "score", "keep level 0", "level 1")).looks
    assert looks == 1 << names.index("loses") | 1 << names.index("score")
