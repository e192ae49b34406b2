# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitting the weights of backgammon: positions of games with turns in turn, and weights that explain chances."""

import random
from collections.abc import Sequence

import gnubg_nn
import numpy as np
import pytest

from engine.games.backgammon.evaluation import CUBE, FIXED, GAMMON, LOST, NAMES
from lab.bench.games.backgammon_weights import START, fit, following, logistic, module, regression, sample, targets_of


def test_the_other_player_is_on_roll_after_the_best_turn_and_after_a_random_one() -> None:
    chance = random.Random(1)
    for at_random in (False, True):
        board: tuple[Sequence[int], Sequence[int]] = gnubg_nn.board_from_position_id(START)
        for _ in range(6):
            after = following(board, (3, 1), at_random, chance)
            # the player that moved waits now, and has four pips less to go
            waiting, mover = (sum(men * point for point, men in enumerate(side, 1)) for side in (after[0], board[1]))
            assert waiting == mover - 4
            board = after


def test_a_sample_has_whole_games_with_chances_that_fit() -> None:
    found = sample(150, seed=2)
    assert len(found.words) == len(found.chances) >= 150
    win, gammon, lost, backgammon, lost_backgammon = found.chances.T
    assert (gammon <= win + 1e-6).all()
    assert (lost <= 1 - win + 1e-6).all()
    assert (backgammon <= gammon + 1e-6).all()
    assert (lost_backgammon <= lost + 1e-6).all()
    assert sample(150, seed=2).words.tolist() == found.words.tolist()


def test_regression_finds_the_weights_that_chances_were_made_of() -> None:
    chance = np.random.default_rng(1)
    rows, true = chance.normal(size=(4000, 5)), np.array([0.5, -1.0, 0.0, 2.0, 0.25])
    known = chance.normal(size=4000)
    found = regression(rows, known, logistic(rows @ true + known), np.ones(4000))
    assert found == pytest.approx(true, abs=0.02)


def test_targets_of_gammons_are_those_of_the_games_that_are_won_or_lost() -> None:
    (win, all_), (gained, won), (lost, others) = targets_of(np.array([[0.6, 0.3, 0.1, 0.06, 0.0]]))
    assert [float(each[0]) for each in (win, all_, gained, won, lost, others)] == pytest.approx(
        [0.6, 1.0, 0.6, 0.6, 0.25, 0.4]
    )


def test_fixed_weights_are_not_fitted() -> None:
    listed = np.random.default_rng(1).integers(-3, 4, (500, len(NAMES)))
    weights = fit(listed, np.full((500, 5), 0.1), np.ones(500, np.bool_))
    assert all(weights[index] == weight for index, weight in FIXED.items())
    assert np.flatnonzero(weights[:GAMMON]).size
    assert np.flatnonzero(weights[LOST:CUBE]).size


def test_the_module_has_the_weights() -> None:
    found: dict[str, tuple[int, ...]] = {}
    exec(module(np.arange(len(NAMES), dtype=np.float64), "a command"), {}, found)
    assert found["WEIGHTS"] == tuple(range(len(NAMES)))
