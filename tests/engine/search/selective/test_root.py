# SPDX-License-Identifier: GPL-3.0-or-later
"""Expectation over the opponent's answers, compared with a reference implementation."""

import random

import pytest

from engine.game import Game, Position
from engine.games import find
from engine.search import ALGORITHMS, INEXACT, Limits, Searcher, Switch
from engine.search.margins import MARGINS, Margins
from engine.search.opponent import WHOLE, with_priors
from engine.search.selective.root import MOST, squashed, unsquashed
from tests.engine.search.oracle import final, minimax
from tests.engine.search.selective.test_opponent import positions, random_model

CHESS, CHECKERS = find("chess"), find("checkers")
EXACT = ALGORITHMS["play"].switches & ~INEXACT
Priors = dict[int, list[tuple[int, float]]]


def answers(game: Game, position: Position, seed: int, certain: bool) -> Priors:
    """Return priors in answers to each move: shares drawn at random, or all of it in one answer."""
    rng = random.Random(seed)
    found: Priors = {}
    for move in position.moves:
        child = game.play(position, move)
        if child.over or child.to_move == position.to_move:
            continue
        cuts = [rng.random() ** 2 for _ in child.moves]
        shares = [cut / sum(cuts) for cut in cuts]
        if certain:
            shares = [float(number == len(cuts) // 2) for number in range(len(cuts))]
        found[child.key] = list(zip(child.moves, shares, strict=True))
    return found


def plain(searcher: Searcher, position: Position, depth: int, known: Priors, margins: Margins) -> dict[int, float]:
    """Return what each move is worth: the mean of what answers lead to, squashed, by prior."""
    game, evaluation = searcher.game, searcher.evaluation
    scale = evaluation.points(1) * margins.expectation_scale / 100

    def value(after: Position, left: int) -> int:
        found = final(evaluation, after, left) if after.over else minimax(game, evaluation, after, left).value
        return found if after.to_move == position.to_move else -found

    worth = {}
    for move in position.moves:
        child = game.play(position, move)
        own = value(child, depth - 1)
        probable = [
            (answer, prior)
            for answer, prior in sorted(known.get(child.key, []), key=lambda one: -one[1])
            if round(prior * WHOLE) >= margins.expectation_least
        ][:MOST]
        total, rest = 0.0, 1.0
        for answer, prior in probable:
            share = round(prior * WHOLE) / WHOLE * (1 - margins.expectation_best / WHOLE)
            here = value(game.play(child, answer), depth - 2)
            total += share * scale * here / (scale + abs(here))
            rest -= share
        squeezed = total / (1 - rest) if rest < 1 / WHOLE else total + rest * scale * own / (scale + abs(own))
        worth[move] = scale * squeezed / (scale - abs(squeezed))
    return worth


@pytest.mark.parametrize("own", [0, 200, 600])
@pytest.mark.parametrize("certain", [False, True], ids=["shares", "one answer"])
@pytest.mark.parametrize("game", [CHECKERS, CHESS], ids=lambda game: game.name)
def test_a_move_is_worth_the_mean_of_its_answers(game: Game, certain: bool, own: int) -> None:
    margins = MARGINS._replace(expectation_best=own)
    evaluation = "lecture" if game is CHECKERS else None
    depths = (2, 3, 4) if game is CHECKERS else (2, 3)
    for number, position in enumerate(positions(game, 6 if game is CHECKERS else 2, plies=30)):
        known = answers(game, position, number, certain)
        for depth in depths:
            searcher = Searcher(game, "play", evaluation, switches=EXACT | Switch.ROOT_EXPECTATION, margins=margins)
            searcher.set_opponent(with_priors(random_model(), known.items()))
            found = searcher.search(position.state, Limits(depth=depth))
            worth = plain(searcher, position, depth, known, margins)
            best = max(worth.values())
            reach = max(2.0, abs(best) * 1e-6)
            assert found.value == pytest.approx(best, abs=reach)
            assert found.move is not None
            assert worth[found.move] == pytest.approx(best, abs=reach)


def test_an_opponent_that_is_sure_to_err_is_lured() -> None:
    """A move that plain search holds for worse is made where the other side is sure to answer it badly."""
    lured = 0
    for position in positions(CHECKERS, 12, plies=30, seed=3):
        known: Priors = {}
        for move in position.moves:
            child = CHECKERS.play(position, move)
            if child.over:
                continue
            lecture = CHECKERS.evaluations["lecture"]
            after = {answer: CHECKERS.play(child, answer) for answer in child.moves}
            worst = {
                answer: final(lecture, one, 3) if one.over else minimax(CHECKERS, lecture, one, 3).value
                for answer, one in after.items()
            }
            known[child.key] = [(max(worst, key=lambda answer: worst[answer]), 1.0)]
        searcher = Searcher(CHECKERS, "play", "lecture", switches=EXACT | Switch.ROOT_EXPECTATION)
        searcher.set_opponent(with_priors(random_model(), known.items()))
        found = searcher.search(position.state, Limits(depth=5))
        plainly = Searcher(CHECKERS, "play", "lecture", switches=EXACT).search(position.state, Limits(depth=5))
        assert found.value >= plainly.value
        lured += found.move != plainly.move
    assert lured > 0


def test_squashing_is_undone_and_keeps_order() -> None:
    values = [-(10**9), -5_000, -301, -300, -1, 0, 1, 299, 5_000, 10**9]
    squeezed = [squashed(value, 300) for value in values]
    assert squeezed == sorted(squeezed)
    assert [unsquashed(each, 300) for each in squeezed[1:-1]] == values[1:-1]
    assert squashed(300, 300) == 150
