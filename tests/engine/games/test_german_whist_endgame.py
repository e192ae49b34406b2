# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact solver of German whist: whole second halves as a slow minimax with a memo values them."""

from functools import cache
from random import Random

import numpy as np
import pytest

from engine.exact import LIMIT
from engine.games import find
from engine.games.german_whist.endgame import Endgame
from lab.bench.games.whist import second_halves

GAME = find("german-whist")
RANKS, SUITS = "23456789TJQKA", "cdhs"

Card = tuple[int, int]
"""Suit and rank."""
Hand = frozenset[Card]


class SlowSolver:
    """Minimax of open hands, trick by trick."""

    def __init__(self, trump: int) -> None:
        self.trump = trump
        self.known: dict[object, tuple[int, int]] = {}
        """The least and the most tricks of the leader that are possible still, by position."""

    def key(self, lead: Hand, reply: Hand) -> object:
        """Who has the cards of each suit, by rank; the names of side suits do not matter."""
        held = {**dict.fromkeys(lead, True), **dict.fromkeys(reply, False)}
        suits = [tuple(held[card] for card in sorted(held) if card[0] == suit) for suit in range(4)]
        return suits.pop(self.trump), *sorted(suits)

    def beats(self, answer: Card, led: Card) -> bool:
        return answer[1] > led[1] if answer[0] == led[0] else answer[0] == self.trump

    def reaches(self, lead: Hand, reply: Hand, need: int) -> bool:
        """Whether the leader wins this number of tricks."""
        least, most = self.known.get(key := self.key(lead, reply), (0, len(lead)))
        if not least < need <= most:
            return need <= least
        leads = sorted(lead, key=lambda card: (card[0] == self.trump, -card[1]))
        reached = any(self.reaches_after(lead - {card}, reply, card, need) for card in leads)
        self.known[key] = (need, most) if reached else (least, need - 1)
        return reached

    def reaches_after(self, lead: Hand, reply: Hand, led: Card, need: int) -> bool:
        """Whether the leader wins this number of tricks after its lead, which ``lead`` does not have any more."""
        answers = [card for card in reply if card[0] == led[0]] or list(reply)
        for card in sorted(answers, key=lambda card: (not self.beats(card, led), card[0] == self.trump, card[1])):
            left = reply - {card}
            if self.beats(card, led):
                good = not self.reaches(left, lead, len(lead) - need + 1)
            else:
                good = self.reaches(lead, left, need - 1)
            if not good:
                return False
        return True


@cache
def solver() -> Endgame:
    control = np.zeros(4, np.int64)
    control[LIMIT] = 2**62
    return Endgame(control, 1 << 20)


@pytest.mark.parametrize("text", second_halves(8, 41))
def test_second_halves_have_the_values_of_plain_minimax(text: str) -> None:
    position = GAME.look(GAME.parse_position(text))
    both, _, _, trump, _, seat, *_ = text.split()
    hands = [
        frozenset((SUITS.index(hand[at + 1]), RANKS.index(hand[at])) for at in range(0, len(hand), 2))
        for hand in both.split("|")
    ]
    leader, slow = int(seat), SlowSolver(SUITS.index(trump))
    own, other = hands[leader], hands[1 - leader]
    tricks = max(need for need in range(14) if slow.reaches(own, other, need))
    assert solver().tricks(position.state) == (13 - tricks if leader else tricks)
    proven = solver().prove(position.state, position.moves)
    assert proven is not None
    assert proven.payoff == 2 * tricks - 13
    # after a lead, the best one and others, it is the reply's move
    for move in {proven.line[0], *Random(text).sample(position.moves, 2)}:
        card = GAME.format_move(position.state, move)
        led = SUITS.index(card[1]), RANKS.index(card[0])
        left = max(need for need in range(14) if slow.reaches_after(own - {led}, other, led, need))
        after = GAME.play(position, move)
        answer = solver().prove(after.state, after.moves)
        assert answer is not None
        assert answer.payoff == 13 - 2 * left
