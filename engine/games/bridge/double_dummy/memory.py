# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrays of the double-dummy solver, and its transposition table.

An entry of the table is a set of positions (M. Ginsberg, Partition search, 1996): those with the same length of each
suit in each hand, in which the same players hold the highest cards of each suit, as many as matter to the proof. The
owners of the cards of a suit that are left are written by rank, 2 bits for each card, the highest card lowest.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.bitboards.bits import Bits, highest, lowest, popcount
from engine.exact import Cells
from engine.games.bridge.cards import LANE, ONE, RANKS, SUIT, SUITS, ZERO
from engine.kernel import compiled, inlined

TRUMPS, ENTRIES, BEST = range(3)
"""Places in ``facts``: the trump suit (NOTRUMP: none), entries of the table in use, and the card that decided the last
search, if one did."""

LISTS = 16
"""2 ** LISTS lists of entries."""

TAG, OWNERS, MORE_OWNERS, MASK, MORE_MASK, REST = range(6)
"""Words of an entry. TAG: lengths of the suits and leader; OWNERS and MASK: of clubs and diamonds, and MORE: of hearts
and spades; REST: the next entry, bounds, how many cards of each suit matter, and the best card."""
WORDS = 6
LOW, HIGH, COUNTS, CARD = np.uint64(32), np.uint64(36), np.uint64(40), np.uint64(56)
"""First bits in REST."""
NEXT = np.uint64(2**32 - 1)
FOUR, FIFTEEN = np.uint64(4), np.uint64(15)
HALF = np.uint64(32)

PLIES = 64
WIDTH = 16


class Memory(NamedTuple):
    """The arrays of a solver."""

    control: Cells
    """Counters: see ``engine.exact``."""
    facts: NDArray[np.int64]
    """The cells named above."""
    hands: NDArray[np.uint64]
    """(4,)"""
    moves: NDArray[np.int64]
    """(ply, move): ordering key × 64 + card."""
    owners: NDArray[np.uint64]
    """(suit, cards of the suit that are left): their owners."""
    lists: NDArray[np.int64]
    """(2 ** LISTS,): the first entry of each list; 0: none."""
    table: NDArray[np.uint64]
    """(entries, WORDS)"""
    history: NDArray[np.int64]
    """(player, card): how often a card decided a position."""


def new_memory(control: Cells, entries: int) -> Memory:
    """Return the arrays of a solver with a table of so many entries, of 8 * WORDS bytes each."""
    return Memory(
        control,
        np.zeros(3, np.int64),
        np.zeros(4, np.uint64),
        np.zeros((PLIES, WIDTH), np.int64),
        np.zeros((len(SUITS), 1 << len(RANKS)), np.uint64),
        np.zeros(1 << LISTS, np.int64),
        np.zeros((entries, WORDS), np.uint64),
        np.zeros((4, 64), np.int64),
    )


@compiled
def prepare(memory: Memory) -> None:
    """Fill the owners from the hands, and empty the table. Cards that no hand has count as North's."""
    for suit in range(4):
        owners = memory.owners[suit]
        for cards in range(1, len(owners)):
            low = lowest(np.uint64(cards))
            rest = np.uint64(cards) & (np.uint64(cards) - ONE)
            owner = ZERO
            for player in range(1, 4):
                if memory.hands[player] >> (np.uint64(LANE * suit) + low) & ONE:
                    owner = np.uint64(player)
            owners[cards] = owners[rest] | owner << np.uint64(2 * popcount(rest))
    memory.lists[:] = 0
    memory.history[:] = 0
    memory.facts[ENTRIES] = 0


@inlined
def suit_of(cards: Bits, suit: int) -> Bits:
    """Return the cards of a suit, by rank."""
    return cards >> np.uint64(LANE * suit) & SUIT


@inlined
def owners_of(cards: Bits, suit: int, memory: Memory) -> Bits:
    """Return the owners of the cards of two suits, from ``suit`` on."""
    owners = memory.owners
    return owners[suit, suit_of(cards, suit)] | owners[suit + 1, suit_of(cards, suit + 1)] << HALF


@inlined
def list_of(tag: Bits) -> Any:
    """Return the number of the list of a tag."""
    mixed = (tag ^ tag >> HALF) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(64 - LISTS))


@inlined
def mask_of(count: Bits) -> Bits:
    """Return the bits of the owners of so many cards."""
    return (ONE << (count + count)) - ONE


@inlined
def mattering(counts: Bits, cards: Bits) -> Bits:
    """Return the lowest card of each suit that matters, from how many of ``cards`` matter."""
    found = ZERO
    for suit in range(4):
        count = np.int64(counts >> np.uint64(4 * suit) & FIFTEEN)
        if count:
            left = suit_of(cards, suit)
            for _ in range(count - 1):
                left ^= ONE << highest(left)
            found |= ONE << (highest(left) + np.uint64(LANE * suit))
    return found


@inlined
def keep(tag: Bits, cards: Bits, relevant: Bits, low: int, high: int, card: int, memory: Memory) -> None:
    """Store bounds of the tricks of North and South. ``relevant``: the cards whose rank matters."""
    facts = memory.facts
    entry = facts[ENTRIES] + 1
    if entry >= len(memory.table):
        memory.lists[:] = 0
        entry = 1
    facts[ENTRIES] = entry
    counts = ZERO
    for suit in range(4):
        lane = suit_of(relevant, suit)
        if lane:
            counts |= np.uint64(popcount(suit_of(cards, suit) >> lowest(lane))) << np.uint64(4 * suit)
    row = memory.table[entry]
    mask = mask_of(counts & FIFTEEN) | mask_of(counts >> FOUR & FIFTEEN) << HALF
    more = mask_of(counts >> np.uint64(8) & FIFTEEN) | mask_of(counts >> np.uint64(12)) << HALF
    place = list_of(tag)
    row[TAG] = tag
    row[OWNERS] = owners_of(cards, 0, memory) & mask
    row[MORE_OWNERS] = owners_of(cards, 2, memory) & more
    row[MASK] = mask
    row[MORE_MASK] = more
    rest = np.uint64(memory.lists[place]) | np.uint64(low) << LOW | np.uint64(high) << HIGH
    row[REST] = rest | counts << COUNTS | np.uint64(card) << CARD
    memory.lists[place] = entry
