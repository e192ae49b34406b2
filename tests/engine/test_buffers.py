# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays that compiled code hands on without counting references."""

import sys
from typing import Any, NamedTuple

import numpy as np

from engine.buffers import borrowed, lent
from engine.kernel import compiled


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
