# SPDX-License-Identifier: GPL-3.0-or-later
"""Control variates: luck is 0 on average whatever the estimate is, by enumeration; estimates are what they say."""

import random
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.control_variates import Probabilities, estimate_of, luck
from engine.evaluation import named
from engine.game import CHANCE, Game, Position, State
from engine.games import find
from engine.games.holdem.hands import DECK
from engine.games.holdem.prospects import margin
from engine.games.holdem.rules import BOARD, CARD_BITS
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record
from engine.regret.strategy import shipped
from engine.regret.tree import key_of

KUHN = find("kuhn")
seeds = st.integers(0, 2**32)


def strategy(game: Game, seed: int) -> Probabilities:
    """Return a random strategy: it depends on what the seat to move knows."""

    def probabilities(state: State) -> Mapping[str, float]:
        position = game.look(state)
        chance = random.Random(f"{seed} {key_of(game, state, position.to_move)}")
        weights = [chance.random() + 0.01 for _ in position.moves]
        return {
            game.format_move(state, move): weight / sum(weights)
            for move, weight in zip(position.moves, weights, strict=True)
        }

    return probabilities


def histories(
    game: Game, position: Position, players: tuple[Probabilities, Probabilities]
) -> Iterator[tuple[float, tuple[str, ...], float]]:
    """Yield the probability, the moves and the payoff of seat 0 of each way to play a game to its end."""
    if position.over:
        yield 1.0, (), position.payoffs[0]
        return
    texts = [game.format_move(position.state, move) for move in position.moves]
    if position.to_move == CHANCE:
        odds = game.odds(position)
        weights = [each / sum(odds) for each in odds]
    else:
        chances = players[position.to_move](position.state)
        weights = [chances[text] for text in texts]
    for move, text, weight in zip(position.moves, texts, weights, strict=True):
        for probability, moves, payoff in histories(game, game.play(position, move), players):
            yield weight * probability, (text, *moves), payoff


def one_round(game: Game) -> State:
    assert game.last_round is not None
    return game.last_round()


def recorded(game: Game, moves: Sequence[str]) -> Record:
    """Return a record of one round with these moves; its result does not matter here."""
    return Record(
        game=game.name,
        players=(Player("a"), Player("b")),
        result="*",
        start=game.format_position(one_round(game)),
        moves=tuple(map(PlayedMove, moves)),
    )


def payoff_of(record: Record) -> float:
    *_, last = record.positions()
    assert last.over
    return last.payoffs[0]


@given(seeds, seeds, seeds, st.floats(0.01, 1000), st.sampled_from([(True, True), (True, False), (False, False)]))
@settings(max_examples=15, deadline=None)
def test_luck_is_zero_on_average_for_any_strategies_and_any_estimate(
    first: int, second: int, guess: int, size: float, known: tuple[bool, bool]
) -> None:
    """A sum over all 30 ways to play Kuhn poker, with a random number as the estimate of each state."""
    players = strategy(KUHN, first), strategy(KUHN, second)
    told = (players[0] if known[0] else None, players[1] if known[1] else None)

    def estimate(state: State, moves: Sequence[int]) -> Sequence[float]:
        return [random.Random(f"{guess} {state} {move}").uniform(-size, size) for move in moves]

    ways = list(histories(KUHN, KUHN.look(one_round(KUHN)), players))
    assert len(ways) == 30
    assert sum(probability for probability, _, _ in ways) == pytest.approx(1)
    found = [(probability, luck(recorded(KUHN, moves), estimate, told)) for probability, moves, _ in ways]
    assert any(abs(lucky) > 1e-6 * size for _, lucky in found)
    assert sum(probability * lucky for probability, lucky in found) == pytest.approx(0, abs=1e-9 * size)


def test_luck_explains_everything_where_the_estimate_and_both_strategies_are_exact() -> None:
    """The value of the hand is left: -1/18 of a chip for the seat that begins, up to the rounding of the strategy."""
    own, estimate = shipped(KUHN), estimate_of("kuhn")
    assert estimate is not None

    def plays(state: State) -> Mapping[str, float]:
        return own.chances(state, KUHN.look(state).to_move)

    for _, moves, payoff in histories(KUHN, KUHN.look(one_round(KUHN)), (plays, plays)):
        assert payoff - luck(recorded(KUHN, moves), estimate, (plays, plays)) == pytest.approx(-1 / 18, abs=1e-4)


def test_luck_of_the_deal_is_zero_on_average_against_strategies_that_the_estimate_does_not_know() -> None:
    players, estimate = (strategy(KUHN, 1), strategy(KUHN, 2)), estimate_of("kuhn")
    assert estimate is not None
    ways = list(histories(KUHN, KUHN.look(one_round(KUHN)), players))
    mean = sum(probability * luck(recorded(KUHN, moves), estimate, players) for probability, moves, _ in ways)
    assert mean == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@given(seed=seeds, plies=st.integers(0, 60))
@settings(max_examples=15, deadline=None)
def test_a_round_alone_is_the_current_one(name: str, seed: int, plies: int) -> None:
    game, chance = find(name), random.Random(seed)
    assert game.as_last_round is not None
    match = Match(game, seed=seed)
    while match.ply < plies:
        assert match.to_move is not None
        match.play(match.to_move, chance.choice(match.legal_of(match.to_move)))
    state = match.position.state
    alone, so_far = game.as_last_round(state)
    whole, part = game.look(state), game.look(alone)
    if part.over:
        assert part.payoffs[0] + so_far == state.score
    else:
        assert (part.moves, part.to_move) == (whole.moves, whole.to_move)
        assert all(key_of(game, alone, seat) == key_of(game, state, seat) for seat in (0, 1))
        assert alone.score == 0
        assert so_far == state.score


@pytest.mark.parametrize("name", [pytest.param("backgammon", marks=pytest.mark.long), "einstein"])
@given(seed=seeds, plies=st.integers(0, 40))
@settings(max_examples=5, deadline=None)
def test_the_estimate_after_a_roll_is_that_of_the_best_move(name: str, seed: int, plies: int) -> None:
    game, chance = find(name), random.Random(seed)
    estimate, evaluation = estimate_of(name), named(find(name).evaluations, None)
    assert estimate is not None
    assert game.payoff_of_score is not None
    position = game.look(game.start())
    for _ in range(plies):
        following = game.play(position, chance.choice(position.moves))
        if following.over:
            break
        position = following
    found = estimate(position.state, position.moves)

    def score(reached: Position) -> float:
        if reached.over:
            return reached.payoffs[0] * evaluation.win
        own = game.score(reached.state, evaluation)
        return -own if reached.to_move == 1 else own

    for move, value in zip(position.moves, found, strict=True):
        child = game.play(position, move)
        best = score(child)
        if not child.over and child.to_move != CHANCE:
            replies = [score(game.play(child, reply)) for reply in child.moves]
            best = min(replies) if child.to_move == 1 else max(replies)
        assert value == game.payoff_of_score(best)
        assert abs(value) <= game.stakes


def dealt(cards: Sequence[int]) -> int:
    return sum(card + 1 << CARD_BITS * place for place, card in enumerate(cards))


@given(st.permutations(range(DECK)))
@settings(max_examples=5, deadline=None)
def test_the_margin_in_holdem_is_the_mean_over_the_cards_that_may_follow(deck: Sequence[int]) -> None:
    hand = list(deck[: BOARD - 1])
    rest = [card for card in range(DECK) if card not in hand]
    exact = np.mean([margin(dealt([*hand, card]), BOARD) for card in rest])
    assert margin(dealt(hand), BOARD - 1) == pytest.approx(exact)
    flop = hand[:-1]
    turns = [card for card in range(DECK) if card not in flop]
    exact = np.mean([margin(dealt([*flop, card]), BOARD - 1) for card in turns])
    # the standard error of 200 deals is at most 0.071
    assert margin(dealt(flop), BOARD - 2) == pytest.approx(exact, abs=0.36)


@pytest.mark.parametrize("name", ["chess", "rock-paper-scissors", "dilemma/noise-5", "bridge/double-dummy"])
def test_games_without_an_estimate_have_none(name: str) -> None:
    assert estimate_of(name) is None
