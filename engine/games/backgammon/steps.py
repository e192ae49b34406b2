# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns of backgammon: which steps make a turn, each resulting position once.

A turn is a number: the source of each step in five bits, the first one lowest, 0 for no step; LOWER_FIRST is set if the
lower die is played first.

With two different dice, the pair (p, q) plays the higher die from p and the lower one from q. Its result does not
depend on the order, so a pair is listed once. Two pairs have the same result only in two cases: a man runs with both
dice, (p, p - higher) or (p - lower, p), and hits nothing in between; or both men are borne off, (p, q) or (q, p). With
doubles each result has one sequence of steps with descending sources.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.bitboards.bits import highest, lowest, popcount
from engine.game import Moves
from engine.games.backgammon.board import BAR, HOME, Planes, moved, occupied, several
from engine.kernel import inlined, part

WIDTH = 5
"""Bits of a source."""
SOURCE = (1 << WIDTH) - 1
LOWER_FIRST = 1 << 4 * WIDTH
PASS = 0


@inlined
def top_of(points: int) -> int:
    """Return the highest of some points."""
    return np.int64(highest(np.uint64(points)))  # type: ignore[return-value]  # an int of 64 bits, compiled


@inlined
def sources(men: Planes, free: int, die: int) -> int:
    """Return the points from which a man can move by ``die``; ``free``: points that the other side has not made.

    Men on the bar enter first. Men are borne off when all are in the home board: from the point of the die, or from the
    highest point if that is lower.
    """
    there = occupied(men)
    if there >> BAR:
        return there & free << die & 1 << BAR
    found = there & free << die
    if there >> HOME + 1 == 0 and there:
        found |= there & 1 << die
        top = top_of(there)
        if top < die:
            found |= 1 << top
    return found


@inlined
def far_from_home(men: Planes) -> bool:
    """Return whether no man is on the bar and two or more are outside of the home board.

    Then no turn of two steps bears off a man.
    """
    outside = occupied(men) >> HOME + 1
    return outside < 1 << BAR - HOME - 1 and (outside & outside - 1 != 0 or several(men) & outside << HOME + 1 != 0)


# ---------------------------------------------------------------- doubles


@part
def _one(men: Planes, free: int, die: int, top: int) -> int:
    """Return the number of steps from ``top`` or lower."""
    return popcount(np.uint64(sources(men, free, die) & (2 << top) - 1))


@part
def _two(men: Planes, free: int, die: int, top: int) -> int:
    """Return the number of sequences of two steps with descending sources, from ``top`` or lower."""
    if far_from_home(men):
        there = occupied(men)
        first = there & free << die & (2 << top) - 1
        count = popcount(np.uint64(first))
        # two men, two from one point, or one that goes on from a point without men
        return (
            count * (count - 1) // 2
            + popcount(np.uint64(first & several(men)))
            + popcount(np.uint64(first & ~(there << die) & free << 2 * die))
        )
    first = sources(men, free, die) & (2 << top) - 1
    count = 0
    while first:
        source = top_of(first)
        first ^= 1 << source
        count += _one(moved(men, source, die), free, die, source)
    return count


def _longer(rest: Callable[[Planes, int, int, int], int]) -> Callable[[Planes, int, int, int], int]:
    """Return the count of sequences with one step more than those that ``rest`` counts."""

    @part
    def count_sequences(men: Planes, free: int, die: int, top: int) -> int:
        first = sources(men, free, die) & (2 << top) - 1
        count = 0
        while first:
            source = top_of(first)
            first ^= 1 << source
            count += rest(moved(men, source, die), free, die, source)
        return count

    return count_sequences


_three = _longer(_two)
_four = _longer(_three)


@inlined
def sequences(men: Planes, free: int, die: int, length: int, top: int) -> int:
    """Return the number of sequences of ``length`` steps, from 0 to 4, with sources of at most ``top``."""
    if length == 4:
        return _four(men, free, die, top)
    if length == 3:
        return _three(men, free, die, top)
    if length == 2:
        return _two(men, free, die, top)
    if length == 1:
        return _one(men, free, die, top)
    return 1


@part
def count_doubles(men: Planes, free: int, die: int) -> tuple[int, int]:
    """Return the number of turns of a double, and the steps of each: as many as possible."""
    length = 4
    while length:
        count = sequences(men, free, die, length, BAR)
        if count:
            return count, length
        length -= 1
    return 1, 0


@part
def nth_double(men: Planes, free: int, die: int, length: int, rank: int) -> int:
    """Return the turn with this rank, from 0, in the order of ``list_doubles``."""
    move, top, shift = np.int64(0), np.int64(BAR), np.int64(0)
    while length:
        length -= 1
        first = sources(men, free, die) & (2 << top) - 1
        while True:
            top = top_of(first)
            first ^= 1 << top
            after = moved(men, top, die)
            count = sequences(after, free, die, length, top)
            if rank < count:
                break
            rank -= count
        men = after
        move |= top << shift
        shift += WIDTH
    return move  # type: ignore[return-value]  # an int of 64 bits, compiled


@part
def list_doubles(men: Planes, free: int, die: int, out: Moves) -> int:
    """Write the turns of a double, in descending order of their sources; return how many there are."""
    count, length = count_doubles(men, free, die)
    if length == 0:
        out[0] = PASS
        return 1
    written = np.int64(0)
    if length == 1:
        return _write_last(men, free, die, BAR, 0, 0, out, written)
    first = sources(men, free, die)
    while first:
        a = top_of(first)
        first ^= 1 << a
        one = moved(men, a, die)
        if length == 2:
            written = _write_last(one, free, die, a, a, WIDTH, out, written)
            continue
        second = sources(one, free, die) & (2 << a) - 1
        while second:
            b = top_of(second)
            second ^= 1 << b
            two = moved(one, b, die)
            if length == 3:
                written = _write_last(two, free, die, b, a | b << WIDTH, 2 * WIDTH, out, written)
                continue
            third = sources(two, free, die) & (2 << b) - 1
            while third:
                c = top_of(third)
                third ^= 1 << c
                begun = a | b << WIDTH | c << 2 * WIDTH
                written = _write_last(moved(two, c, die), free, die, c, begun, 3 * WIDTH, out, written)
    return count


@part
def _write_last(men: Planes, free: int, die: int, top: int, begun: int, shift: int, out: Moves, written: int) -> Any:
    """Write the turns that end with one step more than ``begun``."""
    last = sources(men, free, die) & (2 << top) - 1
    while last:
        source = top_of(last)
        last ^= 1 << source
        out[written] = begun | source << shift
        written += 1
    return written


# ---------------------------------------------------------------- two different dice


@inlined
def higher_first(men: Planes, free: int, high: int, low: int, p: int, q: int) -> bool:
    """Return whether the pair (p, q) can be played with the higher die first."""
    if not sources(men, free, high) >> p & 1:
        return False
    return sources(moved(men, p, high), free, low) >> q & 1 != 0


@inlined
def lower_first(men: Planes, free: int, high: int, low: int, p: int, q: int) -> bool:
    """Return whether the pair (p, q) can be played with the lower die first."""
    if not sources(men, free, low) >> q & 1:
        return False
    return sources(moved(men, q, low), free, high) >> p & 1 != 0


@part
def repeats(men: Planes, free: int, blots: int, high: int, low: int, p: int, q: int) -> bool:
    """Return whether another pair, which is listed, has the same result as (p, q)."""
    if q - low == p and q > high:
        between = 1 << p | 1 << q - high
        if not blots & between and higher_first(men, free, high, low, q, q - high):
            return True
    if p < q <= low:
        return higher_first(men, free, high, low, q, p) or lower_first(men, free, high, low, q, p)
    return False


@part
def list_pairs(men: Planes, free: int, blots: int, high: int, low: int, out: Moves) -> int:
    """Write the turns of two different dice; return how many there are.

    First those with the higher die first. If only one die can be played, it must be the higher one if possible.
    """
    count = np.int64(0)
    by_high, by_low = sources(men, free, high), sources(men, free, low)
    for flag in (0, LOWER_FIRST):
        die, following, first = (low, high, by_low) if flag else (high, low, by_high)
        while first:
            begun = top_of(first)
            first ^= 1 << begun
            second = sources(moved(men, begun, die), free, following)
            while second:
                last = top_of(second)
                second ^= 1 << last
                p, q = (last, begun) if flag else (begun, last)
                if (flag and higher_first(men, free, high, low, p, q)) or repeats(men, free, blots, high, low, p, q):
                    continue
                out[count] = begun | last << WIDTH | flag
                count += 1
    if count:
        return count  # type: ignore[return-value]  # an int of 64 bits, compiled
    return list_single(by_high, by_low, out)


@inlined
def list_single(by_high: int, by_low: int, out: Moves) -> int:
    """Write the turns of one step, with the higher die if possible; else a pass."""
    first = by_high or by_low
    flag = 0 if by_high else LOWER_FIRST
    count = np.int64(0)
    while first:
        source = top_of(first)
        first ^= 1 << source
        out[count] = source | flag
        count += 1
    if count == 0:
        out[0] = PASS
        count += 1
    return count  # type: ignore[return-value]  # an int of 64 bits, compiled


@inlined
def place_of(points: int, rank: int) -> int:
    """Return the point with this rank, from 0, of some points."""
    for _ in range(rank):
        points &= points - 1
    return np.int64(lowest(np.uint64(points)))  # type: ignore[return-value]  # an int of 64 bits, compiled
