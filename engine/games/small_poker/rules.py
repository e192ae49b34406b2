# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of small poker games with fixed bets, Kuhn's and Leduc hold'em: a match of several hands, without suits.

Both games have one state class, so their code is compiled once; tables by the kind of the game hold what differs.
Suits do not matter in these games, so a card is its rank, and odds count the cards of a rank.

In each hand the seats put an ante of one chip into the pot and get a card each. In a round of betting the first seat
begins; the round ends when a seat folds, calls, or checks after a check. After each round but the last one a common
card is dealt. At the showdown the common card's pair wins, else the higher card; equal cards split the pot. The seat
that begins changes from hand to hand, and seat 0 begins the first one.
"""

from typing import NamedTuple

from engine.game import (
    CHANCE,
    Moves,
    State,
    features,
    information_key,
    irreversible,
    key,
    legal_moves,
    odds,
    outcome,
    step,
    to_move,
)
from engine.hints.alphabeta import slot
from engine.kernel import implements, inlined

HANDS = 100
"""Hands of a match; the largest number of hands of a state."""

KUHN, LEDUC = 0, 1
"""The kinds of games."""

RANKS = 3
COPIES = (1, 2)
"""Cards of each rank in the deck, by kind, as in the tables below."""
ROUNDS = (1, 2)
"""Rounds of betting."""
MOST_BETS = (1, 2)
"""Bets and raises in a round, at most."""
SIZES = ((1, 1), (2, 4))
"""Chips of a bet or raise in each round."""
MOST_LOST = (2, 13)
"""Chips that a seat can lose in a hand."""
MOST_PLIES = (4, 10)
"""Plies of a hand, deals included."""

FOLD, CALL, RAISE = 0, 1, 2
"""Moves of the seats: a call of nothing is a check, and the first raise of a round is a bet."""

DEAL, BET, BOARD, DONE = 0, 1, 2, 3
"""Phases of a hand: before the deal of the seats' cards, a seat is to move, before the deal of the common card, and the
end. The deal of the next hand follows the end, so that until then a state shows the showdown."""

CARD_BITS, CARD = 2, 3
"""A state has the cards of seat 0, of seat 1 and the common one in two bits each: 1 to RANKS, 0 before the deal."""
PLACES = 3 * CARD_BITS

LINE_BITS = 2
START = 1
"""The moves of a hand in two bits each, the newest one lowest, after this highest bit."""


class Poker(NamedTuple):
    """A hand of a match."""

    kind: int
    hands: int
    """Hands of the match."""
    hand: int
    """Number of the current hand, from 0. Its lowest bit is the seat that begins."""
    score: int
    """Chips that seat 0 has won so far, those of finished hands."""
    phase: int
    seat: int
    """The seat to move; 0 if none is."""
    cards: int
    line: int
    round: int
    bets: int
    """Bets and raises in this round."""
    first: int
    """Chips that seat 0 has put into the pot."""
    second: int
    """Chips that seat 1 has put into the pot."""
    before: int
    """Cards and line of the hand before, the cards lowest; 0 if there was none."""


@inlined
def card_of(cards: int, place: int) -> int:
    """Return the card of a seat, or with 2 the common one: 1 to RANKS, 0 if it is not dealt."""
    return cards >> CARD_BITS * place & CARD


@inlined
def copies_left(state: State, rank: int) -> int:
    """Return the number of cards of a rank (from 0) in the deck after the deal of the seats' cards."""
    held = (card_of(state.cards, 0) == rank + 1) + (card_of(state.cards, 1) == rank + 1)
    return COPIES[state.kind] - held


@inlined
def strength(cards: int, seat: int) -> int:
    """Return a number that is higher for a better hand at the showdown."""
    card = card_of(cards, seat)
    return card + (RANKS if card == card_of(cards, 2) else 0)


@inlined
def showdown(cards: int) -> int:
    """Return 1 if seat 0 has the better hand, -1 if seat 1 has it, 0 if both are equal."""
    ours, theirs = strength(cards, 0), strength(cards, 1)
    return (ours > theirs) - (ours < theirs)


@implements(to_move, Poker)
def _to_move(state: State) -> int:
    return state.seat if state.phase == BET else CHANCE


@implements(legal_moves, Poker)
def _legal_moves(state: State, out: Moves) -> int:
    """At the deal of both seats' cards a move is RANKS times the rank of seat 0 plus that of seat 1."""
    count = 0
    if state.phase == BET:
        if state.first != state.second:
            out[count] = FOLD
            count += 1
        out[count] = CALL
        count += 1
        if state.bets < MOST_BETS[state.kind]:
            out[count] = RAISE
            count += 1
    elif state.phase == BOARD:
        for rank in range(RANKS):
            if copies_left(state, rank):
                out[count] = rank
                count += 1
    else:
        for pair in range(RANKS * RANKS):
            if COPIES[state.kind] > 1 or pair // RANKS != pair % RANKS:
                out[count] = pair
                count += 1
    return count


@implements(odds, Poker)
def _odds(state: State, move: int) -> int:
    """Count the cards that make up a deal."""
    if state.phase == BOARD:
        return copies_left(state, move)
    copies = COPIES[state.kind]
    return copies * (copies - 1 if move // RANKS == move % RANKS else copies)


@implements(step, Poker)
def _step(state: State, move: int) -> Poker:
    kind, hands, hand, score, phase, seat, cards, line, stage, bets, first, second, before = state
    if phase in (DEAL, DONE):
        if phase == DONE:
            hand, before = hand + 1, line << PLACES | cards
        cards = move // RANKS + 1 | move % RANKS + 1 << CARD_BITS
        return Poker(kind, hands, hand, score, BET, hand & 1, cards, START, 0, 0, 1, 1, before)
    if phase == BOARD:
        cards |= move + 1 << 2 * CARD_BITS
        return Poker(kind, hands, hand, score, BET, hand & 1, cards, line, stage + 1, 0, first, second, before)
    line = line << LINE_BITS | move
    if move == RAISE:
        paid = max(first, second) + SIZES[kind][stage]
        first, second = (first, paid) if seat else (paid, second)
        return Poker(kind, hands, hand, score, BET, 1 - seat, cards, line, stage, bets + 1, first, second, before)
    if move == FOLD:
        won = second if seat else -first
        return Poker(kind, hands, hand, score + won, DONE, 0, cards, line, stage, bets, first, second, before)
    if first == second and seat == hand & 1:
        return Poker(kind, hands, hand, score, BET, 1 - seat, cards, line, stage, bets, first, second, before)
    first = second = max(first, second)
    if stage + 1 < ROUNDS[kind]:
        return Poker(kind, hands, hand, score, BOARD, 0, cards, line, stage, bets, first, second, before)
    score += first * showdown(cards)
    return Poker(kind, hands, hand, score, DONE, 0, cards, line, stage, bets, first, second, before)


@implements(outcome, Poker)
def _outcome(state: State) -> tuple[bool, float, float]:
    return state.phase == DONE and state.hand + 1 == state.hands, float(state.score), -float(state.score)


@implements(information_key, Poker)
def _information_key(state: State, seat: int) -> int:
    """Own card, common card and moves of the hand; and whether the seat begins, which the number of the seat is not."""
    own = card_of(state.cards, seat) | state.cards & CARD << 2 * CARD_BITS
    begins = 1 if seat == state.hand & 1 else 0
    return key(Poker(state.kind, 0, begins, 0, state.phase, 0, own, state.line, 0, 0, 0, 0, 0))


@implements(irreversible, Poker)
def _irreversible(state: State, move: int) -> bool:
    """No position occurs again: the moves of a hand, and the number of the hand, only grow."""
    return True


@implements(slot, Poker)
def _slot(state: State, move: int) -> int:
    return move


@implements(features, Poker)
def _features(state: State) -> tuple[int]:
    """Return the chips won so far."""
    return (-state.score if state.phase == BET and state.seat else state.score,)
