# SPDX-License-Identifier: GPL-3.0-or-later
"""Hold'em: hands and their values in lockstep with pokerkit, hidden cards, and positions that cannot be."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import StandardHighHand

from engine.game import CHANCE, Game, Position
from engine.games import find
from engine.games.holdem.hands import DECK, bit_of, value_of
from engine.games.holdem.notation import CARDS
from engine.games.holdem.rules import BET, DEAL, DONE, FLOP, HOLE, Holdem, card_at
from engine.match.machine import Match
from engine.regret.tree import key_of
from tests.engine.games.holdem_peer import Peer

GAMES = [find(name) for name in ("holdem/limit", "holdem/no-limit", "holdem/no-limit-5bb", "holdem/no-limit-100bb")]

over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
few = settings(max_examples=5, deadline=None)
seeds = st.integers(min_value=0, max_value=2**32)


def set_of_text(text: str) -> int:
    """Return the set of the cards of a text such as "AsKd"."""
    return sum(bit_of(CARDS.index(text[at : at + 2])) for at in range(0, len(text), 2))


# ---------------------------------------------------------------- values of hands


@few
@given(seed=seeds)
def test_hands_compare_as_those_of_pokerkit(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(100):
        # few suits and ranks, so that flushes, straights and equal ranks are frequent
        deck = chance.sample(range(DECK), chance.choice((10, 14, 52)))
        ours, theirs, board = deck[:2], deck[2:4], deck[4 : 4 + chance.choice((3, 4, 5))]
        hands, values = [], []
        for hole in (ours, theirs):
            texts = ["".join(CARDS[card] for card in cards) for cards in (hole, board)]
            hands.append(StandardHighHand.from_game(*texts))
            values.append(value_of(set_of_text("".join(texts))))
        assert (values[0] > values[1], values[0] == values[1]) == (hands[0] > hands[1], hands[0] == hands[1])


CLASSES = (
    ("2c3d4h5s7c", "a high card"),
    ("AcKdQhJs9c", "the best of them"),
    ("2c2d3h4s5c", "a pair"),
    ("AcAdKhQsJc", "the best of them"),
    ("2c2d3h3s4c", "two pairs"),
    ("AcAdKhKsQc", "the best of them"),
    ("2c2d2h3s4c", "three of a kind"),
    ("AcAdAhKsQc", "the best of them"),
    ("Ac2d3h4s5c", "a straight from the ace to the five"),
    ("AcKdQhJsTc", "the best of them"),
    ("2c3c4c5c7c", "a flush"),
    ("AcKcQcJc9c", "the best of them"),
    ("2c2d2h3s3c", "a full house"),
    ("AcAdAhKsKc", "the best of them"),
    ("2c2d2h2s3c", "four of a kind"),
    ("AcAdAhAsKc", "the best of them"),
    ("Ac2c3c4c5c", "a straight flush"),
    ("AcKcQcJcTc", "the best of them"),
)
"""Hands of five cards, the lowest and the highest of each category."""


def test_the_categories_are_in_order() -> None:
    values = [value_of(set_of_text(text)) for text, _ in CLASSES]
    assert values == sorted(set(values))


@few
@given(seed=seeds)
def test_the_value_of_seven_cards_is_that_of_the_best_five(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(20):
        deck = chance.sample(range(DECK), 7)
        assert value_of(sum(map(bit_of, deck))) == max(
            value_of(sum(map(bit_of, five))) for five in combinations(deck, 5)
        )


# ---------------------------------------------------------------- hands


def choose(position: Position, chance: random.Random) -> int:
    """Return a random move that ends few hands early: folds are rare, and small raises, calls and all-in frequent."""
    moves = position.moves
    weights = [1 if move == 0 else 6 if move == 1 else 3 if index < 5 else 0 for index, move in enumerate(moves)]
    weights[-1] = max(weights[-1], 1)
    return chance.choices(moves, weights)[0]


def cards_text(state: Holdem, first: int, last: int) -> str:
    """Return the cards at places of the deal."""
    return "".join(CARDS[card_at(state.cards, place)] for place in range(first, last))


def play_hand(game: Game, position: Position, chance: random.Random) -> Position:
    """Play a random hand beside pokerkit's."""
    limit = game.name == "holdem/limit"
    peer, before = Peer(position.state.stack, limit=limit), position.state.score
    dealt = 0
    while position.state.dealt != HOLE or position.state.phase == DONE:
        assert len(position.moves) == DECK - dealt
        position, dealt = game.play(position, chance.choice(position.moves)), dealt + 1
    button = position.state.hand & 1
    holes = [cards_text(position.state, 2 * seat, 2 * seat + 2) for seat in (0, 1)]
    peer.deal_holes(holes[1 - button], holes[button])
    while position.state.phase != DONE:
        if position.state.phase == DEAL:
            assert position.to_move == CHANCE
            position = game.play(position, chance.choice(position.moves))
            if (dealt := position.state.dealt) >= FLOP:
                peer.deal_board(cards_text(position.state, HOLE if dealt == FLOP else dealt - 1, dealt))
            continue
        assert position.state.phase == BET
        assert position.to_move == (button if peer.state.actor_index == 1 else 1 - button)
        texts = [text.partition(" ")[0] if limit else text for text in peer.moves()]
        assert list(game.move_texts(position)) == texts
        move = choose(position, chance)
        peer.play(game.format_move(position.state, move))
        position = game.play(position, move)
    assert not peer.state.status
    won = position.state.score - before
    assert peer.won == (-won if button else won)
    return position


@over_games
@few
@given(seed=seeds)
def test_hands_are_those_of_pokerkit(game: Game, seed: int) -> None:
    chance, position = random.Random(seed), game.look(game.start())
    for hand in range(6):
        position = play_hand(game, position, chance)
        assert position.state.hand == hand


def test_a_match_has_a_hundred_hands_and_the_button_changes() -> None:
    game, chance = find("holdem/no-limit"), random.Random(1)
    position, first = game.look(game.start()), list[int]()
    while not position.over:
        begins = position.state.phase == BET and position.state.dealt == HOLE and position.state.moves == 0
        first += [position.to_move] if begins else []
        position = game.play(position, chance.choice(position.moves))
    assert first == [0, 1] * 50
    assert position.payoffs == (position.state.score, -position.state.score)


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("-", ["fold", "call", *(f"raise {chips}" for chips in range(4, 41))]),
        ("r10", ["fold", "call", *(f"raise {chips}" for chips in range(18, 41))]),
        ("r10r18", ["fold", "call", *(f"raise {chips}" for chips in range(26, 41))]),
        # all-in below the least raise
        ("r30", ["fold", "call", "raise 40"]),
        ("r30r40", ["fold", "call"]),
        ("c", ["check", *(f"raise {chips}" for chips in range(4, 41))]),
    ],
)
def test_raises_before_the_flop(line: str, moves: list[str]) -> None:
    game = find("holdem/no-limit")
    position = game.look(game.parse_position(f"1/100 0 AsKd|7c2h - {line} -"))
    assert list(game.move_texts(position)) == moves


# ---------------------------------------------------------------- secrets


@over_games
@few
@given(seed=seeds)
def test_a_seat_sees_its_own_cards_and_those_of_showdowns(game: Game, seed: int) -> None:
    assert game.secrets is not None
    assert game.secrets.determinise is not None
    chance, position = random.Random(seed), game.look(game.start())
    for _ in range(60):
        words = game.format_position(position.state).split()
        assert game.parse_position(" ".join(words)) == position.state
        folded = words[4].endswith("f")
        for viewer in (0, 1, None):
            seen = game.secrets.observe(position.state, viewer).position.split()
            assert [seen[at] for at in (0, 1, 3, 4)] == [words[at] for at in (0, 1, 3, 4)]
            for seat, (own, shown) in enumerate(zip(words[2].split("|"), seen[2].split("|"), strict=True)):
                known = own == "-" or seat == viewer or (position.state.phase == DONE and not folded)
                assert shown == (own if known else "?" * len(own))
            if words[5] != "-":
                (holes, rest), (shown, same) = words[5].split(":"), seen[5].split(":")
                assert rest == same
                for seat, (own, other) in enumerate(zip(holes.split("|"), shown.split("|"), strict=True)):
                    assert other == ("????" if rest.endswith("f") and seat != viewer else own)
            if viewer is not None:
                state = game.secrets.determinise(" ".join(seen), viewer, chance)
                assert game.secrets.observe(state, viewer) == game.secrets.observe(position.state, viewer)
                assert key_of(game, state, viewer) == key_of(game, position.state, viewer)
        position = game.play(position, choose(position, chance) if position.to_move >= 0 else position.moves[seed % 9])


def test_a_deal_shows_each_seat_its_own_cards() -> None:
    game = find("holdem/limit")
    assert game.secrets is not None
    position, shown = game.look(game.start()), []
    for text in ("As", "Kd", "7c", "2h"):
        move = game.parse_move(position, text)
        shown.append([game.secrets.disclose(position.state, move, viewer) for viewer in (0, 1, None)])
        position = game.play(position, move)
    assert shown == [["As", "?", "?"], ["Kd", "?", "?"], ["?", "7c", "?"], ["?", "2h", "?"]]


def test_the_key_is_that_of_the_role_and_of_the_hand_alone() -> None:
    game = find("holdem/no-limit")
    one = game.parse_position("1/100 0 AsKd|7c2h - r6 -")
    other = game.parse_position("8/100 5 QdJd|AsKd - r6 3c4c|5c6c:-f")
    assert key_of(game, one, 0) == key_of(game, other, 1)
    assert key_of(game, one, 1) != key_of(game, other, 0)
    assert key_of(game, one, 0) != key_of(game, game.parse_position("1/100 0 AsKd|7c2h - r7 -"), 0)


# ---------------------------------------------------------------- duplicate deals


def test_mirrored_matches_have_the_same_cards_however_they_are_played() -> None:
    """A hand's cards do not depend on the moves; without mirrored dice they do."""
    dealt = []
    for word in ("fold", "call"):
        match = Match(find("holdem/limit"), seed=7, mirrored_dice=True)
        hands: dict[int, list[str]] = {}
        while match.position.state.hand < 6:
            state = match.position.state
            hands[state.hand] = [cards_text(state, 0, HOLE), cards_text(state, HOLE, state.dealt)]
            legal = match.legal_of(match.asked[0])
            match.play(match.asked[0], word if word in legal else "call" if "call" in legal else "check")
        dealt.append(hands)
    assert [hand[0] for hand in dealt[0].values()] == [hand[0] for hand in dealt[1].values()]
    assert len({hand[0] for hand in dealt[0].values()}) == 6
    assert all(mine[1].startswith(other[1]) for other, mine in zip(*(hands.values() for hands in dealt), strict=True))


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("limit", "1/100 0 AsAs|7c2h - - -", "there twice"),
        ("limit", "1/100 0 AsK?|7c2h - - -", "not a position"),
        ("limit", "1/100 0 ????|7c2h - - -", "not a position"),
        ("limit", "0/100 0 AsKd|7c2h - - -", "1 to 100 hands"),
        ("limit", "1/101 0 AsKd|7c2h - - -", "1 to 100 hands"),
        ("limit", "1/100 1 AsKd|7c2h - - -", "won 1 chips"),
        ("limit", "2/100 1 AsKd|7c2h - - -", "are missing"),
        ("limit", "2/100 0 -|- - - AsKd|7c2h:-f", "cards are missing"),
        ("limit", "1/100 0 As|7c2h - - -", "dealt first to seat 0"),
        ("limit", "1/100 0 AsKd|- 2h - -", "dealt first to seat 0"),
        ("limit", "1/100 0 AsKd|7c2h - c AsKd|7c2h:-f", "no hand before"),
        ("limit", "2/100 0 AsKd|7c2h - c AsKd|7c2h:-", "fewer than 5"),
        ("limit", "2/100 0 AsKd|7c2h - c AsKd|7c2h:3c4cf", "3 to 5 open cards"),
        ("limit", "2/100 0 AsKd|7c2h - c AsKd|7cAs:-f", "there twice"),
        ("limit", "1/100 0 AsKd|7c2h - rrrr -", "not possible here"),
        ("limit", "1/100 0 AsKd|7c2h - r4 -", "a bet or raise is r:"),
        ("limit", "1/100 0 AsKd|7c2h - cf -", "not possible here"),
        ("limit", "1/100 0 AsKd|7c2h - cc/c -", "not possible with 4 cards"),
        ("limit", "1/100 0 AsKd|7c2h 3c4c5c c -", "more open cards"),
        ("limit", "1/100 0 AsKd|7c2h 3c4c5c ccc -", "does not fit"),
        ("limit", "1/100 0 AsKd|7c2h - 0 -", "not possible"),
        ("no-limit", "1/100 0 AsKd|7c2h - r -", "r and its chips"),
        ("no-limit", "1/100 0 AsKd|7c2h - r3 -", "not possible here"),
        ("no-limit", "1/100 0 AsKd|7c2h - r41 -", "not possible here"),
        ("no-limit", "1/100 0 AsKd|7c2h - r40r40 -", "not possible here"),
    ],
)
def test_positions_that_cannot_be_are_refused(name: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        find(f"holdem/{name}").parse_position(text)


@pytest.mark.parametrize("text", ["", "x", "1/100 0 ????|7c2h", "1/100 0 ????|???? - rr7 -", "9/100 0 ????|7c2h - - -"])
def test_texts_that_are_no_observations_are_refused(text: str) -> None:
    game = find("holdem/limit")
    assert game.secrets is not None
    assert game.secrets.determinise is not None
    with pytest.raises(ValueError, match=r"observation|a bet or raise|missing"):
        game.secrets.determinise(text, 1, random.Random(0))


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("limit", "C", "call"),
        ("limit", " Raise ", "raise"),
        ("limit", "r", "raise"),
        ("limit", "f", "fold"),
        ("no-limit", "r12", "raise 12"),
        ("no-limit", "cbr 12", "raise 12"),
        ("no-limit", "Raise to 12", "raise 12"),
        ("no-limit", "all-in", "raise 40"),
        ("no-limit", "c", "call"),
    ],
)
def test_other_spellings_are_read(name: str, text: str, wanted: str) -> None:
    game = find(f"holdem/{name}")
    position = game.look(game.parse_position(f"1/100 0 AsKd|7c2h - {'r' if name == 'limit' else 'r6'} -"))
    assert game.format_move(position.state, game.parse_move(position, text)) == wanted


@pytest.mark.parametrize("text", ["check", "bet 12", "raise", "raise 9", "raise 41", "raise 12 chips", "x", "all", ""])
def test_other_texts_are_no_moves(text: str) -> None:
    game = find("holdem/no-limit")
    position = game.look(game.parse_position("1/100 0 AsKd|7c2h - r6 -"))
    with pytest.raises(ValueError, match="not a legal move"):
        game.parse_move(position, text)


@pytest.mark.parametrize(("suffix", "chips"), [("no-limit-5bb", 10), ("no-limit-100bb", 200)])
def test_variants_have_other_stacks(suffix: str, chips: int) -> None:
    assert find(f"holdem/{suffix}").start().stack == chips


@pytest.mark.parametrize("suffix", ["no-limit-4bb", "no-limit-101bb", "no-limit-05bb", "limit-20bb", "no-limit-"])
def test_other_variants_do_not_exist(suffix: str) -> None:
    with pytest.raises(KeyError):
        find(f"holdem/{suffix}")


def test_a_seat_that_resigns_loses_what_it_could_still_lose() -> None:
    game = find("holdem/no-limit")
    for text, losses in (
        ("1/100 0 -|- - - -", (4000, 4000)),
        ("100/100 30 AsKd|7c2h - r6 AcKc|7h2c:-f", (10, 70)),
    ):
        position = game.look(game.parse_position(text))
        assert tuple(game.given_up(position, seat) for seat in (0, 1)) == losses


def test_a_drawing_has_the_cards_of_a_viewer_and_the_latest_moves() -> None:
    game = find("holdem/no-limit")
    assert game.secrets is not None
    state = game.parse_position("1/100 0 AsKd|7c2h ThTs3c r6c/cr2 -")
    assert game.diagram(state) == "fA...IVb..Zy..."
    shown = game.secrets.observe(state, 0)
    assert shown.diagram[:5] == "??..."
    assert shown.diagram[5:] == game.diagram(state)[5:]
    assert shown.aside is not None
    assert (shown.aside.bets, shown.aside.history) == ((8.0, 6.0), "check, bet 2")
