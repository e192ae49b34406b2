# SPDX-License-Identifier: GPL-3.0-or-later
"""Sinks of features: the same code is compiled to sum weighted features for searches, or to write them as a vector."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from engine.evaluation import Words
from engine.kernel import implements, inlined, kernel

Whole: TypeAlias = int | np.int64


class Weigh(NamedTuple):
    """Multiplies each feature by its weight."""

    words: Words


class Write(NamedTuple):
    """Adds each feature, times ``sign``, to a vector."""

    out: Words
    sign: int


class WritePair(NamedTuple):
    """Adds each feature, times ``sign``, to its two places in a vector: middle game and endgame."""

    out: Words
    sign: int


@kernel
def count(sink: Any, term: Whole, times: Whole) -> int:
    """Put a feature, ``times`` a term, into a sink; return its weighted value."""
    raise NotImplementedError


@implements(count, Weigh)
def _weigh(sink: Any, term: Whole, times: Whole) -> int:
    return sink.words[term] * np.int64(times)


@implements(count, Write)
def _write(sink: Any, term: Whole, times: Whole) -> int:
    sink.out[term] += sink.sign * np.int64(times)
    return 0


@implements(count, WritePair)
def _write_pair(sink: Any, term: Whole, times: Whole) -> int:
    sink.out[2 * term] += sink.sign * np.int64(times)
    sink.out[2 * term + 1] += sink.sign * np.int64(times)
    return 0


HALF = 32


def paired(middle: int, end: int) -> int:
    """Pack the weights of middle game and endgame into one word, for one multiplication."""
    return middle + (end << HALF)


@inlined
def middle_of(weighed: int) -> np.int64:
    """Return the middle-game part of a sum of words."""
    return np.int64(np.int32(weighed & 0xFFFFFFFF))


@inlined
def end_of(weighed: int) -> np.int64:
    """Return the endgame part of a sum of words."""
    return (np.int64(weighed) + np.int64(1 << HALF - 1)) >> np.int64(HALF)
