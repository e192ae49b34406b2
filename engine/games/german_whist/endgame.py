# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact solver of the second half of German whist: the tricks of both seats with best play, both hands open.

A zero-window search with a table of trick boundaries. Only the order of the cards that are left matters, and side suits
are alike: the key of an entry has no card names, so that entries hold for all deals.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, highest, popcount
from engine.exact import ABORTED, LIMIT, NODES, STOP, Cells, Exact, Proven
from engine.game import step
from engine.games.german_whist.notation import CARDS, fact, parse_position, stock_of
from engine.games.german_whist.rules import (
    HAND,
    LANE,
    LEAD,
    LEADER,
    LOST,
    ONE,
    REPLY,
    SUIT,
    TRUMP,
    TURN,
    UP,
    WON,
    ZERO,
    GermanWhist,
    beats,
    bit,
    suit_set,
)
from engine.kernel import brief, compiled, inlined, part
from engine.splitmix import scramble

SUITS = 4
PLIES, WIDTH = 2 * HAND + 1, HAND + 1

LOW, HIGH, CARD, COLUMNS = range(4)
"""Columns of the table: bounds of the leader's tricks; the place among the equal cards of the best lead, from 0."""
ENTRY = 8 + COLUMNS
"""Bytes of an entry."""

PLAYED = "".join(card for card in CARDS if card not in ("2c", "3c"))
SMALL = f"2c|3c - - d 1:9d8d 1 6-6 {PLAYED} -|-"
"""A position before the last trick."""


@inlined
def lane_of(cards: Bits, suit: int) -> Bits:
    """Return the cards of a suit, by rank."""
    return cards >> np.uint64(SUIT * suit) & LANE


@inlined
def tops_of(own: Bits, other: Bits) -> int:
    """Return how many of a suit's cards in a hand are higher than all of the other hand."""
    return popcount(own >> (np.uint64(highest(other)) + ONE)) if other else popcount(own)


@inlined
def order_of(own: Bits, other: Bits) -> Bits:
    """Return who has the cards of a suit, by rank: a bit for each card, 1 for ``own``, below a bit of 1."""
    found, left = ONE, own | other
    while left:
        top = ONE << np.uint64(highest(left))
        found = found << ONE | np.uint64(own & top != ZERO)
        left ^= top
    return found


@part
def mark_of(lead: Bits, reply: Bits, trump: int) -> Bits:
    """Return the key of a position at a trick boundary: exact, without collisions, and never 0."""
    mark, a, b, c = ZERO, ZERO, ZERO, ZERO
    for suit in range(SUITS):
        order = order_of(lane_of(lead, suit), lane_of(reply, suit))
        if suit == trump:
            mark = order
        else:
            # sorted: a >= b >= c
            if order > a:
                a, b, c = order, a, b
            elif order > b:
                b, c = order, b
            else:
                c = order
    return ((mark << np.uint64(14) | a) << np.uint64(14) | b) << np.uint64(14) | c


@part
def sure(lead: Bits, reply: Bits, trump: int) -> int:
    """Return tricks that the leader can win in any case: it cashes its highest cards, those of side suits first."""
    count, theirs = 0, lane_of(reply, trump)
    for suit in range(SUITS):
        own, other = lane_of(lead, suit), lane_of(reply, suit)
        tops, length = tops_of(own, other), popcount(other)
        if suit != trump and theirs:
            count += min(tops, length)
        elif tops >= length:
            count += popcount(own)
        else:
            count += tops
    return count


@inlined
def list_equal(own: Bits, other: Bits, out: Any) -> int:
    """Write the highest card of each group of equal cards of a hand, by suit; return how many there are.

    Cards are equal if the other hand has none between them.
    """
    count = 0
    for suit in range(SUITS):
        mine, theirs = lane_of(own, suit), lane_of(other, suit)
        while mine:
            top = np.uint64(highest(mine))
            out[count] = np.int64(top) + SUIT * suit
            count += 1
            below = theirs & ((ONE << top) - ONE)
            mine &= (ONE << np.uint64(highest(below))) - ONE if below else ZERO
    return count


@inlined
def following_of(reply: Bits, card: int) -> Bits:
    """Return the cards with which a hand may reply to a card."""
    suited = reply & suit_set(card)
    return suited or reply


@compiled
def reaches(
    lead: Bits,
    reply: Bits,
    card: int,
    trump: int,
    need: int,
    ply: int,
    rows: Any,
    control: Cells,
    keys: Any,
    bounds: Any,
) -> bool:
    """Return whether the leader wins ``need`` of the tricks that are left. ``lead``, ``reply``: the hands; ``card``:
    the card that was led, which is not in the hand any more, or -1."""
    tricks = popcount(reply)
    if need <= 0:
        return True
    if need > tricks:
        return False
    row = rows[ply]
    none = np.int64(-1)
    if card >= 0:
        # cards of the hand on both sides of the card that was led are not equal
        count = list_equal(following_of(reply, card), lead | bit(card), row)
        # cheap cards first: those that win, then the others
        for turn in range(2 * count):
            answer = row[count - 1 - turn % count]
            wins = beats(answer, card, trump)
            if wins != (turn < count):
                continue
            left = reply & ~bit(answer)
            if wins:
                # the other seat leads; if it wins this number of tricks, fewer than need are left
                good = not reaches(left, lead, none, trump, tricks - need, ply + 1, rows, control, keys, bounds)
            else:
                good = reaches(lead, left, none, trump, need - 1, ply + 1, rows, control, keys, bounds)
            if control[ABORTED] or not good:
                return False
        return True
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return False
    control[NODES] += 1
    if sure(lead, reply, trump) >= need:
        return True
    if tricks - tops_of(lane_of(reply, trump), lane_of(lead, trump)) < need:
        return False
    mark = mark_of(lead, reply, trump)
    place = np.int64(scramble(mark) & np.uint64(len(keys) - 1))
    first = np.int64(0)
    if keys[place] == mark:
        if bounds[place, LOW] >= need:
            return True
        if bounds[place, HIGH] < need:
            return False
        first = np.int64(bounds[place, CARD])
    count = list_equal(lead, reply, row)
    decided, reached = np.int64(0), False
    for turn in range(count):
        decided = first if turn == 0 else np.int64(turn - 1 if turn <= first else turn)
        led = row[decided]
        reached = reaches(lead & ~bit(led), reply, led, trump, need, ply + 1, rows, control, keys, bounds)
        if control[ABORTED]:
            return False
        if reached:
            break
    if keys[place] != mark:
        keys[place] = mark
        bounds[place, LOW], bounds[place, HIGH] = 0, tricks
    bounds[place, CARD] = decided
    if reached:
        bounds[place, LOW] = need
    else:
        bounds[place, HIGH] = need - 1
    return reached


def plies_left(state: GermanWhist) -> int:
    """Return the number of cards that are left to play in the second half; 0 in the first."""
    if not int(state.played) or fact(state, UP) or stock_of(state):
        return 0
    return int(state.first).bit_count() + int(state.second).bit_count()


def meaning(state: GermanWhist, payoff: float) -> Mapping[str, int]:
    """Return the tricks of both seats in the second half for a payoff of the seat to move."""
    ahead = int(-payoff if fact(state, TURN) else payoff)
    return {"tricks": (HAND + ahead) // 2, "other": (HAND - ahead) // 2}


class Endgame:
    """Solves second halves. Entries of its table hold for all deals."""

    def __init__(self, control: Cells, size: int) -> None:
        """``control``: the counters of the search, of ``engine.exact``; ``size``: bytes of the table."""
        self._control = control
        entries = 1 << max(10, (size // ENTRY).bit_length() - 1)
        self._keys, self._bounds = np.zeros(entries, np.uint64), np.zeros((entries, COLUMNS), np.uint8)
        self._rows = np.zeros((PLIES, WIDTH), np.int64)

    def tricks(self, state: GermanWhist) -> int | None:
        """Return the tricks that seat 0 wins of those that are left, with the current one; None: a limit ended it."""
        leader, card = fact(state, TURN), -1
        if fact(state, LEAD) and not fact(state, REPLY):
            leader, card = fact(state, LEADER), fact(state, LEAD) - 1
        lead, reply = Bits(state[leader]), Bits(state[1 - leader])
        low, high = 0, int(reply).bit_count()
        total = high
        need = (high + 1) // 2
        while low < high:
            reached = reaches(
                lead, reply, card, fact(state, TRUMP) - 1, need, 0, self._rows, self._control, self._keys, self._bounds
            )
            if self._control[ABORTED]:
                return None
            if reached:
                low, need = need, need + 1
            else:
                high, need = need - 1, need - 1
        return total - low if leader else low

    def prove(self, state: GermanWhist, moves: Sequence[int]) -> Proven | None:
        """Return the payoff of the seat to move and a best move: see ``engine.exact.Prover``."""
        seat = fact(state, TURN)
        best: Proven | None = None
        for move in moves:
            following = _after(state, move)
            tricks = self.tricks(following) if plies_left(following) else 0
            if tricks is None:
                break
            left = int(following[0]).bit_count() if not fact(following, LEAD) or fact(following, REPLY) else None
            if left is None:
                left = int(following[1 - fact(following, LEADER)]).bit_count()
            ahead = fact(following, WON) - fact(following, LOST) + 2 * tricks - left
            payoff = float(-ahead if seat else ahead)
            if best is None or payoff > best.payoff:
                best = Proven(payoff, (move,))
        return best


@brief
def advance(state, move):  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the state after a legal move."""
    return step(state, move)


def _after(state: GermanWhist, move: int) -> GermanWhist:
    """Return the state after a legal move."""
    return GermanWhist(*map(Bits, advance(GermanWhist(*map(Bits, state)), move)))


EXACT = Exact(Endgame, plies_left, meaning, lambda: parse_position(SMALL))
