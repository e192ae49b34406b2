# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards, and the value of the best hand of five cards among up to seven.

A card is ``4 * rank + suit``: ranks from the two (0) to the ace (12), suits c, d, h, s. A set of cards has 16 bits for
each suit, and in them the ranks. The value of a hand is its category, above the ranks that decide first, above those of
the kickers. A set of ranks is a number of 13 bits, so a larger number is the set with the higher card, and two hands
compare by their values alone, without tables.
"""

from engine.bitboards.bits import Bits, popcount
from engine.kernel import inlined

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = 52

LANE, LANE_MASK = 16, 0x1FFF
"""Bits from a suit to the next one, and the bits of a suit."""

HIGH_CARD, PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
"""The categories of hands."""
CATEGORY = 26
"""The lowest bit of a value's category."""
DECIDING = 13
"""The lowest bit of the ranks that decide first."""


@inlined
def bit_of(card: int) -> int:
    """Return the set of one card."""
    return 1 << (LANE * (card & 3) + (card >> 2))


@inlined
def highest_of(ranks: int, count: int) -> int:
    """Return the highest ``count`` of a set of ranks, or all if there are fewer."""
    for _ in range(popcount(Bits(ranks)) - count):
        ranks &= ranks - 1
    return ranks


@inlined
def straight_in(ranks: int) -> int:
    """Return the lowest rank of the highest straight, as a set; 0 if there is none.

    In this set the ace below the two is bit 0, and the other ranks are one bit higher than in ``ranks``.
    """
    low = ranks << 1 | ranks >> 12 & 1
    return highest_of(low & low >> 1 & low >> 2 & low >> 3 & low >> 4, 1)


@inlined
def value_of(cards: int) -> int:
    """Return the value of the best hand of five among five to seven cards; the higher value wins."""
    clubs, diamonds = cards & LANE_MASK, cards >> LANE & LANE_MASK
    hearts, spades = cards >> 2 * LANE & LANE_MASK, cards >> 3 * LANE & LANE_MASK
    flush = 0
    for suit in (clubs, diamonds, hearts, spades):
        if popcount(Bits(suit)) >= 5:
            flush = suit
    if flush:
        straight = straight_in(flush)
        if straight:
            return STRAIGHT_FLUSH << CATEGORY | straight
    black, red = clubs | spades, diamonds | hearts
    two_black, two_red = clubs & spades, diamonds & hearts
    ranks = black | red
    pairs = two_black | two_red | black & red
    trips = two_black & red | two_red & black
    quads = two_black & two_red
    if quads:
        return QUADS << CATEGORY | quads << DECIDING | highest_of(ranks & ~quads, 1)
    if trips:
        best = highest_of(trips, 1)
        others = pairs & ~best
        if others:
            return FULL_HOUSE << CATEGORY | best << DECIDING | highest_of(others, 1)
    if flush:
        return FLUSH << CATEGORY | highest_of(flush, 5)
    straight = straight_in(ranks)
    if straight:
        return STRAIGHT << CATEGORY | straight
    if trips:
        return TRIPS << CATEGORY | trips << DECIDING | highest_of(ranks & ~trips, 2)
    if pairs:
        best = highest_of(pairs, 2)
        if best & (best - 1):
            return TWO_PAIRS << CATEGORY | best << DECIDING | highest_of(ranks & ~best, 1)
        return PAIR << CATEGORY | best << DECIDING | highest_of(ranks & ~best, 3)
    return HIGH_CARD << CATEGORY | highest_of(ranks, 5)
