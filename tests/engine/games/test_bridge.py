# SPDX-License-Identifier: GPL-3.0-or-later
"""Bridge: rules beside OpenSpiel's, texts, and the double-dummy solver beside DDS (endplay) and plain minimax."""

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pyspiel
import pytest
from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player

from engine.exact import LIMIT, NODES, STOP
from engine.game import CHANCE, Position
from engine.games import find
from engine.games.bridge.cards import PLAYERS, RANKS, SUITS, WON
from engine.games.bridge.double_dummy import DoubleDummy
from engine.games.bridge.notation import fact, write_hand
from engine.search import SOLVE, Limits, Searcher

GAME = find("bridge/double-dummy")
STRAINS = ("C", "D", "H", "S", "NT")
DENOMINATIONS = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
UNLIMITED = 2**62

WHOLE = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def dealt(chance: random.Random, size: int) -> str:
    """Deal hands of equal size from a whole deck, as PBN."""
    deck = [16 * suit + rank for suit in range(4) for rank in range(13)]
    chance.shuffle(deck)
    hands = (sum(1 << card for card in deck[size * player : size * (player + 1)]) for player in range(4))
    return "N:" + " ".join(map(write_hand, hands))


def after(position: str, *cards: str) -> Position:
    """Play cards from a position."""
    found = GAME.look(GAME.parse_position(position))
    for card in cards:
        found = GAME.play(found, GAME.parse_move(found, card))
    return found


def solver() -> tuple[DoubleDummy, np.ndarray]:
    """Return a solver without limits, and its counters."""
    control = np.zeros(8, np.int64)
    control[LIMIT] = UNLIMITED
    return DoubleDummy(control, 1 << 24), control


# ---------------------------------------------------------------- rules


def spiel(strain: int, state: Position) -> pyspiel.State:
    """Return OpenSpiel's state with the same hands, in which South plays at the level of one."""
    theirs = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    hands = [[card for card in range(64) if int(hand) >> card & 1] for hand in state.state[:4]]
    for index in range(52):
        card = hands[index % 4][index // 4]
        theirs.apply_action(number_of(card))
    # North and East pass, South bids one, and the others pass
    for call in (52, 52, 55 + strain, 52, 52, 52):
        theirs.apply_action(call)
    return theirs


def number_of(card: int) -> int:
    """Return OpenSpiel's number of a card."""
    return card % 16 * 4 + card // 16


def test_play_is_as_openspiel_says() -> None:
    for seed in range(25):
        chance = random.Random(seed)
        ours = GAME.look(GAME.start())
        assert [GAME.format_move(ours.state, move) for move in ours.moves][-1] == "notrump"
        ours = GAME.play(ours, seed % 5)
        while ours.to_move == CHANCE:
            ours = GAME.play(ours, chance.choice(ours.moves))
        theirs = spiel(seed % 5, ours)
        while not ours.over:
            assert sorted(map(number_of, ours.moves)) == theirs.legal_actions()
            # its players 0 and 2, North and South, are the declarer's side
            assert ours.to_move == theirs.current_player() % 2
            move = chance.choice(ours.moves)
            theirs.apply_action(number_of(move))
            ours = GAME.play(ours, move)
        assert theirs.is_terminal()
        assert (ours.payoffs[0] > 0) == (theirs.returns()[2] > 0)


def test_payoffs_count_from_the_contract() -> None:
    last = "N:A... K... Q... J... 1NT S"
    for won, payoff in ((12, 7.0), (7, 2.0), (6, 1.0), (5, -1.0), (0, -6.0)):
        end = after(f"{last} {won}-{12 - won} W", "SJ", "SA", "SK", "SQ")
        assert end.over
        assert end.payoffs == (payoff, -payoff)
    assert after(f"{last} 6-6 W").to_move == 1
    assert GAME.given_up(after(f"{last} 6-6 W"), 0) == 1
    assert GAME.given_up(after(f"{last} 0-0 W"), 0) == 7


def test_a_trump_wins_and_a_complete_trick_lies_until_the_next_lead() -> None:
    position = after("N:A2... ..43. K..2. Q5... 1D S", "SQ", "SA", "D3", "SK")
    text = GAME.format_position(position.state)
    assert text == "N:2... ..4. ..2. 5... 1D S 0-1 W SQ SA D3 SK"
    assert position.to_move == 1
    led = after(text, "D4")
    assert GAME.format_position(led.state) == "N:2... ... ..2. 5... 1D S 0-1 E D4"
    # the same, whichever player led the trick that is over
    assert position.key == after("N:2... ..4. ..2. 5... 1D S 0-1 E").key
    assert led.key == after("N:2... ... ..2. 5... 1D S 0-1 E D4").key


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (WHOLE, f"{WHOLE} 1NT S 0-0 W"),
        (f"{WHOLE} 3NT S", f"{WHOLE} 3NT S 0-0 W"),
        (f"{WHOLE} 3NTS", f"{WHOLE} 3NT S 0-0 W"),
        (f"{WHOLE} 4♠ E", f"{WHOLE} 4S E 0-0 S"),
        (f"{WHOLE} NT W", f"{WHOLE} 1NT S 0-0 W"),
        (f"{WHOLE} h n", f"{WHOLE} 1H W 0-0 N"),
        ("E:K... Q... J... A... 1N S", "N:A... K... Q... J... 1NT S 0-0 W"),
        ("N:10... K... Q... J... 1N S 10-2 N", "N:T... K... Q... J... 1NT S 10-2 N"),
        ("N:- - - - 1? S", "N:- - - - 1? S"),
        ("N:AK... - - - 1H S", "N:AK... - - - 1H S"),
    ],
)
def test_positions_are_read(text: str, same: str) -> None:
    assert GAME.format_position(GAME.parse_position(text)) == same


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("N:A... K... Q...", "is not a position"),
        ("N:A.. K... Q... J... 1NT S", "is not a hand"),
        ("N:AA... K... Q... J... 1NT S", "a card twice"),
        ("N:A... A... Q... J... 1NT S", "two hands have the card SA"),
        ("N:A... K... Q... J2... 1NT S", "equal numbers of cards"),
        ("N:A... K... Q... J... 1NT S 6-7 W", "must be 1 to 13"),
        ("N:A... K... Q... J... 1? S", "strain is drawn"),
        ("N:A... K... Q... ... 1NT S 0-0 W S1", "is not a card"),
        ("N:A... K... Q... ... 1NT S 0-0 W SA", "is also in a hand"),
        ("N:A... K2... Q... J... 1NT S 0-0 W S3", "equal numbers of cards beside"),
        ("N:... ...K2 Q3... J4... 1NT S 0-0 N S5 D5", "equal numbers of cards beside"),
        ("N:2... K... Q3... J4... 1NT S 0-0 N S5 D5", "must have followed suit"),
        ("N:2... 3... 4... 5... 1NT S 0-1 N SA SK SQ SJ", "has no trick"),
        ("N:... ... ... ... 1NT S 0-0 W", "must be 1 to 13"),
        ("N:" + "A" * 600, "is not a position"),
    ],
)
def test_positions_that_cannot_be_are_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GAME.parse_position(text)


@pytest.mark.parametrize("text", ["HT", "ht", "TH", "H10", "10h", "♥10"])
def test_moves_are_read(text: str) -> None:
    position = after("N:.T.. K... Q... J... 1NT W")
    assert GAME.format_move(position.state, GAME.parse_move(position, text)) == "HT"


# ---------------------------------------------------------------- the solver


@cache
def value(position: Position) -> float:
    """Return the payoff of the declarer's side by plain minimax."""
    if position.over:
        return position.payoffs[0]
    values = [value(GAME.play(position, move)) for move in position.moves]
    return min(values) if position.to_move else max(values)


def test_small_deals_in_the_middle_of_tricks_are_as_minimax_says() -> None:
    proofs, _ = solver()
    for seed in range(60):
        chance = random.Random(seed)
        position = after(f"{dealt(chance, 3)} 1{STRAINS[seed % 5]} {PLAYERS[seed % 4]} {seed % 8}-2")
        for _ in range(chance.randrange(9)):
            position = GAME.play(position, chance.choice(position.moves))
        for moves in (position.moves, position.moves[1:] or position.moves):
            proven = proofs.prove(position.state, moves)
            assert proven is not None
            best = [value(GAME.play(position, move)) for move in moves]
            declared = min(best) if position.to_move else max(best)
            assert proven.payoff == (-declared if position.to_move else declared)
            assert best[moves.index(proven.line[0])] == declared


def deals(count: int, size: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Yield random deals with a strain and a leader."""
    chance = random.Random(seed)
    for number in range(count):
        yield dealt(chance, size), number % 5, chance.randrange(4)


def compare(count: int, size: int, seed: int) -> None:
    """Solve deals by our solver and by DDS."""
    proofs, _ = solver()
    for pbn, strain, leader in deals(count, size, seed):
        state = GAME.parse_position(f"{pbn} {STRAINS[strain]} {PLAYERS[leader]}")
        deal = Deal(pbn, first=Player.find(PLAYERS[leader]), trump=DENOMINATIONS[strain])
        (_, theirs), *_ = solve_board(deal, SolveMode.OptimalOne)
        ours = proofs.tricks(state)
        assert ours is not None
        assert (ours if leader % 2 == 0 else size - ours) == theirs, f"{pbn} {STRAINS[strain]} {PLAYERS[leader]}"


def test_deals_are_as_dds_says() -> None:
    compare(5, 13, 1)
    compare(15, 10, 2)


@pytest.mark.long
def test_a_thousand_deals_are_as_dds_says() -> None:
    compare(1000, 13, 3)


def test_the_line_has_the_value_that_was_proven() -> None:
    searcher = Searcher(GAME, SOLVE)
    position = after(f"{dealt(random.Random(4), 9)} 1NT S")
    result = searcher.search(position.state, Limits(depth=60))
    assert len(result.pv) == 36
    assert result.move == result.pv[0]
    for move in result.pv:
        position = GAME.play(position, move)
    assert position.over
    assert result.payoff == position.payoffs[1]
    assert result.value == 1000 * position.payoffs[1]


def test_limits_end_a_proof() -> None:
    proofs, control = solver()
    position = after(f"{WHOLE} 3NT S")
    control[LIMIT] = 10
    assert proofs.prove(position.state, position.moves) is None
    control[[LIMIT, STOP]] = UNLIMITED, 1
    assert proofs.prove(position.state, position.moves) is None
    assert control[NODES] <= 10


def test_the_deck_has_all_cards() -> None:
    position = GAME.play(GAME.look(GAME.start()), 0)
    assert {GAME.format_move(position.state, move) for move in position.moves} == {s + r for s in SUITS for r in RANKS}
    assert fact(position.state, WON) == 0
