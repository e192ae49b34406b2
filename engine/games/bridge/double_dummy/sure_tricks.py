# SPDX-License-Identifier: GPL-3.0-or-later
"""Tricks that a side certainly wins, without a search.

Each function returns how many there are, or fewer but at least ``enough``, and adds the cards whose rank matters. The
tricks of the side on lead are those that it can cash at once: from the leader's hand, and then from the partner's if
the leader can reach it.
"""

import numpy as np
from numpy.typing import NDArray

from engine.bitboards.bits import Bits, highest, popcount
from engine.games.bridge.cards import LANE, NOTRUMP, ONE, SUIT, ZERO
from engine.games.bridge.double_dummy.memory import suit_of
from engine.kernel import inlined, part


@inlined
def tops_of(own: Bits, cards: Bits) -> int:
    """Return how many of the highest of some cards of a suit are one's own, without a gap."""
    others = cards & ~own
    if others:
        own >>= highest(others)
    return popcount(own)


@inlined
def nth_of(own: Bits, count: int) -> Bits:
    """Return the n-th highest of some cards of a suit."""
    for _ in range(count - 1):
        own ^= ONE << highest(own)
    return ONE << highest(own)


@part
def cashed(who: int, enough: int, strain: int, hands: NDArray[np.uint64]) -> tuple[int, Bits]:
    """Return the tricks that the side on lead can cash."""
    own, partner = hands[who], hands[who ^ 2]
    left, right = hands[(who + 1) & 3], hands[(who + 3) & 3]
    cards = own | partner | left | right
    ruffs_left, ruffs_right = False, False
    if strain < NOTRUMP:
        theirs = max(popcount(suit_of(left, strain)), popcount(suit_of(right, strain)))
        if theirs and tops_of(suit_of(own, strain), suit_of(cards, strain)) < theirs:
            ruffs_left, ruffs_right = suit_of(left, strain) != ZERO, suit_of(right, strain) != ZERO
    # a hand that has nothing but trumps must ruff, and then is on lead
    cap = 13
    if ruffs_left or ruffs_right:
        trumps = SUIT << np.uint64(LANE * strain)
        cap = min(popcount(own & ~trumps), popcount(partner & ~trumps)) + 1
    count, relevant = 0, ZERO
    more, reached, more_relevant = 0, False, ZERO
    for turn in range(4):
        # trumps first
        suit = turn if strain == NOTRUMP else (strain + turn) & 3
        lane = np.uint64(LANE * suit)
        mine, his = suit_of(own, suit), suit_of(partner, suit)
        west, east = suit_of(left, suit), suit_of(right, suit)
        whole = mine | his | west | east
        most = max(popcount(west), popcount(east))
        length, other = popcount(mine), popcount(his)
        limit = 13
        if suit != strain:
            if ruffs_left:
                limit = popcount(west)
            if ruffs_right:
                limit = min(limit, popcount(east))
        tops = tops_of(mine, whole)
        taken = min(tops, limit)
        if taken:
            needed = min(taken, max(most, other))
            if tops >= max(most, other) and limit >= length:
                taken = length
            if needed:
                relevant |= nth_of(mine, needed) << lane
            count += taken
            if min(count, cap) >= enough:
                return enough, relevant
        # the partner's highest cards after them
        if his and taken < length + 1:
            behind = whole
            for _ in range(min(tops, taken)):
                behind ^= ONE << highest(behind)
            if taken <= tops and behind:
                next_tops = tops_of(his, behind)
                extra = min(next_tops, other - taken, limit - taken)
                if extra > 0:
                    rounds = min(extra, max(most, length) - taken)
                    if next_tops + taken >= max(most, length) and limit >= other:
                        extra = other - taken
                    if rounds > 0:
                        more_relevant |= nth_of(his, rounds) << lane
                    if length > taken:
                        reached = True
                    more += extra
    if more and reached:
        count += more
        relevant |= more_relevant
    return min(count, cap), relevant


@part
def later(who: int, enough: int, strain: int, hands: NDArray[np.uint64]) -> tuple[int, Bits]:
    """Return tricks that the side that is not on lead wins some time."""
    left, right = hands[(who + 1) & 3], hands[(who + 3) & 3]
    own = hands[who]
    cards = own | hands[who ^ 2] | left | right
    if strain < NOTRUMP:
        whole = suit_of(cards, strain)
        mine, his = suit_of(left, strain), suit_of(right, strain)
        first, second = tops_of(mine, whole), tops_of(his, whole)
        best = max(first, second)
        if best == 0:
            return 0, ZERO
        used = min(best, enough)
        top = nth_of(mine if first >= second else his, used)
        return used, top << np.uint64(LANE * strain)
    # without trumps they cash all highest cards of a hand as soon as it wins a trick
    counts, marks = (0, 0), (ZERO, ZERO)
    for suit in range(4):
        lane = np.uint64(LANE * suit)
        whole = suit_of(cards, suit)
        mine, his = suit_of(left, suit), suit_of(right, suit)
        first, second = tops_of(mine, whole), tops_of(his, whole)
        if suit_of(own, suit) and not first and not second:
            return 0, ZERO
        if first:
            counts = (counts[0] + first, counts[1])
            marks = (marks[0] | nth_of(mine, first) << lane, marks[1])
        if second:
            counts = (counts[0], counts[1] + second)
            marks = (marks[0], marks[1] | nth_of(his, second) << lane)
    # the leader chooses the suit; count what the hand that wins it has, at least
    least, relevant = 13, ZERO
    for suit in range(4):
        if suit_of(own, suit):
            hand = 0 if tops_of(suit_of(left, suit), suit_of(cards, suit)) else 1
            if counts[hand] < least:
                least = counts[hand]
            relevant |= marks[hand]
    return least, relevant
