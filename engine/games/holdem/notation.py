# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves of hold'em as texts, for those who see all cards and for others.

A position is the number of the hand and of the hands of the match, the chips that seat 0 has won in finished hands, the
cards of both seats, the open cards, the moves of the hand, and the cards of the hand before:
``5/100 -3 AsKd|???? Td7c2h r6c/cr4 QhQd|7c7d:2c3c4c5d6hf``. ``-`` stands for none, ``??`` for a hidden card. Moves are
f (fold), c (check or call) and r (bet or raise; in no-limit hold'em with the chips that the seat then has put into the
pot in this round), with a slash between the rounds. An f behind the hand before says that it ended by a fold.
"""

import re
from random import Random

from engine.game import State
from engine.games.holdem.hands import DECK, RANKS, SUITS
from engine.games.holdem.rules import (
    BEGUN,
    BET,
    BOARD,
    CALL,
    CARD_BITS,
    DEAL,
    DONE,
    FLOP,
    FOLD,
    FOLDED,
    HANDS,
    HOLE,
    LEVEL,
    LEVELS,
    LIMIT,
    RAISE,
    ROUND_BITS,
    Holdem,
    _legal_moves,
    _step,
    card_at,
    street_of,
)
from engine.secrets import HIDDEN

NONE, UNKNOWN = "-", 2 * HIDDEN

_CARD = r"(?:[2-9TJQKA][cdhs]|\?\?)"
_POSITION = re.compile(
    rf"(\d{{1,4}})/(\d{{1,4}}) (-?\d{{1,6}}) ({_CARD}{{1,2}}|-)\|({_CARD}{{1,2}}|-) ({_CARD}{{1,5}}|-) "
    rf"(-|[fcr/0-9]{{1,600}}) (-|({_CARD}{{2}})\|({_CARD}{{2}}):({_CARD}{{1,5}}|-)(f?))"
)
_WORD = re.compile(r"[fc]|r(\d{0,3})|/")
_MOVE = re.compile(r"(b|r|cbr|bet|raise) ?(?:to )?(\d{1,3})?")

FORM = (
    "write hand/hands, the chips that seat 0 has won, the cards of seat 0|seat 1, the open cards, the moves, and the "
    "cards of the hand before (- for none), like"
)
EXAMPLES = ("5/100 -3 AsKd|Qh9c Td7c2h crc/cr 8c8d|7h7s:-f", "5/100 -3 AsKd|Qh9c Td7c2h r6c/cr4 8c8d|7h7s:-f")
"""Positions of each kind of games, for people."""

CARDS = [rank + suit for rank in RANKS for suit in SUITS]
"""The texts of cards."""


def start(kind: int, stack: int, hands: int) -> Holdem:
    """Return the state before the first of so many hands."""
    return Holdem(kind, stack, hands, *[0] * (len(Holdem._fields) - 3))


SHOWN_MOVES = 4
"""The latest moves that a drawing has room for."""

# ---------------------------------------------------------------- the moves of a hand


def folded(state: State) -> bool:
    """Return whether the hand ended by a fold: the last bet was not called."""
    return bool(state.phase == DONE and state.first != state.second)


def level_before(state: State, street: int) -> int:
    """Return the chips of each seat in the pot at the start of a round; 0 before the flop, and if nobody plays it."""
    return state.rounds >> ROUND_BITS * (street - 1) & LEVEL if street else 0


def rounds_of(state: State) -> list[list[int]]:
    """Return the moves of a hand, round by round: FOLD, CALL, or RAISE plus the chips that are then in the pot."""
    line = state.line_1 | state.line_2 << LEVELS | state.line_3 << 2 * LEVELS | state.line_4 << 3 * LEVELS
    found: list[list[int]] = []
    for street in range(street_of(state.dealt) + 1 if state.dealt >= HOLE else 0):
        closed, low = state.rounds >> ROUND_BITS * street & LEVEL, level_before(state, street)
        # a round that all-in seats do not play has no moves
        high = 0 if street and not low else closed or max(state.first, state.second)
        begun = state.rounds >> ROUND_BITS * street + BEGUN & 1
        raises = [RAISE + bit + 1 for bit in range(low, high) if line >> bit & 1]
        ends = [CALL] if closed and (begun or raises) else []
        found.append([CALL] * begun + raises + ends)
    if folded(state):
        found[-1].append(FOLD)
    return found


def words_of(state: State) -> str:
    """Return the latest moves of the latest round in words, such as ``check, bet 4, call``."""
    street, moves = next(
        ((street, moves) for street, moves in reversed(list(enumerate(rounds_of(state)))) if moves), (0, [])
    )
    words, bets = list[str](), 1 if street == 0 else 0
    for index, move in enumerate(moves):
        facing = bets > (1 if street == 0 and index else 0)
        if move >= RAISE:
            words.append(_bet_text(state, "raise" if bets else "bet", move - RAISE - level_before(state, street)))
            bets += 1
        else:
            words.append("fold" if move == FOLD else "call" if facing else "check")
    return ", ".join(words if len(words) <= SHOWN_MOVES else ["…", *words[-SHOWN_MOVES:]])


def _bet_text(state: State, word: str, chips: int) -> str:
    return word if state.kind == LIMIT else f"{word} {chips}"


# ---------------------------------------------------------------- moves


def format_move(state: State, move: int) -> str:
    """Write a move: a word, in no-limit hold'em with the chips of a bet or raise, or a card that is dealt (``Ks``)."""
    if state.phase != BET:
        return CARDS[move]
    if move < RAISE:
        return "fold" if move == FOLD else "check" if state.first == state.second else "call"
    chips = move - RAISE - level_before(state, street_of(state.dealt))
    return _bet_text(state, "raise" if state.bets else "bet", chips)


def disclose(state: State, move: int, viewer: int | None) -> str:
    """Write a move as a seat, or the public (None), sees it: cards of the seats are dealt secretly."""
    place = 0 if state.phase == DONE else state.dealt
    secret = state.phase != BET and place < HOLE and viewer != place // 2
    return HIDDEN if secret else format_move(state, move)


def read_move(state: State, text: str) -> str:
    """Accept any case, letters (``r12``, ``cbr 12``), ``raise to 12`` and ``all-in``."""
    text = " ".join(text.lower().split())
    if state.phase != BET:
        return text[:1].upper() + text[1:]
    facing = state.first != state.second
    raising = "raise" if state.bets else "bet"
    if text in ("f", "x", "k", "c"):
        return {"f": "fold", "x": "check", "k": "check", "c": "call" if facing else "check"}[text]
    if text in ("all-in", "allin", "all in") and state.kind != LIMIT:
        if max(state.first, state.second) == state.stack:
            return "call"
        return f"{raising} {state.stack - level_before(state, street_of(state.dealt))}"
    found = _MOVE.fullmatch(text)
    if found is None or found[1] not in ("b", "r", "cbr", raising):
        return text
    return raising + (f" {int(found[2])}" if found[2] else "")


# ---------------------------------------------------------------- positions


def _cards_text(cards: int, first: int, last: int, *, hidden: bool = False) -> str:
    dealt = [card for place in range(first, last) if (card := card_at(cards, place)) >= 0]
    return "".join(UNKNOWN if hidden else CARDS[card] for card in dealt) or NONE


def _line_text(state: State) -> str:
    """Return the moves of a hand; a slash follows a round when all cards of the next one are dealt."""
    rounds = []
    for street, moves in enumerate(rounds_of(state)):
        before = level_before(state, street)
        chips = [move - RAISE - before for move in moves]
        letters = ["fc"[move] if move < RAISE else _bet_text(state, "r", chips[at]) for at, move in enumerate(moves)]
        rounds.append("".join(letters).replace(" ", ""))
    return "/".join(rounds) or NONE


def _text(state: State, seen: tuple[bool, bool], before_seen: tuple[bool, bool]) -> str:
    """Return a position; ``seen`` and ``before_seen``: whether each seat's cards are shown, now and the hand before."""
    own = "|".join(_cards_text(state.cards, 2 * seat, 2 * seat + 2, hidden=not seen[seat]) for seat in (0, 1))
    earlier = NONE
    if state.before:
        cards = [_cards_text(state.before, 2 * seat, 2 * seat + 2, hidden=not before_seen[seat]) for seat in (0, 1)]
        mark = "f" if state.before >> FOLDED else ""
        earlier = f"{'|'.join(cards)}:{_cards_text(state.before, HOLE, BOARD)}{mark}"
    board = _cards_text(state.cards, HOLE, BOARD)
    return f"{state.hand + 1}/{state.hands} {state.score} {own} {board} {_line_text(state)} {earlier}"


def format_position(state: State) -> str:
    """Write a state with all cards."""
    return _text(state, (True, True), (True, True))


def shown_to(state: State, viewer: int | None) -> tuple[bool, bool]:
    """Return whether a viewer sees the cards of each seat: a seat its own, and everybody those of a showdown."""
    showdown = state.phase == DONE and not folded(state)
    return showdown or viewer == 0, showdown or viewer == 1


def observed_position(state: State, viewer: int | None) -> str:
    """Write a state as a seat, or the public (None), sees it."""
    showdown = not state.before >> FOLDED
    return _text(state, shown_to(state, viewer), (showdown or viewer == 0, showdown or viewer == 1))


def _numbers(text: str) -> list[int]:
    return [] if text == NONE else [CARDS.index(text[at : at + 2]) for at in range(0, len(text), 2)]


def parse_position(kind: int, stack: int, text: str) -> Holdem:
    """Read a state. Raises ValueError, with a readable message, if the text is not a position."""
    found = _POSITION.fullmatch(text.strip())
    if not found or HIDDEN in text:
        raise ValueError(f"{text[:80]!r} is not a position; {FORM} {EXAMPLES[kind]}")
    hand, hands, score = int(found[1]), int(found[2]), int(found[3])
    if not 1 <= hand <= hands <= HANDS:
        raise ValueError(f"the hand is 1 to the number of hands, and there are 1 to {HANDS} hands (got {hand}/{hands})")
    own, other, board = (_numbers(found[at]) for at in (4, 5, 6))
    if (other and len(own) < 2) or (board and len(other) < 2):
        raise ValueError("cards are dealt first to seat 0, then to seat 1, then to the board")
    state = _dealt(start(kind, stack, HANDS)._replace(hand=hand - 1), [*own, *other, *board], found[7])
    if abs(score) > stack * (hand - (state.phase != DONE)):
        raise ValueError(f"no seat can have won {abs(score)} chips so early")
    before = 0
    if found[9]:
        if hand == 1:
            raise ValueError("there is no hand before the first one")
        cards = [card for at in (9, 10, 11) for card in _numbers(found[at])]
        if len(cards) not in (HOLE, *range(FLOP, BOARD + 1)) or (len(cards) < BOARD and not found[12]):
            raise ValueError("the hand before has 3 to 5 open cards, or none; fewer than 5 if it ended by a fold (f)")
        _check_deck(cards)
        before = sum(card + 1 << CARD_BITS * place for place, card in enumerate(cards)) | bool(found[12]) << FOLDED
    elif hand > 1:
        raise ValueError(f"the cards of the hand before are missing; {FORM} {EXAMPLES[kind]}")
    state = state._replace(hands=hands, score=score, before=before)
    if hand > 1 and not own:
        raise ValueError("cards are missing: only the first hand can be before its deal")
    if format_position(state) != text.strip():
        raise ValueError(f"the position does not fit its moves; they lead to {format_position(state)}")
    return state


def _check_deck(cards: list[int]) -> None:
    if twice := [CARDS[card] for card in range(DECK) if cards.count(card) > 1]:
        raise ValueError(f"a card is there twice: {twice[0]}")


def _dealt(state: Holdem, cards: list[int], line: str) -> Holdem:
    """Deal these cards, with the moves of the line between. Raises ValueError if the hand cannot be played so."""
    _check_deck(cards)
    words = [] if line == NONE else list(_WORD.finditer(line))
    if line != NONE and "".join(word[0] for word in words) != line:
        raise ValueError(f"these moves are not possible: {line}")
    out = [0] * (RAISE + state.stack + DECK)
    left = list(cards)
    for word in words:
        while left and state.phase == DEAL:
            state = _step(state, left.pop(0))
        if word[0] == "/":
            continue
        if state.phase != BET:
            raise ValueError(f"these moves are not possible with {len(cards)} cards: {line}")
        legal = out[: _legal_moves(state, out)]  # type: ignore[arg-type]  # a list takes the moves as an array does
        move = "fc".find(word[0])
        if move < 0:
            before = level_before(state, street_of(state.dealt))
            raises = [move for move in legal if move >= RAISE]
            if (word[1] == "") != (state.kind == LIMIT):
                raise ValueError(f"a bet or raise is {'r' if state.kind == LIMIT else 'r and its chips'}: {line}")
            move = RAISE + before + int(word[1]) if word[1] else (raises or [-1])[0]
        if move not in legal:
            raise ValueError(f"{word[0]} is not possible here: {line}")
        state = _step(state, move)
    while left and state.phase == DEAL:
        state = _step(state, left.pop(0))
    if left:
        raise ValueError(f"there are more open cards than these moves allow: {line}")
    return state


def determinise(kind: int, stack: int, text: str, chance: Random) -> Holdem:
    """Return a random state that fits the text of a seat's observation: hidden cards are any that the deck has.

    Raises ValueError if the text is no observation.
    """
    words = text.split(" ")
    if not _POSITION.fullmatch(text):
        raise ValueError(f"{text[:80]!r} is not an observation; {FORM} {EXAMPLES[kind]}")
    for at, shown in ((2, words[2] + words[3]), (5, words[5])):
        deck = [card for card in CARDS if card not in _cards_in(shown)]
        for card in chance.sample(deck, shown.count(UNKNOWN)):
            words[at] = words[at].replace(UNKNOWN, card, 1)
    return parse_position(kind, stack, " ".join(words))


def _cards_in(text: str) -> list[str]:
    return re.findall(_CARD, text)
