# SPDX-License-Identifier: GPL-3.0-or-later
"""Bit functions give the same results in compiled code and in Python."""

import sys
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bitboards.bits import Bits, highest, lowest, popcount, rotate, upside_down
from engine.kernel import compiled
from engine.native.buffers import borrowed, lent

words = st.integers(0, 2**64 - 1).map(Bits)


@compiled
def instructions(board: Any, count: Any) -> Any:
    return popcount(board), lowest(board), highest(board), rotate(board, count), upside_down(board)


@settings(deadline=None)
@given(board=words.filter(bool), count=words)
def test_compiled_instructions_agree_with_their_python_bodies(board: Bits, count: Bits) -> None:
    expected = popcount(board), lowest(board), highest(board), rotate(board, count), upside_down(board)
    assert instructions(board, count) == expected


def test_values_of_bit_functions() -> None:
    assert popcount(Bits(0b1011)) == 3
    assert lowest(Bits(0b1000)) == 3
    assert highest(Bits(0b1010)) == 3
    assert upside_down(Bits(0b11)) == 0b11 << 56
    assert rotate(Bits(1), Bits(65)) == 2
    assert rotate(Bits(1), Bits(2**64 - 1)) == 1 << 63


@compiled
def fill(rows: Any, pair: Any) -> None:
    rows, (first, number) = borrowed(rows), borrowed(pair)
    for row in rows:
        row[:] = number
    first[0] = number + 1


def test_a_borrowed_buffer_is_the_buffer() -> None:
    rows, first = np.zeros((3, 2), np.int64), np.zeros(1, np.int64)
    for _ in range(100):
        fill(rows, (first, 7))
    assert (rows == 7).all()
    assert first[0] == 8


class Two(NamedTuple):
    """Arrays of different types and shapes."""

    words: Any
    rows: Any


@compiled
def descend(depth: int, loan: Any) -> Any:
    two = borrowed(loan)
    two.words[depth] += depth
    two.rows[depth, 1] = two.words[depth]
    return descend(depth - 1, loan) + 1 if depth else 0


@compiled
def begin(depth: int, two: Two) -> Any:
    return descend(depth, lent(borrowed(two)))


def test_lent_arrays_are_the_same_wherever_they_are_borrowed() -> None:
    two = Two(np.full(6, 10), np.zeros((6, 2), np.int16))
    counts = [sys.getrefcount(array) for array in two]
    assert begin(5, two) == 5
    assert two.words.tolist() == [10, 11, 12, 13, 14, 15]
    assert two.rows.tolist() == [[0, 10], [0, 11], [0, 12], [0, 13], [0, 14], [0, 15]]
    assert [sys.getrefcount(array) for array in two] == counts
