# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves of small poker games as texts, for those who see all cards and for others.

A position is the number of the hand and of the hands of the match, the chips that seat 0 has won in finished hands, the
cards of the hand, its moves, and cards and moves of the hand before: ``5/100 -3 J?Q crc/r K?-:rf``. Cards are those of
seat 0, of seat 1 and the common one: J, Q, K, ``-`` before the deal, ``?`` if hidden. Moves are f (fold), c (check or
call) and r (bet or raise), with a slash between the rounds.
"""

import re
from random import Random

from engine.game import State
from engine.games.small_poker.rules import (
    BET,
    BOARD,
    COPIES,
    DEAL,
    DONE,
    FOLD,
    HANDS,
    LINE_BITS,
    MOST_BETS,
    MOST_LOST,
    PLACES,
    RANKS,
    ROUNDS,
    START,
    Poker,
    _step,
    card_of,
)
from engine.secrets import HIDDEN

CARDS = "-JQK"
"""Letters of cards; the first one is no card."""
LETTERS = "fcr"
NONE = "-"

_POSITION = re.compile(
    r"(\d{1,4})/(\d{1,4}) (-?\d{1,5}) ([-?JQK]{2,3}) (-|[fcr/]{1,12}) (-|([?JQK]{2}[-?JQK]?):([fcr/]{1,12}))"
)

FORM = (
    "write hand/hands, the chips that seat 0 has won, the cards (seat 0, seat 1 and the common one, - for none), the "
    "moves of the hand, and cards:moves of the hand before, like"
)
EXAMPLES = ("5/100 -3 JK cr KQ:rf", "5/100 -3 JKQ crc/r KQ-:rf")
"""Positions of each kind of games, for people."""


def start(kind: int, hands: int) -> Poker:
    """Return the state before the deal of the first of so many hands."""
    return Poker(kind, hands, 0, 0, DEAL, 0, 0, START, 0, 0, 0, 0, 0)


def folded(line: int) -> bool:
    """Return whether the newest move of a hand is a fold."""
    return line > START and line & (1 << LINE_BITS) - 1 == FOLD


def moves_of(line: int) -> list[int]:
    """Return the moves of a hand."""
    found = []
    while line > START:
        found.append(line & (1 << LINE_BITS) - 1)
        line >>= LINE_BITS
    return found[::-1]


def rounds_of(line: int) -> list[str]:
    """Return the letters of the moves of a hand, round by round; the last text is empty after a finished round."""
    rounds = [""]
    for move in moves_of(line):
        rounds[-1] += LETTERS[move]
        # the first check of a round leaves the other seat to move
        if LETTERS[move] == "c" and len(rounds[-1]) > 1:
            rounds.append("")
    return rounds


def words_of(line: int) -> str:
    """Return the moves of a hand in words, with a bar between rounds, such as ``check, bet, call | check``."""
    told = []
    for letters in filter(None, rounds_of(line)):
        raised, words = False, []
        for letter in letters:
            words.append({"f": "fold", "c": "call" if raised else "check", "r": "raise" if raised else "bet"}[letter])
            raised |= letter == "r"
        told.append(", ".join(words))
    return " | ".join(told)


# ---------------------------------------------------------------- moves


def format_move(state: State, move: int) -> str:
    """Write a move: a word, both seats' cards of a deal (``JK``), or the common card (``Q``)."""
    if state.phase == BET:
        facing = state.first != state.second
        return ("fold", "call" if facing else "check", "raise" if state.bets else "bet")[move]
    if state.phase == BOARD:
        return CARDS[move + 1]
    return CARDS[move // RANKS + 1] + CARDS[move % RANKS + 1]


def disclose(state: State, move: int, viewer: int | None) -> str:
    """Write a move as a seat, or the public (None), sees it: of a deal only the seat's own card."""
    text = format_move(state, move)
    if state.phase not in (DEAL, DONE):
        return text
    if viewer is None:
        return HIDDEN
    return HIDDEN + text[1] if viewer else text[0] + HIDDEN


def read_move(state: State, text: str) -> str:
    """Accept any case, and the letters of positions."""
    text = text.strip()
    if state.phase != BET:
        return text.upper()
    text = text.lower()
    return format_move(state, LETTERS.index(text)) if len(text) == 1 and text in LETTERS else text


# ---------------------------------------------------------------- positions


def seen_cards(cards: int, line: int, viewer: int | None, *, ended: bool) -> str:
    """Return the cards as a viewer sees them: a seat its own, and everybody those of a showdown."""
    shown = ended and not folded(line)
    return "".join(
        CARDS[card_of(cards, place)] if shown or place in (2, viewer) or not card_of(cards, place) else HIDDEN
        for place in range(3)
    )


def all_cards(cards: int) -> str:
    """Return the cards as those see them who see all."""
    return "".join(CARDS[card_of(cards, place)] for place in range(3))


def _text(state: State, cards: str, before: str) -> str:
    """Return a position with texts for its cards and those of the hand before."""
    size = 1 + ROUNDS[state.kind]
    line = "/".join(_told_rounds(state.line, open_round=state.phase == BET and card_of(state.cards, 2) > 0))
    earlier = f"{before[:size]}:{'/'.join(_told_rounds(state.before >> PLACES))}" if state.before else NONE
    return f"{state.hand + 1}/{state.hands} {state.score} {cards[:size]} {line or NONE} {earlier}"


def _told_rounds(line: int, *, open_round: bool = False) -> list[str]:
    """Return the rounds of a hand; ``open_round``: also one without a move, after the deal of the common card."""
    rounds = rounds_of(line)
    return rounds if rounds[-1] or open_round else rounds[:-1]


def format_position(state: State) -> str:
    """Write a state with all cards."""
    return _text(state, all_cards(state.cards), all_cards(state.before & (1 << PLACES) - 1))


def observed_position(state: State, viewer: int | None) -> str:
    """Write a state as a seat, or the public (None), sees it."""
    cards = seen_cards(state.cards, state.line, viewer, ended=state.phase == DONE)
    before = seen_cards(state.before & (1 << PLACES) - 1, state.before >> PLACES, viewer, ended=True)
    return _text(state, cards, before)


def parse_position(kind: int, text: str) -> Poker:
    """Read a state. Raises ValueError, with a readable message, if the text is not a position."""
    found = _POSITION.fullmatch(text.strip())
    size = 1 + ROUNDS[kind]
    if not found or HIDDEN in text or any(len(cards) != size for cards in (found[4], found[7] or found[4])):
        raise ValueError(f"{text[:80]!r} is not a position; {FORM} {EXAMPLES[kind]}")
    hand, hands, score = int(found[1]), int(found[2]), int(found[3])
    if not 1 <= hand <= hands <= HANDS:
        raise ValueError(f"the hand is 1 to the number of hands, and there are 1 to {HANDS} hands (got {hand}/{hands})")
    state = _dealt(kind, found[4], found[5], (hand - 1) & 1)
    if abs(score) > MOST_LOST[kind] * (hand - (state.phase != DONE)):
        raise ValueError(f"no seat can have won {abs(score)} chips so early")
    before = 0
    if found[7]:
        if hand == 1:
            raise ValueError("there is no hand before the first one")
        earlier = _dealt(kind, found[7], found[8], hand & 1)
        if earlier.phase != DONE:
            raise ValueError(f"the hand before must be over: {found[7]}:{found[8]}")
        before = earlier.line << PLACES | earlier.cards
    elif hand > 1:
        raise ValueError(f"cards:moves of the hand before are missing; {FORM} {EXAMPLES[kind]}")
    return state._replace(hands=hands, hand=hand - 1, score=score, before=before)


def _dealt(kind: int, cards: str, line: str, begins: int) -> Poker:
    """Play a hand with these cards; ``begins``: the seat that begins. Raises ValueError if it cannot be played so."""
    first, second, common = (CARDS.index(card) for card in cards.ljust(3, NONE))
    state = start(kind, HANDS)._replace(hand=begins)
    if not (first or second or common):
        if line != NONE or begins:
            raise ValueError("cards are missing: only the first hand can be before its deal")
        return state
    if not (first and second):
        raise ValueError("either both seats have a card, or none")
    if max((first, second, common).count(rank) for rank in range(1, RANKS + 1)) > COPIES[kind]:
        raise ValueError(f"the deck has no such cards: {cards}")
    state = _step(state, (first - 1) * RANKS + second - 1)
    for letter in "" if line == NONE else line:
        if letter == "/":
            if state.phase != BOARD or not common:
                raise ValueError(f"these moves do not end a round of betting, or its card is missing: {line}")
            state = _step(state, common - 1)
        elif state.phase != BET or (letter == "f" and state.first == state.second):
            raise ValueError(f"these moves are not possible: {line}")
        elif letter == "r" and state.bets == MOST_BETS[kind]:
            raise ValueError(f"a round has at most {MOST_BETS[kind]} bets and raises: {line}")
        else:
            state = _step(state, LETTERS.index(letter))
    if common and card_of(state.cards, 2) != common:
        raise ValueError(f"the common card is dealt after the first round: {cards} {line}")
    return state


def determinise(kind: int, text: str, seat: int, chance: Random) -> Poker:
    """Return a random state that fits the text of a seat's observation: hidden cards are any that the deck has.

    Raises ValueError if the text is no observation.
    """
    filled = " ".join(_filled(kind, word, chance) for word in text.split(" "))
    return parse_position(kind, filled)


def _filled(kind: int, word: str, chance: Random) -> str:
    """Replace each hidden card in a word of an observation."""
    cards, mark, line = word.partition(":")
    while HIDDEN in cards:
        deck = [rank for rank in CARDS[1:] for _ in range(COPIES[kind] - cards.count(rank))]
        if not deck:
            break
        cards = cards.replace(HIDDEN, chance.choice(deck), 1)
    return cards + mark + line
