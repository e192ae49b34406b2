# SPDX-License-Identifier: GPL-3.0-or-later
"""Zero-window search of the tricks of North and South with four open hands.

A search returns one word: whether North and South reach the tricks that they need (REACHED), and the cards whose rank
matters to the proof. Equal cards of a hand, between which no other hand has one, are tried once.
"""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, highest, popcount
from engine.exact import ABORTED, LIMIT, NODES, STOP
from engine.games.bridge.cards import LANE, NOTRUMP, ONE, SUIT, ZERO
from engine.games.bridge.double_dummy.memory import (
    BEST,
    CARD,
    COUNTS,
    FIFTEEN,
    HIGH,
    LOW,
    MASK,
    MORE_MASK,
    MORE_OWNERS,
    NEXT,
    OWNERS,
    REST,
    TAG,
    TRUMPS,
    Memory,
    keep,
    list_of,
    mattering,
    owners_of,
    suit_of,
)
from engine.games.bridge.double_dummy.sure_tricks import cashed, later, tops_of
from engine.kernel import compiled, inlined, part
from engine.native.buffers import borrowed, lent

REACHED = ONE << Bits(63)
"""Set in a result if North and South win enough tricks. No card has this bit."""


@inlined
def bit_of(card: int) -> Bits:
    """Return the bit of a card."""
    return ONE << np.uint64(card)


@inlined
def lowest_equal(card: int, hand: Bits, cards: Bits) -> Bits:
    """Return the lowest card that is equal to one that was played; ``hand``: the other cards of its player."""
    below = SUIT << np.uint64(card & ~15) & (bit_of(card) - ONE)
    others, own = cards & ~hand & below, hand & below
    if others:
        own &= ~((ONE << highest(others)) - ONE)
    return own & ~(own - ONE) if own else bit_of(card)


@inlined
def beats(card: int, best: int, strain: int) -> bool:
    """Return whether a card beats the best one of a trick."""
    if card >> 4 == best >> 4:
        return card > best
    return card >> 4 == strain


@part
def worth_leading(card: int, who: int, known: int, strain: int, hands: Any, cards: Bits, history: Any) -> int:
    """Return the ordering key of a lead."""
    if card == known:
        return 1 << 30
    suit = card >> 4
    mine, partner = suit_of(hands[who], suit), suit_of(hands[who ^ 2], suit)
    left, right = suit_of(hands[(who + 1) & 3], suit), suit_of(hands[(who + 3) & 3], suit)
    whole = mine | partner | left | right
    rank = card & 15
    key = 100 + 2 * (popcount(mine) + popcount(partner))
    top = np.int64(highest(whole))
    if strain < NOTRUMP and suit != strain:
        ruffs = (not left and suit_of(hands[(who + 1) & 3], strain) != ZERO) or (
            not right and suit_of(hands[(who + 3) & 3], strain) != ZERO
        )
        if ruffs:
            key -= 40
        elif not partner and suit_of(hands[who ^ 2], strain):
            key += 40
    if mine >> np.uint64(top) & ONE:
        key += 40 if rank == top else 10
    elif partner >> np.uint64(top) & ONE:
        key += 45 - rank
    elif left >> np.uint64(top) & ONE:
        # through the highest card
        key += 12 - rank
        if partner and partner > right:
            key += 10
    else:
        key -= 5
        key += (rank >> 1) if mine > left else -rank
    return (key << 4) + min(history[who, card], 400)


@part
def worth_following(
    card: int,
    place: int,
    who: int,
    led: int,
    best: int,
    leads: bool,
    strain: int,
    hands: Any,
    cards: Bits,
    history: Any,
) -> int:
    """Return the ordering key of a card that is not led. ``leads``: whether the partner's card is the best so far."""
    suit, rank = card >> 4, card & 15
    wins = beats(card, best, strain)
    # what the hands behind can beat it with
    threatened, helped = False, False
    for ahead in range(1, 4 - place):
        hand = hands[(who + ahead) & 3]
        same = suit_of(hand, led)
        over = False
        against = card if wins else best
        if same:
            if against >> 4 == led:
                over = same >> np.uint64(against & 15) > ONE
        elif strain < NOTRUMP and suit_of(hand, strain):
            over = against >> 4 != strain or suit_of(hand, strain) >> np.uint64(against & 15) > ONE
        if ahead & 1:
            threatened = over
        else:
            helped = over
    key = 200
    if suit in (led, strain):
        if wins and not threatened:
            if leads and place == 3:
                key += 10 - rank
            elif helped and place == 1:
                key += 30 - rank
            else:
                key += 80 - rank
            if suit != led:
                key += 5
        elif wins:
            key += 20 - rank if suit == led else -10 - rank
        elif suit == led:
            key += 25 - rank
        else:
            key += -40 - rank
        if leads and not (place == 2 and threatened) and not wins:
            key += 40
    else:
        whole, mine = suit_of(cards, suit), suit_of(hands[who], suit)
        key += 10 - rank
        if tops_of(mine, whole) and rank >= np.int64(highest(whole)):
            key -= 30
        key += popcount(mine)
        if popcount(mine) == 2 and tops_of(mine, whole) == 0:
            key -= 3
    return (key << 4) + min(history[who, card], 200)


@inlined
def next_of(row: Any, first: int, count: int) -> int:
    """Bring the best remaining move to the place ``first``; return its card."""
    best = first
    for place in range(first + 1, count):
        if row[place] > row[best]:
            best = place
    row[first], row[best] = row[best], row[first]
    return row[first] & 63


@inlined
def list_cards(hand: Bits, cards: Bits, suits: int, row: Any) -> int:
    """Write one card of each group of equal cards of some suits (a set of bits); return how many there are."""
    count = 0
    for suit in range(4):
        if not suits >> suit & 1:
            continue
        own = suit_of(hand, suit)
        others = suit_of(cards, suit) & ~own
        while own:
            card = highest(own)
            row[count] = np.int64(card) + LANE * suit
            count += 1
            below = others & (ONE << card) - ONE
            own &= (ONE << highest(below)) - ONE if below else ZERO
    return count


@inlined
def found(tag: Bits, cards: Bits, need: int, memory: Memory) -> tuple[int, Bits, int]:
    """Look a position up: 1 if the tricks are reached, -1 if not, 0 if unknown; what matters; and a card to try."""
    owners, more = owners_of(cards, 0, memory), owners_of(cards, 2, memory)
    entry = memory.lists[list_of(tag)]
    known: Any = -1
    while entry:
        row = memory.table[entry]
        rest = row[REST]
        same = row[TAG] == tag
        if same and not ((row[OWNERS] ^ owners) & row[MASK] | (row[MORE_OWNERS] ^ more) & row[MORE_MASK]):
            if np.int64(rest >> LOW & FIFTEEN) >= need:
                return 1, mattering(rest >> COUNTS, cards), known
            if np.int64(rest >> HIGH & FIFTEEN) < need:
                return -1, mattering(rest >> COUNTS, cards), known
            if known < 0:
                known = np.int64(rest >> CARD)
        entry = np.int64(rest & NEXT)
    return 0, ZERO, known


@compiled
def play(
    place: int,
    who: int,
    ply: int,
    need: int,
    led: int,
    best: int,
    winner: int,
    contested: int,
    cards: Bits,
    lengths: Bits,
    loan: Memory,
) -> Bits:
    """Search a position. ``place``: cards of the trick so far; ``who``: the player to play; ``need``: tricks that North
    and South need of those that are left; ``led``, ``best``, ``winner``, ``contested``: the suit that was led, the best
    card, who played it, and whether it beat a card of its suit; ``cards``: those left at the begin of the trick;
    ``lengths``: of each suit in each hand, 4 bits each."""
    memory = borrowed(loan)
    control, hands, row = memory.control, memory.hands, memory.moves[ply]
    strain = memory.facts[TRUMPS]
    sided = who & 1
    tag = ZERO
    known = -1
    hand = hands[who]
    if place == 0:
        tricks = popcount(hand)
        if need <= 0:
            return REACHED
        if need > tricks:
            return ZERO
        if control[NODES] >= control[LIMIT] or control[STOP]:
            control[ABORTED] = 1
            return ZERO
        control[NODES] += 1
        cards = hands[0] | hands[1] | hands[2] | hands[3]
        tag = lengths << np.uint64(4) | np.uint64(who)
        # the root must find a card
        if ply:
            enough = tricks - need + 1 if sided else need
            sure, relevant = cashed(who, enough, strain, hands)
            if min(sure, tricks) >= enough:
                return relevant if sided else relevant | REACHED
            enough = need if sided else tricks - need + 1
            sure, relevant = later(who, enough, strain, hands)
            if min(sure, tricks) >= enough:
                return relevant | REACHED if sided else relevant
            verdict, relevant, known = found(tag, cards, need, memory)
            if verdict:
                return relevant | REACHED if verdict > 0 else relevant
        count = list_cards(hand, cards, 15, row)
        for index in range(count):
            card = row[index]
            row[index] = worth_leading(card, who, known, strain, hands, cards, memory.history) << 6 | card
    else:
        suits = 1 << led if suit_of(hand, led) else 15
        count = list_cards(hand, cards, suits, row)
        if count > 1:
            leads = (winner ^ who) & 1 == 0
            for index in range(count):
                card = row[index]
                key = worth_following(card, place, who, led, best, leads, strain, hands, cards, memory.history)
                row[index] = key << 6 | card
    matters = ZERO
    none = np.int64(0)
    for index in range(count):
        card = next_of(row, index, count)
        hands[who] = hand ^ bit_of(card)
        best_now, winner_now, contested_now, led_now = best, winner, contested, led
        if place == 0:
            best_now, winner_now, contested_now, led_now = card, who, 0, card >> 4
        elif card >> 4 == best >> 4:
            contested_now = 1
            if card > best:
                best_now, winner_now = card, who
        elif card >> 4 == strain:
            best_now, winner_now, contested_now = card, who, 0
        shorter = lengths - (ONE << np.uint64(4 * ((card >> 4) + 4 * who)))
        if place < 3:
            result = play(
                place + 1,
                (who + 1) & 3,
                ply + 1,
                need,
                led_now,
                best_now,
                winner_now,
                contested_now,
                cards,
                shorter,
                loan,
            )
        else:
            left = need - 1 + (winner_now & 1)
            result = play(none, winner_now, ply + 1, left, none, none, none, none, ZERO, shorter, loan)
            if contested_now:
                # an equal card that was not tried must win too, if the winner's side failed with all of its cards
                if (result & REACHED != ZERO) == (winner_now & 1 == 1):
                    result |= lowest_equal(best_now, hands[winner_now], cards)
                else:
                    result |= bit_of(best_now)
        hands[who] = hand
        if control[ABORTED]:
            return ZERO
        if (result & REACHED != ZERO) != (sided == 1):
            matters = result & ~REACHED
            memory.history[who, card] += popcount(hand)
            if ply == 0:
                memory.facts[BEST] = card
            if place == 0:
                if sided:
                    keep(tag, cards, matters, 0, need - 1, card, memory)
                else:
                    keep(tag, cards, matters, need, popcount(hand), card, memory)
            return result
        matters |= result & ~REACHED
    if place == 0:
        if sided:
            keep(tag, cards, matters, need, popcount(hand), 0, memory)
        else:
            keep(tag, cards, matters, 0, need - 1, 0, memory)
    return matters | REACHED if sided else matters


@compiled
def reaches(who: int, place: int, need: int, trick: Any, memory: Memory) -> bool:
    """Return whether North and South win ``need`` of the tricks that are left, with the cards of the trick so far."""
    loan = lent(borrowed(memory))
    hands = memory.hands
    lengths, cards = ZERO, ZERO
    for player in range(4):
        for suit in range(4):
            lengths |= np.uint64(popcount(suit_of(hands[player], suit))) << np.uint64(4 * (suit + 4 * player))
        cards |= hands[player]
    strain = memory.facts[TRUMPS]
    led: Any = np.int64(0)
    best, winner, contested = led, led, led
    for at in range(place):
        card = trick[at]
        cards |= bit_of(card)
        player = (who - place + at) & 3
        if at == 0:
            led, best, winner = card >> 4, card, player
        elif card >> 4 == best >> 4:
            contested = 1
            if card > best:
                best, winner = card, player
        elif card >> 4 == strain:
            best, winner, contested = card, player, 0
    return play(place, who, np.int64(0), need, led, best, winner, contested, cards, lengths, loan) & REACHED != ZERO
