# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of German whist: the deal, the two halves, and the evaluation.

A set of cards has a bit for each of the 52 cards: 13 bits for each suit, clubs lowest, and in them the ranks from 2 to
the ace. A card, and the move that plays or deals it, is the number of its bit. The order of the stock is not part of
the state: a card is drawn when it is taken or turned up.
"""

from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.game import (
    CHANCE,
    Moves,
    State,
    count_moves,
    features,
    information_key,
    irreversible,
    legal_moves,
    outcome,
    step,
    to_move,
)
from engine.hints.alphabeta import slot, threatened
from engine.kernel import implements, inlined
from engine.splitmix import GOLDEN, scramble

DECK, SUIT, HAND = 52, 13, 13
"""Cards of the deck, of a suit, and of a hand; a half has as many tricks as a hand has cards."""

ZERO, ONE = Bits(0), Bits(1)
ALL = Bits((1 << DECK) - 1)
LANE = Bits((1 << SUIT) - 1)
TWOS = Bits(1 | 1 << SUIT | 1 << 2 * SUIT | 1 << 3 * SUIT)

UP, TRUMP, LEAD, REPLY, LEADER, TURN, WON, LOST, VOIDS = 0, 6, 9, 15, 21, 22, 23, 27, 31
"""First bits of ``GermanWhist.facts``."""
WIDTHS = {UP: 6, TRUMP: 3, LEAD: 6, REPLY: 6, LEADER: 1, TURN: 1, WON: 4, LOST: 4, VOIDS: 8}


class GermanWhist(NamedTuple):
    """A deal in play."""

    first: Bits
    """The hand of seat 0."""
    second: Bits
    """The hand of seat 1."""
    open: Bits
    """The cards of the hands that both seats know: they were taken face up."""
    played: Bits
    facts: Bits
    """1 + the card that is turned up; 1 + the trump suit; 1 + the card that was led; 1 + the reply; who led; whose turn
    it is, after a trick its winner; tricks of seat 0 and of seat 1 in the second half; suits that the hidden cards of a
    seat do not have, 4 bits for each seat. 0: none. A complete trick lies there until the next lead."""


@inlined
def fact(facts: Bits, first: int, mask: int) -> int:
    """Return a number of ``GermanWhist.facts``. ``mask``: of its bits."""
    return np.int64(facts >> np.uint64(first)) & mask  # type: ignore[return-value]  # an int64, compiled


@inlined
def with_fact(facts: Bits, first: int, mask: int, value: int) -> Bits:
    """Return the facts with another number."""
    cleared = facts & ~(np.uint64(mask) << np.uint64(first))
    return cleared | np.uint64(value) << np.uint64(first)


@inlined
def bit(card: int) -> Bits:
    """Return the set of one card."""
    return ONE << np.uint64(card)


@inlined
def suit_set(card: int) -> Bits:
    """Return the cards of the suit of a card."""
    return LANE << np.uint64(card // SUIT * SUIT)


@inlined
def turned_up(state: State) -> Bits:
    """Return the card that is turned up, as a set."""
    card = fact(state.facts, UP, 63)
    return bit(card - 1) if card else ZERO


@inlined
def stock(state: State) -> Bits:
    """Return the cards that are neither dealt nor turned up."""
    return ALL ^ (state.first | state.second | state.played | turned_up(state))


@inlined
def is_dealing(state: State) -> bool:
    """Return whether a card is dealt or turned up."""
    return fact(state.facts, UP, 63) == 0 and stock(state) != ZERO


@inlined
def following(state: State) -> bool:
    """Return whether the seat to move replies to a lead."""
    return fact(state.facts, LEAD, 63) != 0 and fact(state.facts, REPLY, 63) == 0


@inlined
def playable(state: State) -> Bits:
    """Return the cards that may be played: of the suit that was led, if the seat has some."""
    hand = state.second if fact(state.facts, TURN, 1) else state.first
    if following(state):
        suited = hand & suit_set(fact(state.facts, LEAD, 63) - 1)
        if suited:
            hand = suited
    return hand


@inlined
def beats(reply: int, lead: int, trump: int) -> bool:
    """Return whether a reply wins the trick."""
    if reply // SUIT == lead // SUIT:
        return reply > lead
    return reply // SUIT == trump


@implements(to_move, GermanWhist)
def _to_move(state: State) -> int:
    return CHANCE if is_dealing(state) else fact(state.facts, TURN, 1)


@implements(legal_moves, GermanWhist)
def _legal_moves(state: State, out: Moves) -> int:
    left = stock(state) if is_dealing(state) else playable(state)
    count = 0
    while left:
        out[count] = np.int64(lowest(left))
        left &= left - ONE
        count += 1
    return count


@implements(count_moves, GermanWhist)
def _count_moves(state: State, out: Moves) -> int:
    return popcount(stock(state) if is_dealing(state) else playable(state))


@inlined
def _deal(state: State, card: int) -> GermanWhist:
    """Deal a card to the seat that needs one, seat 0 first; if neither does, turn it up."""
    facts = state.facts
    if popcount(state.first) < HAND:
        facts = with_fact(facts, VOIDS, 15, 0)
        return GermanWhist(state.first | bit(card), state.second, state.open, state.played, facts)
    if popcount(state.second) < HAND:
        facts = with_fact(facts, VOIDS + 4, 15, 0)
        return GermanWhist(state.first, state.second | bit(card), state.open, state.played, facts)
    facts = with_fact(facts, UP, 63, card + 1)
    if fact(facts, TRUMP, 7) == 0:
        facts = with_fact(facts, TRUMP, 7, card // SUIT + 1)
    return GermanWhist(state.first, state.second, state.open, state.played, facts)


@implements(step, GermanWhist)
def _step(state: State, move: int) -> GermanWhist:
    if is_dealing(state):
        return _deal(state, move)
    facts, card = state.facts, bit(move)
    seat = fact(facts, TURN, 1)
    first, second, known, played = state.first & ~card, state.second & ~card, state.open & ~card, state.played | card
    if not following(state):
        facts = with_fact(with_fact(facts, LEAD, 63, move + 1), REPLY, 63, 0)
        facts = with_fact(with_fact(facts, LEADER, 1, seat), TURN, 1, 1 - seat)
        return GermanWhist(first, second, known, played, facts)
    lead = fact(facts, LEAD, 63) - 1
    if move // SUIT != lead // SUIT:
        facts |= ONE << np.uint64(VOIDS + 4 * seat + lead // SUIT)
    winner = seat if beats(move, lead, fact(facts, TRUMP, 7) - 1) else 1 - seat
    facts = with_fact(with_fact(facts, REPLY, 63, move + 1), TURN, 1, winner)
    taken = turned_up(state)
    if taken:
        known |= taken
        if winner:
            second |= taken
        else:
            first |= taken
        facts = with_fact(facts, UP, 63, 0)
    else:
        facts += ONE << np.uint64(LOST if winner else WON)
    return GermanWhist(first, second, known, played, facts)


@implements(outcome, GermanWhist)
def _outcome(state: State) -> tuple[bool, float, float]:
    """The winner has the difference of the tricks of the second half."""
    if state.played != ALL:
        return False, 0.0, 0.0
    ahead = fact(state.facts, WON, 15) - fact(state.facts, LOST, 15)
    return True, float(ahead), float(-ahead)


@implements(irreversible, GermanWhist)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(slot, GermanWhist)
def _slot(state: State, move: int) -> int:
    return move


@implements(information_key, GermanWhist)
def _information_key(state: State, seat: int) -> int:
    """A hash of the own hand and of what both seats know."""
    mixed = np.uint64(popcount(state.first) + 16 * popcount(state.second))
    for value in (state.second if seat else state.first, state.open, state.played, state.facts):
        mixed = scramble(mixed + value + GOLDEN)
    return mixed  # type: ignore[return-value]  # an int of 64 bits


@inlined
def _more(state: State, cards: Bits) -> int:
    """Return how many more of some cards seat 0 has."""
    return popcount(state.first & cards) - popcount(state.second & cards)


@implements(features, GermanWhist)
def _features(state: State) -> tuple[int, ...]:
    """Tricks of the second half, trumps, and tens to aces of trumps and of side suits: own minus other's."""
    trump = fact(state.facts, TRUMP, 7)
    trumps = LANE << np.uint64((trump - 1) * SUIT) if trump else ZERO
    sides = ALL ^ trumps
    sign = 1 if is_dealing(state) or not fact(state.facts, TURN, 1) else -1
    ten, jack = TWOS << np.uint64(8), TWOS << np.uint64(9)
    queen, king, ace = TWOS << np.uint64(10), TWOS << np.uint64(11), TWOS << np.uint64(12)
    return (
        sign * (fact(state.facts, WON, 15) - fact(state.facts, LOST, 15)),
        sign * _more(state, trumps),
        sign * _more(state, ten & trumps),
        sign * _more(state, jack & trumps),
        sign * _more(state, queen & trumps),
        sign * _more(state, king & trumps),
        sign * _more(state, ace & trumps),
        sign * _more(state, ten & sides),
        sign * _more(state, jack & sides),
        sign * _more(state, queen & sides),
        sign * _more(state, king & sides),
        sign * _more(state, ace & sides),
    )


@implements(threatened, GermanWhist)
def _threatened(state: State) -> bool:
    """A lead must be replied to: hands are evaluated between the tricks."""
    return following(state)


def start() -> GermanWhist:
    """Return the state before the deal. Seat 0 leads to the first trick."""
    return GermanWhist(*(Bits(0),) * 5)


def lost(state: GermanWhist, seat: int) -> float:
    """Return the points that a seat loses if it gives up: as many as it can still lose by the rules, at least 1."""
    facts = int(state.facts)
    won, other = facts >> WON & 15, facts >> LOST & 15
    own = other if seat else won
    # the opponent wins all tricks that are left
    return float(max(1, HAND - 2 * own))
