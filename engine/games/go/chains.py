# SPDX-License-Identifier: GPL-3.0-or-later
"""Tactics of Go by flood fill: captures, saved chains, ladders, and vital points of eyes. For playouts and priors."""

import numpy as np

from engine.bitboards.wide import Wide, count_bits, down, first_bit, neighbours, single, some, up
from engine.kernel import inlined, part

_ONE = np.uint64(1)

LADDER = 120
"""Plies after which a ladder counts as escaped."""


@inlined
def chain_of(seed: Wide, chains: Wide, empty: Wide, stride: np.uint64, most: int) -> tuple[Wide, Wide]:
    """Return stones and liberties of the chain of a stone: the whole chain if it has at most ``most`` liberties.

    With more liberties the search for others ends.
    """
    chain = seed
    while True:
        near = neighbours(chain, stride)
        liberties = near & empty
        grown = chain | near & chains
        if count_bits(liberties) > most or not some(grown ^ chain):
            return chain, liberties
        chain = grown


@part
def exposed(chains: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return all stones but those of chains in which one stone has two liberties."""
    east, west = down(empty, _ONE), up(empty, _ONE)
    north, south = down(empty, stride), up(empty, stride)
    safe = chains & (east & west | north & south | (east | west) & (north | south))
    while True:
        grown = safe | neighbours(safe, stride) & chains
        if not some(grown ^ safe):
            return chains & ~safe
        safe = grown


@part
def capturing(asked: Wide, other: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the points that capture a chain of ``other`` with a stone in ``asked``."""
    found = asked & ~asked
    while some(asked):
        seed = single(asked, first_bit(asked))
        chain, liberties = chain_of(seed, other, empty, stride, 1)
        asked = asked & ~chain
        if count_bits(liberties) == 1:
            found = found | liberties
    return found


@inlined
def stands(bit: Wide, own: Wide, empty: Wide, stride: np.uint64) -> bool:
    """Return whether a stone of ``own`` has a liberty after it was placed."""
    _, liberties = chain_of(bit, own | bit, empty & ~bit, stride, 0)
    return some(liberties)


@part
def caught(seed: Wide, own: Wide, other: Wide, empty: Wide, stride: np.uint64, plies: int) -> bool:
    """Return whether a ladder catches a chain with one liberty, whose side is to move.

    A chain escapes if it gets three liberties, or can capture a chain beside it. Captured stones are not removed.
    ``plies``: 0 to begin with.
    """
    chain, liberties = chain_of(seed, own, empty, stride, 1)
    if plies > LADDER or some(capturing(neighbours(chain, stride) & other, other, empty, stride)):
        return False
    own, empty = own | liberties, empty & ~liberties
    _, after = chain_of(liberties, own, empty, stride, 2)
    count = count_bits(after)
    if count != 2:
        return count < 2
    for _ in range(2):
        bit = single(after, first_bit(after))
        after = after & ~bit
        if stands(bit, other, empty, stride) and caught(
            seed, own, other | bit, empty & ~bit, stride, plies + np.int64(2)
        ):
            return True
    return False


@part
def ladders(asked: Wide, own: Wide, other: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the points from which a ladder of ``own`` catches a chain of ``other`` that has two liberties and a stone
    in ``asked``.
    """
    found = asked & ~asked
    while some(asked):
        seed = single(asked, first_bit(asked))
        chain, liberties = chain_of(seed, other, empty, stride, 2)
        asked = asked & ~chain
        if count_bits(liberties) == 2:
            for _ in range(2):
                bit = single(liberties, first_bit(liberties))
                liberties = liberties & ~bit
                if stands(bit, own, empty, stride) and caught(
                    seed, other, own | bit, empty & ~bit, stride, np.int64(0)
                ):
                    found = found | bit
    return found


@part
def saving(asked: Wide, own: Wide, other: Wide, empty: Wide, stride: np.uint64) -> Wide:
    """Return the points that save chains of ``own`` with a stone in ``asked`` from capture.

    They capture a chain beside the own one, or extend it to two liberties or more from which no ladder catches it.
    """
    found = asked & ~asked
    while some(asked):
        seed = single(asked, first_bit(asked))
        chain, liberties = chain_of(seed, own, empty, stride, 1)
        asked = asked & ~chain
        if count_bits(liberties) == 1:
            captures = capturing(neighbours(chain, stride) & other, other, empty, stride)
            found = found | captures
            _, after = chain_of(liberties, own | liberties, empty & ~liberties, stride, 1)
            if count_bits(after) > 1 and (some(captures) or not caught(seed, own, other, empty, stride, np.int64(0))):
                found = found | liberties
    return found


@inlined
def vital_point(area: Wide, stride: np.uint64) -> Wide:
    """Return the vital point of an area: its owner makes two eyes by playing there, the other side reduces it to one
    eye; empty if there is none.

    The areas are three points, the pyramid of four, the cross and the bulky five, and the rabbity six.
    """
    east, west = area & down(area, _ONE), area & up(area, _ONE)
    north, south = area & down(area, stride), area & up(area, stride)
    size, edges = count_bits(area), count_bits(east) + count_bits(north)
    three = east & west & (north | south) | north & south & (east | west)
    four = east & west & north & south
    if size == 3:
        return east & west | north & south | (east | west) & (north | south)
    if size == 4:
        return three
    if size == 5 and edges == 5:
        return three
    return four if (size == 5 and edges == 4) or (size == 6 and edges == 6) else area & ~area


@inlined
def kills(chain: Wide, stride: np.uint64) -> bool:
    """Return whether an eye in place of a captured chain could not become two: up to three stones, a square of four, or
    an area with a vital point.
    """
    size = count_bits(chain)
    if size < 4:
        return True
    if size == 4 and count_bits(chain & up(chain, _ONE)) == 2 and count_bits(chain & up(chain, stride)) == 2:
        return True
    return some(vital_point(chain, stride))
