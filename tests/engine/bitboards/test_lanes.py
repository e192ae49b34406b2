# SPDX-License-Identifier: GPL-3.0-or-later
"""Vector operations on eight boards at once, compared with plain Python for each lane."""

from itertools import accumulate
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bitboards.lanes import (
    common,
    exchanged,
    lane,
    left,
    opposite,
    packed,
    popcounts,
    reached,
    right,
    rotated,
    row,
    some,
    spread,
    sums,
    total,
    union,
    unpacked,
    upside_down,
    weave,
    where,
)
from engine.kernel import compiled

ALL = 2**64 - 1
words = st.integers(0, ALL) | st.sampled_from([0, 1, ALL])
eights = st.lists(words, min_size=8, max_size=8)
once = settings(deadline=None)


def boards(values: list[int]) -> Any:
    return tuple(np.uint64(value) for value in values)


@compiled
def operators(one: Any, other: Any) -> Any:
    a, b = packed(one), packed(other)
    return (
        unpacked(a & b),
        unpacked(a | b),
        unpacked(a ^ b),
        unpacked(a + b),
        unpacked(a - b),
        unpacked(a * b),
        unpacked(~a),
    )


@once
@given(one=eights, other=eights)
def test_operators_act_lane_by_lane(one: list[int], other: list[int]) -> None:
    pairs = list(zip(one, other, strict=True))
    assert [list(result) for result in operators(boards(one), boards(other))] == [
        [a & b for a, b in pairs],
        [a | b for a, b in pairs],
        [a ^ b for a, b in pairs],
        [(a + b) & ALL for a, b in pairs],
        [(a - b) & ALL for a, b in pairs],
        [a * b & ALL for a, b in pairs],
        [~a & ALL for a in one],
    ]


@compiled
def moved(one: Any, other: Any, count: Any) -> Any:
    a, b = packed(one), packed(other)
    return (
        unpacked(rotated(a, b)),
        unpacked(left(a, count)),
        unpacked(right(a, count)),
        unpacked(opposite(a)),
        unpacked(exchanged(a)),
        unpacked(upside_down(a)),
        unpacked(popcounts(a)),
        unpacked(sums(a)),
        unpacked(where(b, a, ~a)),
    )


@once
@given(one=eights, other=eights, count=st.integers(0, 63))
def test_lanes_to_lanes(one: list[int], other: list[int], count: int) -> None:
    turns = [b % 64 for b in other]
    assert [list(result) for result in moved(boards(one), boards(other), np.uint64(count))] == [
        [(a << n | a >> (64 - n)) & ALL for a, n in zip(one, turns, strict=True)],
        [a << count & ALL for a in one],
        [a >> count for a in one],
        one[4:] + one[:4],
        [one[1], one[0], *one[2:]],
        [int.from_bytes(a.to_bytes(8, "little"), "big") for a in one],
        [a.bit_count() for a in one],
        [value & ALL for value in accumulate(one)],
        [a if b else ~a & ALL for a, b in zip(one, other, strict=True)],
    ]


@compiled
def made(even: Any, odd: Any, table: Any, index: Any) -> Any:
    return unpacked(spread(even)), unpacked(weave(even, odd)), unpacked(row(table, index))


@once
@given(even=words, odd=words, rows=st.lists(eights, min_size=1, max_size=4))
def test_boards_to_lanes(even: int, odd: int, rows: list[list[int]]) -> None:
    table = np.array(rows, np.uint64).ravel()
    for index, values in enumerate(rows):
        found = made(np.uint64(even), np.uint64(odd), table, np.uint64(index))
        assert [list(result) for result in found] == [[even] * 8, [even, odd] * 4, values]


@compiled
def gathered(one: Any, index: Any, bound: Any) -> Any:
    a = packed(one)
    return total(a), union(a), common(a), some(a), lane(a, index), reached(a, bound)


@once
@given(one=eights | st.just([0] * 8), index=st.integers(0, 7), bound=words)
def test_lanes_to_one_value(one: list[int], index: int, bound: int) -> None:
    anywhere, everywhere = 0, ALL
    for value in one:
        anywhere, everywhere = anywhere | value, everywhere & value
    expected = (sum(one) & ALL, anywhere, everywhere, any(one), one[index], sum(value <= bound for value in one))
    assert gathered(boards(one), np.uint64(index), np.uint64(bound)) == expected
