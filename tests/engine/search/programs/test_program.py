# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs are typed and bounded, and whatever breeds them keeps them so."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from bots.evolution.evochess import growth
from engine.search.programs.program import (
    DEPTH,
    SIZE,
    Program,
    Token,
    check,
    depth,
    depths,
    end_of,
    formula,
    parts,
    written,
)
from tests.engine.search.programs.cases import PROGRAMS
from tests.engine.search.programs.reading import program_of

SEEDS = some.integers(0, 2**64)


@settings(max_examples=500, deadline=None)
@given(PROGRAMS, PROGRAMS, SEEDS)
def test_crossover_and_mutation_give_valid_programs(mother: Program, father: Program, seed: int) -> None:
    chance = Random(seed)
    for child in (mother, growth.crossed(mother, father, chance), growth.mutated(mother, chance)):
        assert check(child) == child
        assert len(child) <= SIZE
        assert max(depths(child)) == depth(child) <= DEPTH
        assert end_of(child, 0) == len(child)
        assert formula(child)


@settings(max_examples=200, deadline=None)
@given(PROGRAMS, PROGRAMS, SEEDS)
def test_the_same_seed_breeds_the_same(mother: Program, father: Program, seed: int) -> None:
    assert growth.crossed(mother, father, Random(seed)) == growth.crossed(mother, father, Random(seed))
    assert growth.mutated(mother, Random(seed)) == growth.mutated(mother, Random(seed))


def test_mutation_and_crossing_reach_everything() -> None:
    chance = Random(1)
    mother: Program = ("+", "horizon", 1.0)
    children = {growth.mutated(mother, chance) for _ in range(2_000)}
    assert ("horizon",) in children
    assert ("-", "horizon", 1.0) in children
    assert any(child[:2] == ("+", "horizon") and child[2] != 1.0 and len(child) == 3 for child in children)
    assert any(child[-3:] == mother and len(child) > 3 for child in children), "nothing was put around it"
    assert len(children) > 500
    assert {growth.crossed(mother, ("*", "score", 2.0), chance) for _ in range(10_000)} >= {
        ("*", "score", 2.0),
        ("+", "*", "score", 2.0, 1.0),
        ("+", "horizon", "score"),
    }


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ((), "ends before"),
        (("+", 1.0), "ends before"),
        (("+", 1.0, 1.0, 1.0), "after its end"),
        (("<", 1.0, 1.0), "where a number"),
        (("+", "threatened", 1.0), "where a number"),
        (("if", "score", 1.0, 1.0), "where a truth"),
        (("eval", 1.0), "unknown word"),
        ((float("nan"),), "not a number"),
        ((float("inf"),), "not a number"),
        ((1e7,), "not a number"),
        ((True,), "not a number"),
        ((None,), "not a number"),
        ((("+", 1.0, 1.0),), "not a number"),
        (("sin",) * DEPTH + (1.0,), "deep"),
        (("+", "+", 1.0, 1.0, 1.0) * 20, "at most 64"),
    ],
)
def test_bad_programs_are_refused(tokens: tuple[Token, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        check(tokens)


def test_a_formula_is_readable() -> None:
    program = check(("if", "<", "score", "alpha", "shallower", "horizon", "keep level 0", "*", 2, "level 0"))
    assert formula(program) == "score < alpha ? shallower(horizon) : level0 := 2 · level0"
    assert parts(program, 0) == [(1, 4), (4, 6), (6, 10)]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (("-", "horizon", "-", 1.0, "+", "level", 2.0), "horizon - (1 - (level + 2))"),
        (("-", "-", "horizon", 1.0, 2.0), "horizon - 1 - 2"),
        (("*", "+", 1.0, "level", "/", "if", "loses", 1.0, -2.0, "moves"), "(1 + level) · ((loses ? 1 : -2) / moves)"),
        (("+", "keep game 1", "sin", "level", "horizon"), "(game1 := sin(level)) + horizon"),
        (("keep game 1", "if", "loses", "level", 3.0), "game1 := (loses ? level : 3)"),
        (
            ("if", "<", "level", 2.0, "if", "loses", 0.0, 1.0, "sigmoid", "beta"),
            "level < 2 ? (loses ? 0 : 1) : σ(beta)",
        ),
    ],
)
def test_a_formula_has_the_brackets_that_it_takes(tokens: tuple[Token, ...], text: str) -> None:
    assert formula(check(tokens)) == text


@settings(max_examples=1_000, deadline=None)
@given(PROGRAMS)
def test_a_formula_can_be_read_back_and_says_where_everything_stands(drawn: Program) -> None:
    # numbers are written with four digits
    program = tuple(float(f"{token:.4g}") if isinstance(token, float) else token for token in drawn)
    found = written(program)
    assert program_of(found.text) == program
    assert len(found.spots) == len(program)
    for place, spot in enumerate(found.spots):
        assert program_of(found.text[spot.start : spot.end]) == program[place : end_of(program, place)]
        assert [start for start, _ in parts(program, place)] == [
            other for other, one in enumerate(found.spots) if one.parent == place
        ]
