# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches with an opponent model: the priors, and their effect."""

import math
import random

import numpy as np
import pytest

from engine.game import Game, Position
from engine.games import find
from engine.hints.alphabeta import AIMS, SLOTS
from engine.search import ALGORITHMS, INEXACT, Limits, Searcher, Switch
from engine.search.margins import MARGINS
from engine.search.memory import ROOT_ROW
from engine.search.opponent import (
    ANY,
    FEATURES,
    WHOLE,
    OpponentModel,
    from_rates,
    no_model,
    stored_prior,
    with_priors,
    write_all_features,
)
from engine.search.selective.ordering import predict
from engine.search.switches import OPPONENT_MODEL
from tests.engine.search.oracle import minimax

CHESS, CHECKERS = find("chess"), find("checkers")
PLAY = ALGORITHMS["play"].switches
EXACT = PLAY & ~INEXACT


def random_model(seed: int = 1) -> OpponentModel:
    """Return a random opponent model."""
    rng = np.random.default_rng(seed)
    return from_rates(rng.normal(size=(2, SLOTS)), rng.normal(size=(2, AIMS)), rng.normal(size=FEATURES))


def positions(game: Game, count: int, plies: int = 12, seed: int = 1) -> list[Position]:
    """Return positions after random moves."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.look(game.start())
        for _ in range(rng.randrange(2, plies)):
            if position.over:
                break
            position = game.play(position, rng.choice(position.moves))
        if not position.over and len(position.moves) > 1:
            found.append(position)
    return found


def signed(word: int) -> int:
    """Return 64 bits as a signed number."""
    return int(np.array([word % 2**64], np.uint64).view(np.int64)[0])


def priors(game: Game, position: Position, model: OpponentModel, known: int = -1) -> list[int]:
    """Return the priors of the selective search in thousandths."""
    searcher = Searcher(game, switches=PLAY | OPPONENT_MODEL, table_bits=4)
    searcher.set_opponent(model)
    searcher._prepare(position.moves, ())
    memory = searcher._memory
    row = int(memory.control[ROOT_ROW])
    memory.path[row, 0] = signed(position.key)
    predict(position.state, position.to_move, 0, row, len(position.moves), known, memory)
    return [int(prior) for prior in memory.priors[0, : len(position.moves)]]


@pytest.mark.parametrize("game", [CHESS, CHECKERS], ids=lambda game: game.name)
def test_priors_are_the_logit_of_the_features(game: Game) -> None:
    model = random_model()
    for position in positions(game, 5):
        moves = np.array([signed(move) for move in position.moves])
        features = np.zeros((len(moves), FEATURES))
        write_all_features(position.state, moves, len(moves), position.to_move, False, 1, model, features)
        odds = [
            math.exp(sum(feature * weight for feature, weight in zip(row, model.weights, strict=True)))
            for row in features
        ]
        expected = [math.floor(WHOLE * each / sum(odds)) for each in odds]
        found = priors(game, position, model, known=int(moves[1]) & 0xFFFF)
        assert all(abs(one - other) <= 1 for one, other in zip(found, expected, strict=True))


def test_stored_priors_replace_computed_ones() -> None:
    position, other = positions(CHESS, 2)
    moves = [(move, 1 / (2 + place)) for place, move in enumerate(position.moves[:4])]
    model = with_priors(random_model(), [(position.key, moves)])
    assert priors(CHESS, position, model)[:5] == [500, 333, 250, 200, 0]
    assert priors(CHESS, other, model) == priors(CHESS, other, random_model())


def test_the_hash_table_returns_the_stored_priors() -> None:
    rng = random.Random(2)
    entries = {rng.getrandbits(64): {rng.getrandbits(64): rng.random() for _ in range(5)} for _ in range(300)}
    known = with_priors(no_model(), [(key, list(moves.items())) for key, moves in entries.items()]).known
    for key, moves in entries.items():
        assert stored_prior(known, signed(key), ANY) == 0
        for move, prior in moves.items():
            assert stored_prior(known, signed(key), signed(move)) == round(prior * WHOLE)
        assert stored_prior(known, signed(key), 12345) == -1
    assert stored_prior(known, 12345, ANY) == -1


def test_shuffled_priors_belong_to_other_moves() -> None:
    (position,) = positions(CHESS, 1)
    model = random_model()
    plain_priors = priors(CHESS, position, model)
    shuffled = priors(CHESS, position, model._replace(shuffled=np.ones(1, np.int64)))
    assert sorted(shuffled) == sorted(plain_priors)
    assert shuffled != plain_priors


def test_without_a_model_the_switches_have_no_effect() -> None:
    for position in positions(CHESS, 3):
        plain = Searcher(CHESS, "play", "material", table_bits=12).search(position.state, Limits(nodes=5_000))
        without_model = Searcher(CHESS, "play", "material", switches=PLAY | OPPONENT_MODEL, table_bits=12)
        without_model.set_opponent(None)
        found = without_model.search(position.state, Limits(nodes=5_000))
        assert (found.value, found.pv, found.nodes) == (plain.value, plain.pv, plain.nodes)


@pytest.mark.parametrize("switch", list(OPPONENT_MODEL), ids=lambda switch: str(switch.name))
def test_each_switch_alone_finds_a_legal_line(switch: Switch) -> None:
    for game, evaluation in ((CHESS, "material"), (CHECKERS, "lecture")):
        searcher = Searcher(game, "play", evaluation, switches=PLAY | switch, table_bits=12)
        searcher.set_opponent(random_model())
        for position in positions(game, 3):
            found = searcher.search(position.state, Limits(nodes=3_000))
            for move in found.pv:
                position = game.play(position, move)
            assert found.pv


def test_ordering_by_priors_changes_no_value() -> None:
    for game in (CHESS, CHECKERS):
        for position in positions(game, 4):
            searcher = Searcher(game, switches=EXACT | Switch.PROBABLE_FIRST, table_bits=12)
            searcher.set_opponent(random_model())
            expected = minimax(game, searcher.evaluation, position, 3).value
            assert searcher.search(position.state, Limits(depth=3)).value == expected


def test_values_with_a_model_are_not_used_without_it() -> None:
    margins = MARGINS._replace(improbable=WHOLE + 1, opponent_depth=1)
    for position in positions(CHECKERS, 6, plies=20):
        searcher = Searcher(CHECKERS, switches=EXACT | Switch.IMPROBABLE_REDUCTIONS, table_bits=12, margins=margins)
        searcher.set_opponent(random_model())
        searcher.search(position.state, Limits(depth=5))
        searcher.set_opponent(None)
        expected = minimax(CHECKERS, searcher.evaluation, position, 4).value
        assert searcher.search(position.state, Limits(depth=4)).value == expected


def test_reducing_improbable_moves_saves_nodes() -> None:
    """Improbable moves are reduced: the same depth in fewer positions."""
    margins = MARGINS._replace(improbable=WHOLE + 1)
    for position in positions(CHESS, 3):
        nodes = []
        for switches in (EXACT, EXACT | Switch.IMPROBABLE_REDUCTIONS):
            searcher = Searcher(CHESS, "play", "material", switches=switches, margins=margins)
            searcher.set_opponent(random_model())
            nodes.append(searcher.search(position.state, Limits(depth=6)).nodes)
        assert nodes[1] < nodes[0]


def test_the_value_of_a_draw_applies_to_repetitions() -> None:
    state = CHESS.parse_position("6k1/5ppp/8/8/8/q7/5PPP/3Q2K1 w - - 0 1")
    position = CHESS.look(state)
    history = [position.key]
    for text in ("d1d8", "a3f8", "d8d1", "f8a3") * 2:
        position = CHESS.play(position, CHESS.parse_move(position, text))
        history.append(position.key)
    values = []
    for draw in (-3.0, 0.0, 3.0):
        searcher = Searcher(CHESS, "play", "material", switches=PLAY | OPPONENT_MODEL, table_bits=12)
        searcher.set_opponent(None, draw)
        # the position occurs for the third time: a repetition is a draw
        values.append(searcher.search(position.state, Limits(depth=4), history=history[:-1]).value)
    assert values[0] <= values[1] < values[2]


def test_rates_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="two seats"):
        from_rates(np.zeros((2, 3)), np.zeros((2, AIMS)), np.zeros(FEATURES))
