# SPDX-License-Identifier: GPL-3.0-or-later
"""German whist: the kernels in lockstep with slow rules, positions as texts, and samples of what a seat considers
possible."""

from random import Random

import pytest

from engine.game import CHANCE
from engine.games import find
from engine.games.german_whist.notation import CARDS, determinise, fact
from engine.games.german_whist.rules import LOST, WON
from engine.regret.tree import key_of

GAME = find("german-whist")
RANKS, SUITS = "23456789TJQKA", "cdhs"


class SlowWhist:
    """The rules with lists of cards as texts, and a shuffled deck."""

    def __init__(self, chance: Random) -> None:
        self.deck = chance.sample(CARDS, 52)
        self.hands = [self.deck[:13], self.deck[13:26]]
        self.stock = self.deck[26:]
        self.trump = self.stock[0][1]
        self.leader, self.lead, self.tricks = 0, "", [0, 0]

    def legal(self) -> list[str]:
        if not self.lead:
            return self.hands[self.leader]
        hand = self.hands[1 - self.leader]
        return [card for card in hand if card[1] == self.lead[1]] or hand

    def play(self, card: str) -> None:
        seat = 1 - self.leader if self.lead else self.leader
        self.hands[seat].remove(card)
        if not self.lead:
            self.lead = card
            return
        higher = RANKS.index(card[0]) > RANKS.index(self.lead[0])
        won = higher if card[1] == self.lead[1] else card[1] == self.trump
        winner = seat if won else self.leader
        if self.stock:
            self.hands[winner].append(self.stock.pop(0))
            self.hands[1 - winner].append(self.stock.pop(0))
        else:
            self.tricks[winner] += 1
        self.leader, self.lead = winner, ""


@pytest.mark.parametrize("seed", range(12))
def test_it_follows_slow_rules_and_tells_a_seat_no_more_than_it_sees(seed: int) -> None:
    chance = Random(seed)
    slow, position, dealt = SlowWhist(chance), GAME.look(GAME.start()), 0
    secrets = GAME.secrets
    assert secrets is not None
    while not position.over:
        state = position.state
        text = GAME.format_position(state)
        assert GAME.parse_position(text) == state
        for seat in (0, 1):
            seen = secrets.observe(state, seat)
            possible = determinise(seen.position, seat, chance)
            assert secrets.observe(possible, seat) == seen
            assert key_of(GAME, possible, seat) == key_of(GAME, state, seat)
        if position.to_move == CHANCE:
            move = CARDS.index(slow.deck[dealt])
            dealt += 1
        else:
            legal = {GAME.format_move(state, move) for move in position.moves}
            assert legal == set(slow.legal())
            assert position.to_move == (1 - slow.leader if slow.lead else slow.leader)
            move = chance.choice(position.moves)
            slow.play(CARDS[move])
        position = GAME.play(position, move)
    assert (fact(position.state, WON), fact(position.state, LOST)) == tuple(slow.tricks)
    ahead = float(slow.tricks[0] - slow.tricks[1])
    assert position.payoffs == (ahead, -ahead)
    assert sum(slow.tricks) == 13


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nothing", "is not a position"),
        ("AsAs|- - - - - 0 0-0 - -|-", "a card is there twice: As"),
        ("As|- Ks - - - 0 0-0 - -|-", "must be in their hands"),
        ("As|Ks - - - - 0 0-0 - -|-", "gets its cards first"),
        ("As|- - - s - 0 0-0 - -|-", "trumps is the suit"),
        ("-|- - - s 0:3c4c 0 6-6 4c3c -|-", "the other seat is to move, and after a trick its winner"),
        ("-|- - - - - 0 9-9 - -|-", "the second half has 13 tricks"),
    ],
)
def test_bad_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.parse_position(text)


def test_cards_have_several_spellings() -> None:
    state = GAME.start()
    assert GAME.read_move is not None
    assert [GAME.read_move(state, text) for text in ("as", "S10", "10s", "TS")] == ["As", "Ts", "Ts", "Ts"]
