# SPDX-License-Identifier: GPL-3.0-or-later
"""The transposition table on its own."""

from hypothesis import given
from hypothesis import strategies as st

from engine.search.transposition import (
    BUCKET,
    LOWER,
    UNKNOWN,
    UPPER,
    best_index,
    depth_left,
    find,
    new_table,
    saw_horizon,
    store,
)

keys = st.integers(min_value=-(2**63), max_value=2**63 - 1)
bounds = st.integers(min_value=-(2**40), max_value=2**40)


@given(
    key=keys,
    depth=st.integers(min_value=0, max_value=100),
    lower=bounds,
    upper=bounds,
    index=st.integers(min_value=-1, max_value=65534),
    horizon=st.integers(min_value=0, max_value=1),
    age=st.integers(min_value=0, max_value=2**30),
)
def test_a_stored_entry_is_found(
    key: int, depth: int, lower: int, upper: int, index: int, horizon: int, age: int
) -> None:
    table = new_table(4)
    assert find(table, key) == -1
    store(table, key, depth, lower, upper, index, horizon, age)
    row = find(table, key)
    assert row >= 0
    assert (table[row, LOWER], table[row, UPPER]) == (lower, upper)
    assert (depth_left(table, row), best_index(table, row), saw_horizon(table, row)) == (depth, index, horizon)


def test_bounds_at_the_same_depth_are_narrowed_and_at_another_replaced() -> None:
    table = new_table(4)
    store(table, 7, 3, 10, UNKNOWN, 2, 0, 1)
    store(table, 7, 3, -UNKNOWN, 20, -1, 1, 1)
    row = find(table, 7)
    assert (table[row, LOWER], table[row, UPPER]) == (10, 20)
    assert (best_index(table, row), saw_horizon(table, row)) == (2, 1)
    store(table, 7, 4, 11, UNKNOWN, -1, 0, 1)
    assert (table[row, LOWER], table[row, UPPER], depth_left(table, row)) == (11, UNKNOWN, 4)
    assert best_index(table, row) == 2


def test_entries_of_older_searches_are_replaced_first_then_shallower_ones() -> None:
    table = new_table(2)
    for number, (depth, age) in enumerate([(9, 1), (5, 2), (3, 2), (8, 2)]):
        store(table, number * BUCKET, depth, 0, 0, 0, 0, age)
    store(table, 100 * BUCKET, 1, 0, 0, 0, 0, 2)
    assert find(table, 0) == -1
    store(table, 101 * BUCKET, 1, 0, 0, 0, 0, 2)
    assert find(table, 100 * BUCKET) == -1
    assert all(find(table, number * BUCKET) >= 0 for number in (1, 2, 3, 101))
