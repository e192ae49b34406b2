# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of heads-up hold'em, with fixed bets (limit) and with free ones (no-limit): a match of several hands.

In each hand the seats have new stacks of equal size. The seat with the button puts the small blind of one chip into the
pot, the other one the big blind of two. After the deal of two cards each, the button begins; after the flop (three open
cards), the turn and the river (one each) the other seat begins. A round ends by a fold, by a call, or by a check after
a check. When both seats are all in, the open cards that are missing follow at once. At the showdown the best five of
seven cards win. The button is at seat 0 in the first hand and changes from hand to hand.

With fixed bets a bet or raise is two chips before and on the flop, four on the turn and the river, and a round has at
most four of them; the big blind is the first one before the flop. With free bets a bet is at least the big blind, and
a raise is at least as large as the largest earlier bet or raise of the same round, except that a seat may always bet
all that it has. The stacks are equal, so all of a bet can be called.
"""

from typing import NamedTuple

import numpy as np

from engine.game import (
    CHANCE,
    Moves,
    State,
    features,
    information_key,
    irreversible,
    key,
    legal_moves,
    outcome,
    pick,
    step,
    to_move,
)
from engine.games.holdem.hands import DECK, bit_of, value_of
from engine.hints.alphabeta import SLOTS, slot
from engine.kernel import implements, inlined

HANDS = 100
"""Hands of a match; the largest number of hands of a state."""

LIMIT, NO_LIMIT = 0, 1
"""The kinds of games."""

SMALL_BLIND, BIG_BLIND = 1, 2
ROUNDS = 4
"""Rounds of betting."""
MOST_BETS = 4
"""Bets and raises in a round of limit hold'em, at most."""
LIMIT_STACK = 48
"""The chips that a seat of limit hold'em can put into the pot: with fewer, it could run out of them."""
FEWEST_CHIPS, MOST_CHIPS = 10, 200
"""Bounds of the stacks."""

FOLD, CALL, RAISE = 0, 1, 2
"""Moves of the seats: a call of nothing is a check, and RAISE plus the chips that the seat has then put into the pot in
this hand is a raise, or a bet if it is the round's first."""

DEAL, BET, DONE = 0, 1, 2
"""Phases of a hand: a card is dealt next, a seat is to move, and the end. The first card of the next hand follows the
end, so that until then a state shows the showdown."""

HOLE, BOARD, FLOP = 4, 9, 7
"""Cards dealt in a hand: with those of the seats, with all, and with the first open ones."""
CARD_BITS, CARD = 6, 63
"""A card of a hand is 1 + its number, 0 before its deal. Seat 0 gets the first two, seat 1 the next two."""
FOLDED = BOARD * CARD_BITS
"""The bit of ``Holdem.before`` that says that the hand ended by a fold."""

LEVELS = 50
"""Bits of a part of the line. The line of a hand has a bit for each sum that a bet or raise has put into the pot."""
ROUND_BITS, LEVEL = 9, 255
"""``Holdem.rounds`` has for each finished round the chips of each seat at its end, and above them whether it began
with a check or, before the flop, with a call."""
BEGUN = 8


class Holdem(NamedTuple):
    """A hand of a match."""

    kind: int
    stack: int
    """Chips of each seat at the start of a hand."""
    hands: int
    """Hands of the match."""
    hand: int
    """Number of the current hand, from 0. Its lowest bit is the seat with the button."""
    score: int
    """Chips that seat 0 has won so far, those of finished hands."""
    phase: int
    seat: int
    """The seat to move; 0 if none is."""
    cards: int
    dealt: int
    """Number of cards that are dealt."""
    first: int
    """Chips that seat 0 has put into the pot."""
    second: int
    """Chips that seat 1 has put into the pot."""
    least: int
    """The largest bet or raise of this round, at least the big blind: the least raise of no-limit hold'em."""
    bets: int
    """Bets and raises of this round, the big blind included."""
    moves: int
    """Moves of this round."""
    rounds: int
    line_1: int
    line_2: int
    line_3: int
    line_4: int
    before: int
    """Cards of the hand before; 0 if there was none."""


@inlined
def street_of(dealt: int) -> int:
    """Return the round: 0 before the flop, 1 to 3 on the flop, the turn and the river."""
    return 0 if dealt < FLOP else dealt - FLOP + 1


@inlined
def card_at(cards: int, place: int) -> int:
    """Return the card at a place of the deal; -1 if it is not dealt."""
    return (cards >> CARD_BITS * place & CARD) - 1


@inlined
def set_of(cards: int, first: int, last: int) -> int:
    """Return the set of the cards at the places from ``first`` to before ``last``."""
    found = 0
    for place in range(first, last):
        card = card_at(cards, place)
        if card >= 0:
            found |= bit_of(card)
    return found


@inlined
def showdown(cards: int) -> int:
    """Return 1 if seat 0 has the better hand, -1 if seat 1 has it, 0 if both are equal."""
    board = set_of(cards, HOLE, BOARD)
    ours, theirs = value_of(board | set_of(cards, 0, 2)), value_of(board | set_of(cards, 2, HOLE))
    return (ours > theirs) - (ours < theirs)


@implements(to_move, Holdem)
def _to_move(state: State) -> int:
    return state.seat if state.phase == BET else CHANCE


@implements(legal_moves, Holdem)
def _legal_moves(state: State, out: Moves) -> int:
    count = 0
    if state.phase != BET:
        used = 0 if state.phase == DONE else set_of(state.cards, 0, state.dealt)
        for card in range(DECK):
            if not used & bit_of(card):
                out[count] = card
                count += 1
        return count
    most = max(state.first, state.second)
    if state.first != state.second:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    if state.kind == LIMIT:
        if state.bets < MOST_BETS:
            out[count] = RAISE + most + (BIG_BLIND if state.dealt <= FLOP else 2 * BIG_BLIND)
            count += 1
    elif most < state.stack:
        for level in range(min(most + state.least, state.stack), state.stack + 1):
            out[count] = RAISE + level
            count += 1
    return count


@implements(pick, Holdem)
def _pick(state: State, chance: int, out: Moves) -> int:
    """Cards are as likely as each other, hence no odds."""
    over, _, _ = outcome(state)
    if over:
        return -1
    count = legal_moves(state, out)
    return int(out[np.int64(chance * np.uint64(count) >> np.uint64(32))])


@implements(step, Holdem)
def _step(state: State, move: int) -> Holdem:
    if state.phase != BET:
        return _deal(state, move)
    kind, stack, hands, hand, score, _, seat, cards, dealt = state[:9]
    first, second, least, bets, moves, rounds, line_1, line_2, line_3, line_4, before = state[9:]
    most = max(first, second)
    phase, other = BET, 1 - seat
    if move >= RAISE:
        level = move - RAISE
        least = max(least, level - most)
        bets += 1
        first, second = (first, level) if seat else (level, second)
        bit = level - 1
        if bit < LEVELS:
            line_1 |= 1 << bit
        elif bit < 2 * LEVELS:
            line_2 |= 1 << bit - LEVELS
        elif bit < 3 * LEVELS:
            line_3 |= 1 << bit - 2 * LEVELS
        else:
            line_4 |= 1 << bit - 3 * LEVELS
    elif move == FOLD:
        phase, other = DONE, 0
        score += second if seat else -first
    else:
        first = second = most
        at = ROUND_BITS * street_of(dealt)
        if moves == 0:
            rounds |= 1 << at + BEGUN
        else:
            rounds |= most << at
            phase, other = DEAL, 0
            if dealt == BOARD:
                phase = DONE
                score += first * showdown(cards)
    moves += 1
    return Holdem(
        kind, stack, hands, hand, score, phase, other, cards, dealt, first, second, least, bets, moves, rounds,
        line_1, line_2, line_3, line_4, before,
    )  # fmt: skip


@inlined
def _deal(state: Holdem, card: int) -> Holdem:
    """Return the state after the deal of a card; after the last card of a round a seat is to move."""
    kind, stack, hands, hand, score, _, _, cards, dealt = state[:9]
    first, second, _, _, _, rounds, line_1, line_2, line_3, line_4, before = state[9:]
    if state.phase == DONE:
        before = cards | (1 if first != second else 0) << FOLDED
        hand, cards, dealt, first, second, rounds = hand + 1, 0, 0, 0, 0, 0
        line_1 = line_2 = line_3 = line_4 = 0
    cards |= card + 1 << CARD_BITS * dealt
    dealt += 1
    phase, seat, bets, button = DEAL, 0, 0, hand & 1
    if dealt == HOLE:
        phase, seat, bets = BET, button, 1
        first, second = (BIG_BLIND, SMALL_BLIND) if button else (SMALL_BLIND, BIG_BLIND)
    elif dealt >= FLOP:
        if first < stack:
            phase, seat = BET, 1 - button
        elif dealt == BOARD:
            phase = DONE
            score += first * showdown(cards)
    return Holdem(
        kind, stack, hands, hand, score, phase, seat, cards, dealt, first, second, BIG_BLIND, bets, 0, rounds,
        line_1, line_2, line_3, line_4, before,
    )  # fmt: skip


@implements(outcome, Holdem)
def _outcome(state: State) -> tuple[bool, float, float]:
    return state.phase == DONE and state.hand + 1 == state.hands, float(state.score), -float(state.score)


@implements(information_key, Holdem)
def _information_key(state: State, seat: int) -> int:
    """Own cards, open cards and moves of the hand; and whether the seat has the button, not the number of the seat."""
    cards = state.cards >> 2 * CARD_BITS * seat & (1 << 2 * CARD_BITS) - 1
    cards |= state.cards >> HOLE * CARD_BITS << HOLE * CARD_BITS
    button = 1 if seat == state.hand & 1 else 0
    own, other = (state.second, state.first) if seat else (state.first, state.second)
    acts = 1 if state.phase == BET and state.seat == seat else 0
    own_state = Holdem(
        state.kind, state.stack, 0, button, 0, state.phase, acts, cards, state.dealt, own, other, 0, 0,
        state.moves, state.rounds, state.line_1, state.line_2, state.line_3, state.line_4, 0,
    )  # fmt: skip
    return key(own_state)


@implements(irreversible, Holdem)
def _irreversible(state: State, move: int) -> bool:
    """No position occurs again: the cards and moves of a hand, and the number of the hand, only grow."""
    return True


@implements(slot, Holdem)
def _slot(state: State, move: int) -> int:
    return move & SLOTS - 1


@implements(features, Holdem)
def _features(state: State) -> tuple[int]:
    """Return the chips won so far."""
    return (-state.score if state.phase == BET and state.seat else state.score,)
