# SPDX-License-Identifier: GPL-3.0-or-later
"""The equity of a hand against a random one: the share of the pot that it wins on average if nobody folds."""

import numpy as np

from engine.bitboards.bits import Bits, popcount
from engine.games.holdem.hands import DECK, bit_of, value_of
from engine.kernel import compiled, inlined
from engine.walks.playout import scramble

OPEN = 5
"""Open cards at the showdown."""


STRIDE = np.uint64(0x9E3779B97F4A7C15)
"""From a number of splitmix64 to the next one."""


@inlined
def card_of(chance: np.uint64) -> int:
    """Return a random card for a number."""
    number = scramble(chance) >> np.uint64(32)
    return np.int64(number * np.uint64(DECK) >> np.uint64(32))  # type: ignore[return-value]  # an int64, compiled


@compiled
def equity(own: int, board: int, samples: int, chance: np.uint64) -> float:
    """Estimate the equity of two cards with the open cards so far, both as sets (``hands``), by Monte Carlo rollouts.

    Each sample draws the other hand and the missing open cards uniformly from the rest of the deck. ``chance``: seed.
    The standard error is at most ``0.5 / samples ** 0.5``.
    """
    missing, won = OPEN - popcount(Bits(board)), 0
    for _ in range(samples):
        other, shared, used = 0, board, own | board
        for place in range(missing + 2):
            bit = used
            while used & bit:
                chance += STRIDE
                bit = bit_of(card_of(chance))
            used |= bit
            if place < 2:
                other |= bit
            else:
                shared |= bit
        ours, theirs = value_of(own | shared), value_of(other | shared)
        won += 1 + (ours > theirs) - (ours < theirs)
    return won / (2 * samples)
