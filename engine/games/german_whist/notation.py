# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves of German whist as texts, for those who see all cards and for others.

A position has eight parts, with ``-`` for none:

    AsKsQs…|QhJhTh… Qh Td s 0:3c4c 0 0-0 4c3c -|d

The hands of seat 0 and seat 1; those of their cards that both seats know, because they were taken face up; the card
that is turned up; the trump suit; the trick (who led, the lead, the reply); whose turn it is; the tricks of both seats
in the second half; all cards that are played, with those of the trick; and the suits that the hidden cards of each
seat do not have: it did not follow suit, and has not drawn from the stock since. A hidden card is ``??``. The stock has
all other cards.
"""

import re
from random import Random

from engine.bitboards.bits import Bits
from engine.cards import RANKS
from engine.games.german_whist.rules import (
    DECK,
    HAND,
    LEAD,
    LEADER,
    LOST,
    REPLY,
    SUIT,
    TRUMP,
    TURN,
    UP,
    VOIDS,
    WIDTHS,
    WON,
    GermanWhist,
    beats,
)
from engine.secrets import HIDDEN

SUITS = "cdhs"
NONE, UNKNOWN = "-", 2 * HIDDEN
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
"""The texts of the cards."""
EXAMPLE = "-|- - - - - 0 0-0 - -|- (before the deal)"

_CARD = r"[2-9TJQKA][cdhs]"
_POSITION = re.compile(
    rf"((?:{_CARD}|\?\?){{1,13}}|-)\|((?:{_CARD}|\?\?){{1,13}}|-) ((?:{_CARD}){{1,26}}|-) ({_CARD}|-) ([cdhs]|-) "
    rf"(?:([01]):({_CARD})({_CARD})?|-) ([01]) (\d\d?)-(\d\d?) ((?:{_CARD}){{1,52}}|-) (c?d?h?s?|-)\|(c?d?h?s?|-)"
)


def fact(state: GermanWhist, first: int) -> int:
    """Return a number of ``GermanWhist.facts`` by its first bit."""
    return int(state.facts) >> first & (1 << WIDTHS[first]) - 1


def cards_of(cards: int) -> list[int]:
    """Return the cards of a set."""
    return [card for card in range(DECK) if int(cards) >> card & 1]


def stock_of(state: GermanWhist) -> list[int]:
    """Return the cards that are neither dealt nor turned up."""
    seen = int(state.first) | int(state.second) | int(state.played)
    return [card for card in range(DECK) if not seen >> card & 1 and card != fact(state, UP) - 1]


def dealing(state: GermanWhist) -> bool:
    """Return whether a card is dealt or turned up."""
    return not fact(state, UP) and bool(stock_of(state))


def receiver(state: GermanWhist) -> int | None:
    """Return the seat to which the next card is dealt; None: it is turned up."""
    for seat in (0, 1):
        if int(state[seat]).bit_count() < HAND:
            return seat
    return None


# ---------------------------------------------------------------- moves


def format_move(state: GermanWhist, move: int) -> str:
    """Write a card that is played, dealt or turned up."""
    return CARDS[move]


def disclose(state: GermanWhist, move: int, viewer: int | None) -> str:
    """Write a move as a seat, or the public (None), sees it: only the receiver sees a card that is dealt."""
    secret = dealing(state) and receiver(state) is not None and receiver(state) != viewer
    return HIDDEN if secret else CARDS[move]


def read_move(state: GermanWhist, text: str) -> str:
    """Accept any case, 10 for the ten, and the suit before the rank."""
    text = text.strip().lower().replace("10", "t")
    if len(text) == 2 and text[0] in SUITS:
        text = text[::-1]
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- positions


def _text(cards: int) -> str:
    return "".join(CARDS[card] for card in reversed(cards_of(cards))) or NONE


def _hand(cards: int, known: int, *, seen: bool) -> str:
    """Return the text of a hand; ``seen``: whether all of it is shown, and not only what both seats know."""
    if seen:
        return _text(cards)
    shown = cards & known
    return _text(shown).replace(NONE, "") + UNKNOWN * (cards & ~known).bit_count() or NONE


def written(state: GermanWhist, seen: tuple[bool, bool]) -> str:
    """Write a state; ``seen``: whether all cards of each seat's hand are shown."""
    known = int(state.open)
    hands = "|".join(_hand(int(state[seat]), known, seen=seen[seat]) for seat in (0, 1))
    trick, card = NONE, fact(state, UP)
    if fact(state, LEAD):
        trick = f"{fact(state, LEADER)}:{CARDS[fact(state, LEAD) - 1]}"
        trick += CARDS[fact(state, REPLY) - 1] if fact(state, REPLY) else ""
    trump = (NONE + SUITS)[fact(state, TRUMP)]
    missing = (
        "".join(suit for at, suit in enumerate(SUITS) if fact(state, VOIDS) >> 4 * seat + at & 1) or NONE
        for seat in (0, 1)
    )
    return (
        f"{hands} {_text(known)} {CARDS[card - 1] if card else NONE} {trump} {trick} {fact(state, TURN)} "
        f"{fact(state, WON)}-{fact(state, LOST)} {_text(int(state.played))} {'|'.join(missing)}"
    )


def format_position(state: GermanWhist) -> str:
    """Write a state with all cards."""
    return written(state, (True, True))


def observed_position(state: GermanWhist, viewer: int | None) -> str:
    """Write a state as a seat, or the public (None), sees it."""
    return written(state, (viewer == 0, viewer == 1))


def _numbers(text: str | None) -> list[int]:
    return [] if not text or text == NONE else [CARDS.index(text[at : at + 2]) for at in range(0, len(text), 2)]


def _set(text: str | None) -> int:
    return sum(1 << card for card in set(_numbers(text)))


def parse_position(text: str) -> GermanWhist:
    """Read a state. Raises ValueError, with a readable message, if the text is not a position."""
    clean = " ".join(text.split())
    found = _POSITION.fullmatch(clean)
    if not found or HIDDEN in clean:
        raise ValueError(
            f"{text[:80]!r} is not a position; write both hands, the cards that both seats know, the card turned up, "
            "the trump suit, the trick, the seat to move, the tricks of both seats, the cards played, and the missing "
            f"suits of both hands (- for none), like {EXAMPLE}"
        )
    dealt = [card for at in (1, 2, 4, 12) for card in _numbers(found[at])]
    if twice := [CARDS[card] for card in range(DECK) if dealt.count(card) > 1]:
        raise ValueError(f"a card is there twice: {twice[0]}")
    up, trick = _numbers(found[4]), _numbers((found[7] or "") + (found[8] or ""))
    won, lost = int(found[10]), int(found[11])
    if won + lost > HAND:
        raise ValueError(f"the second half has {HAND} tricks (got {won} and {lost})")
    voids = sum(1 << 4 * seat + at for seat in (0, 1) for at, suit in enumerate(SUITS) if suit in found[13 + seat])
    facts = {
        UP: up[0] + 1 if up else 0,
        TRUMP: (NONE + SUITS).index(found[5]),
        LEAD: trick[0] + 1 if trick else 0,
        REPLY: trick[1] + 1 if len(trick) > 1 else 0,
        LEADER: int(found[6] or 0),
        TURN: int(found[9]),
        WON: won,
        LOST: lost,
        VOIDS: voids,
    }
    first, second, known, played = (Bits(_set(found[at])) for at in (1, 2, 3, 12))
    state = GermanWhist(first, second, known, played, Bits(sum(number << first for first, number in facts.items())))
    _check(state, trick)
    return state


def _check(state: GermanWhist, trick: list[int]) -> None:
    """Raise ValueError if a state cannot be."""
    first, second, known, played = (int(cards) for cards in state[:4])
    turn, leader, trump = fact(state, TURN), fact(state, LEADER), fact(state, TRUMP) - 1
    if known & ~(first | second):
        raise ValueError("the cards that both seats know must be in their hands")
    if any(not played >> card & 1 for card in trick) or len(set(trick)) < len(trick):
        raise ValueError("the cards of the trick must be different, and among the cards that are played")
    counts, done, missing = [first.bit_count(), second.bit_count()], played.bit_count(), fact(state, UP) == 0
    stock = len(stock_of(state))
    if done == 0:
        dealt = sum(counts) < 2 * HAND or missing
        if trick or leader or turn or state.open or fact(state, VOIDS) or (counts[1] and counts[0] < HAND):
            raise ValueError("before the first lead there is no trick, seat 0 is to move, and it gets its cards first")
        if (dealt and (not missing or trump >= 0)) or (not missing and trump != (fact(state, UP) - 1) // SUIT):
            raise ValueError("trumps is the suit of the first card that is turned up, after the deal")
    elif trump < 0 or not trick:
        raise ValueError("after the first lead there are a trump suit and a trick")
    if done % 2 != len(trick) % 2:
        raise ValueError("an even number of cards is played after a complete trick, and an odd one after a lead")
    if trick:
        replied = len(trick) == 2
        winner = leader if not replied or not beats(trick[1], trick[0], trump) else 1 - leader
        if turn != (winner if replied else 1 - leader):
            raise ValueError("after a lead the other seat is to move, and after a trick its winner")
        counts[leader] += not replied
        if replied and missing and stock % 2:
            # the loser of the trick draws the next card
            counts[1 - turn] += 1
    left = HAND if stock or not missing else HAND - (fact(state, WON) + fact(state, LOST))
    if done and counts != [left, left]:
        raise ValueError(f"each hand must have {left} cards, with those of an unfinished trick (got {counts})")
    if (stock or not missing) and fact(state, WON) + fact(state, LOST):
        raise ValueError("tricks count in the second half, after the stock is used up")
    for seat, hand in enumerate((first, second)):
        hidden = hand & ~known
        for suit in range(len(SUITS)):
            if fact(state, VOIDS) >> 4 * seat + suit & 1 and hidden >> SUIT * suit & (1 << SUIT) - 1:
                raise ValueError(f"seat {seat} has hidden cards of a suit that they are said not to have")


def determinise(text: str, seat: int, chance: Random) -> GermanWhist:
    """Return a random state that fits the text of a seat's observation; all that fit are equally probable.

    The hidden cards of the other hand are drawn from those that the seat has not seen, without the suits that they
    cannot have. Raises ValueError if the text is no observation.
    """
    found = _POSITION.fullmatch(text)
    if not found or UNKNOWN in found[1 + seat]:
        raise ValueError(f"{text[:80]!r} is not an observation of seat {seat} in German whist")
    other = 1 - seat
    shown = {CARDS[card] for at in (1, 2, 4, 12) for card in _numbers(found[at].replace(UNKNOWN, ""))}
    left = [card for card in CARDS if card not in shown and card[1] not in found[13 + other]]
    count = found[1 + other].count(UNKNOWN)
    if count > len(left):
        raise ValueError("there are too few cards for the hidden ones of the observation")
    words = text.split(" ")
    hands = words[0].split("|")
    hands[other] = hands[other].replace(UNKNOWN, "") + "".join(chance.sample(left, count))
    words[0] = "|".join(hands)
    return parse_position(" ".join(words))
