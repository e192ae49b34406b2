# SPDX-License-Identifier: GPL-3.0-or-later
"""Small poker games: hands in lockstep with OpenSpiel, hidden cards, and positions that cannot be."""

import random
from typing import Any

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import CHANCE, Game, Position
from engine.games import find
from engine.games.small_poker.rules import BET, BOARD, COPIES, DEAL, DONE, RANKS
from engine.regret.tree import key_of

GAMES = [find("kuhn"), find("leduc")]
PEERS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}

over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
few = settings(max_examples=15, deadline=None)
seeds = st.integers(min_value=0, max_value=2**32)


class Peer:
    """A hand of OpenSpiel, dealt card by card; where a rank has several cards, any that is left stands for it."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.state: Any = pyspiel.load_game(PEERS[game.name]).new_initial_state()
        self.copies = COPIES[0 if game.name == "kuhn" else 1]
        self._chance = chance

    def ranks(self) -> dict[int, float]:
        """Return the probability of each rank at a chance node."""
        found: dict[int, float] = {}
        for card, chance in self.state.chance_outcomes():
            found[card // self.copies] = found.get(card // self.copies, 0.0) + chance
        return found

    def deal(self, rank: int) -> None:
        """Deal a card of a rank."""
        cards = [card for card in self.state.legal_actions() if card // self.copies == rank]
        self.state.apply_action(self._chance.choice(cards))

    def moves(self) -> list[int]:
        """Return the legal moves: fold 0, call 1, raise 2."""
        if self.copies > 1:
            return list(self.state.legal_actions())
        # Kuhn poker has two: to pass is to fold after a bet, else to check; to bet is to call after one
        return [0, 1] if "b" in str(self.state) else [1, 2]

    def play(self, move: int) -> None:
        """Make a move."""
        self.state.apply_action(move if self.copies > 1 else self.moves().index(move))


def play_hand(game: Game, position: Position, chance: random.Random) -> Position:
    """Play a random hand beside OpenSpiel's; the seat that begins is its player 0."""
    peer, before = Peer(game, chance), position.state.score
    odds = dict(zip(position.moves, game.odds(position), strict=True))
    first = peer.ranks()
    move = chance.choice(position.moves)
    begins = (position.state.hand + (position.state.phase != DEAL)) & 1
    ranks = [move // RANKS, move % RANKS]
    peer.deal(ranks[begins])
    assert odds[move] / sum(odds.values()) == pytest.approx(first[ranks[begins]] * peer.ranks()[ranks[1 - begins]])
    peer.deal(ranks[1 - begins])
    position = game.play(position, move)
    while position.state.phase in (BET, BOARD):
        assert not peer.state.is_terminal()
        if position.to_move == CHANCE:
            assert peer.state.is_chance_node()
            shares = [odds / sum(game.odds(position)) for odds in game.odds(position)]
            assert dict(zip(position.moves, shares, strict=True)) == pytest.approx(peer.ranks())
            move = chance.choice(position.moves)
            peer.deal(move)
        else:
            assert peer.state.current_player() == position.to_move ^ begins
            assert list(position.moves) == peer.moves()
            move = chance.choice(position.moves)
            peer.play(move)
        position = game.play(position, move)
    assert peer.state.is_terminal()
    assert position.state.score - before == peer.state.returns()[begins]
    return position


@over_games
@few
@given(seed=seeds)
def test_hands_are_those_of_openspiel(game: Game, seed: int) -> None:
    chance, position = random.Random(seed), game.look(game.start())
    for hand in range(20):
        position = play_hand(game, position, chance)
        assert position.state.hand == hand


def test_a_match_has_a_hundred_hands_and_the_seats_begin_in_turn() -> None:
    game, chance = find("kuhn"), random.Random(1)
    position, began = game.look(game.start()), list[int]()
    while not position.over:
        move = chance.choice(position.moves)
        dealt = position.to_move == CHANCE
        position = game.play(position, move)
        began += [position.to_move] if dealt else []
    assert began == [0, 1] * 50
    assert position.payoffs == (position.state.score, -position.state.score)


@over_games
@few
@given(seed=seeds)
def test_a_seat_sees_its_own_cards_and_those_of_showdowns(game: Game, seed: int) -> None:
    assert game.secrets is not None
    chance, position = random.Random(seed), game.look(game.start())
    for _ in range(60):
        for viewer in (0, 1, None):
            observed = game.secrets.observe(position.state, viewer)
            words = game.format_position(position.state).split()
            seen = observed.position.split()
            shown = position.state.phase == DONE and not words[3].endswith("f")
            for place, card in enumerate(words[2]):
                known = shown or card == "-" or place in (2, viewer)
                assert seen[2][place] == (card if known else "?")
            if words[4] != "-":
                hidden = words[4].endswith("f")
                for place, card in enumerate(words[4].partition(":")[0]):
                    known = not hidden or place in (2, viewer)
                    assert seen[4][place] == (card if known else "?")
            if viewer is not None:
                for _ in range(3):
                    assert game.secrets.determinise is not None
                    other = game.secrets.determinise(observed.position, viewer, chance)
                    assert game.secrets.observe(other, viewer) == observed
                    assert key_of(game, other, viewer) == key_of(game, position.state, viewer)
        position = game.play(position, chance.choice(position.moves))


@over_games
def test_a_deal_shows_each_seat_its_own_card(game: Game) -> None:
    assert game.secrets is not None
    state = game.start()
    move = game.parse_move(game.look(state), "KJ")
    assert [game.secrets.disclose(state, move, viewer) for viewer in (0, 1, None)] == ["K?", "?J", "?"]


def test_the_key_is_that_of_the_role_and_of_the_hand_alone() -> None:
    game = find("leduc")
    one, other = (game.parse_position(text) for text in ("1/1 0 JKQ cc/r -", "8/100 5 QJQ cc/r JJ-:rf"))
    assert key_of(game, one, 0) == key_of(game, other, 1)
    assert key_of(game, one, 1) != key_of(game, other, 0)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("kuhn", "1/100 0 JJ - -", "the deck has no such cards"),
        ("kuhn", "1/100 0 JK- - -", "not a position"),
        ("kuhn", "1/100 0 J? - -", "not a position"),
        ("kuhn", "0/100 0 JK - -", "1 to 100 hands"),
        ("kuhn", "1/101 0 JK - -", "1 to 100 hands"),
        ("kuhn", "1/100 1 JK c -", "won 1 chips"),
        ("kuhn", "2/100 1 JK c -", "are missing"),
        ("kuhn", "2/100 1 JK c JK:r", "must be over"),
        ("kuhn", "1/100 0 JK c JK:rc", "no hand before"),
        ("kuhn", "1/100 0 JK f -", "not possible"),
        ("kuhn", "1/100 0 JK ccc -", "not possible"),
        ("kuhn", "1/100 0 JK rr -", "at most 1"),
        ("kuhn", "1/100 0 JK cc/ -", "do not end a round"),
        ("kuhn", "1/100 0 J- - -", "either both"),
        ("kuhn", "2/100 0 -- - JK:cc", "cards are missing"),
        ("leduc", "1/100 0 QQQ cc/ -", "the deck has no such cards"),
        ("leduc", "1/100 0 JKQ c -", "after the first round"),
        ("leduc", "1/100 0 JK- cc/ -", "its card is missing"),
        ("leduc", "1/100 0 JK- rrr -", "at most 2"),
        ("leduc", "1/100 0 JK cc -", "not a position"),
    ],
)
def test_positions_that_cannot_be_are_refused(name: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        find(name).parse_position(text)


@pytest.mark.parametrize(
    ("text", "wanted"), [("C", "call"), ("r", "raise"), (" Fold ", "fold"), ("f", "fold"), ("raise", "raise")]
)
def test_other_spellings_are_read(text: str, wanted: str) -> None:
    game = find("leduc")
    position = game.look(game.parse_position("1/100 0 JK- r -"))
    assert game.format_move(position.state, game.parse_move(position, text)) == wanted


def test_a_seat_that_resigns_loses_what_it_could_still_lose() -> None:
    game = find("kuhn")
    for text, losses in (
        ("1/100 0 -- - -", (200, 200)),
        ("100/100 5 JK cr JK:cc", (1, 7)),
        ("99/100 2 JK cc JK:cc", (1, 4)),
    ):
        position = game.look(game.parse_position(text))
        assert tuple(game.given_up(position, seat) for seat in (0, 1)) == losses
