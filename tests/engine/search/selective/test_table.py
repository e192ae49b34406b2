# SPDX-License-Identifier: GPL-3.0-or-later
"""The transposition table of the selective search."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.search.selective.table import (
    ABSENT,
    BUCKET,
    CACHE_LINE,
    EXACT,
    FITTING,
    LOWER,
    NO_MOVE,
    NO_SCORE,
    UPPER,
    Entry,
    keep,
    new_table,
    recall,
)

keys = st.integers(min_value=-(2**63), max_value=2**63 - 1)


@settings(deadline=None)
@given(
    key=keys,
    depth=st.integers(min_value=0, max_value=127),
    bound=st.sampled_from([UPPER, LOWER, EXACT]),
    value=st.integers(min_value=-FITTING, max_value=FITTING),
    move=st.integers(min_value=NO_MOVE, max_value=2**16 - 2),
    score=st.integers(min_value=NO_SCORE, max_value=FITTING),
    horizon=st.integers(min_value=0, max_value=1),
    age=st.integers(min_value=0, max_value=2**40),
)
def test_a_stored_entry_is_found(
    key: int, depth: int, bound: int, value: int, move: int, score: int, horizon: int, age: int
) -> None:
    table = new_table(4)
    assert recall(table, key) == Entry(ABSENT, 0, 0, NO_MOVE, NO_SCORE, 0)
    keep(table, key, depth, bound, value, move, score, horizon, age)
    assert recall(table, key) == Entry(bound, value, depth, move, score, horizon)


def test_an_entry_is_sixteen_bytes_and_a_bucket_a_cache_line() -> None:
    table = new_table(10)
    assert table.nbytes == 16 << 10
    assert table[:BUCKET].nbytes == CACHE_LINE
    assert table.ctypes.data % CACHE_LINE == 0


def test_a_value_that_is_too_large_is_not_stored() -> None:
    table = new_table(4)
    keep(table, 1, 3, EXACT, FITTING + 1, 5, 0, 0, 0)
    assert recall(table, 1).bound == ABSENT


def test_an_entry_keeps_its_move_if_the_new_one_has_none() -> None:
    table = new_table(4)
    keep(table, 1, 3, EXACT, 7, 5, 0, 0, 1)
    keep(table, 1, 4, UPPER, 6, NO_MOVE, 0, 0, 1)
    assert recall(table, 1) == Entry(UPPER, 6, 4, 5, 0, 0)


def test_a_much_shallower_bound_replaces_only_an_older_searchs() -> None:
    table = new_table(4)
    keep(table, 1, 20, LOWER, 7, 5, 0, 0, 1)
    keep(table, 1, 2, UPPER, 6, 4, 0, 0, 1)
    assert recall(table, 1).depth == 20
    keep(table, 1, 2, UPPER, 6, 4, 0, 0, 2)
    assert recall(table, 1).depth == 2


def test_older_and_shallower_entries_are_replaced_first() -> None:
    table = new_table(2)
    for number, (depth, age) in enumerate([(9, 1), (5, 9), (3, 9), (8, 9)]):
        keep(table, number << 32, depth, EXACT, 0, 0, 0, 0, age)
    keep(table, 100 << 32, 1, EXACT, 0, 0, 0, 0, 9)
    assert recall(table, 0).bound == ABSENT
    keep(table, 101 << 32, 6, EXACT, 0, 0, 0, 0, 9)
    assert recall(table, 100 << 32).bound == ABSENT
    assert all(recall(table, number << 32).bound for number in (1, 2, 3, 101))
