# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards, hands and the state of a bridge deal.

A set of cards has 16 bits for each suit, clubs lowest, and in them the ranks from 2 to the ace. A card, and the move
that plays it, is the number of its bit. The players sit clockwise: 0 north, 1 east, 2 south, 3 west.
"""

from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits
from engine.kernel import inlined

SUITS, RANKS = "CDHS", "23456789TJQKA"
PLAYERS = "NESW"
LANE = 16
"""Bits of a suit."""
TRICKS = 13
NOTRUMP, UNKNOWN = 4, 7
"""Strains besides the four suits; UNKNOWN: it is not drawn yet."""
BOOK = 6
"""Tricks that the level of a contract does not count."""

ZERO, ONE, THREE = Bits(0), Bits(1), Bits(3)
SUIT = Bits(0x1FFF)
"""The cards of one suit."""
DECK = Bits(0x1FFF1FFF1FFF1FFF)

STRAIN, DECLARER, LEADER, TURN, LEVEL, WON, LOST, DEALING = 0, 3, 5, 7, 9, 12, 16, 20
"""First bits of ``Bridge.facts``."""
WIDTHS = {STRAIN: 3, DECLARER: 2, LEADER: 2, TURN: 2, LEVEL: 3, WON: 4, LOST: 4, DEALING: 1}


class Bridge(NamedTuple):
    """A deal in play. Seat 0 is the declarer's side, seat 1 the defenders."""

    north: Bits
    east: Bits
    south: Bits
    west: Bits
    trick: Bits
    """The cards of the trick in the order of play, 8 bits for each: 1 + the card. A complete trick lies there until the
    next lead."""
    facts: Bits
    """Strain, declarer, who leads the trick, whose turn it is, level of the contract, tricks that the declarer's side
    and the defenders have won, and whether the cards are still dealt; see STRAIN and the other first bits."""


@inlined
def fact(facts: Bits, first: int, mask: int) -> int:
    """Return a number of ``Bridge.facts``. ``mask``: of its bits."""
    return np.int64(facts >> np.uint64(first)) & mask  # type: ignore[return-value]  # an int64, compiled


@inlined
def strain_of(facts: Bits) -> int:
    """Return the strain: the trump suit, NOTRUMP or UNKNOWN."""
    return fact(facts, STRAIN, 7)


@inlined
def declarer_of(facts: Bits) -> int:
    """Return the player who declares."""
    return fact(facts, DECLARER, 3)


@inlined
def turn_of(facts: Bits) -> int:
    """Return the player who plays the next card."""
    return fact(facts, TURN, 3)


@inlined
def target_of(facts: Bits) -> int:
    """Return the tricks that the declarer's side needs."""
    return BOOK + fact(facts, LEVEL, 7)


@inlined
def cards_of(state: Bridge, player: int) -> Bits:
    """Return the hand of a player."""
    if player & 1:
        return state.west if player & 2 else state.east
    return state.south if player & 2 else state.north


@inlined
def card_at(trick: Bits, place: int) -> int:
    """Return a card of a trick, -1 if it is not played yet."""
    return np.int64(trick >> np.uint64(8 * place) & Bits(255)) - 1  # type: ignore[return-value]  # an int64, compiled


@inlined
def played_in(trick: Bits) -> int:
    """Return how many cards a trick has, 0 to 4."""
    count = 0
    for place in range(4):
        count += card_at(trick, place) >= 0
    return count


@inlined
def best_card(trick: Bits, strain: int) -> int:
    """Return the place, 0 to 3, of the card that wins a trick with at least one card."""
    best, place = card_at(trick, 0), 0
    for at in range(1, 4):
        card = card_at(trick, at)
        if card < 0:
            break
        better = card > best if card >> 4 == best >> 4 else card >> 4 == strain
        if better:
            best, place = card, at
    return place
