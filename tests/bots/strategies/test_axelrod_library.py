# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies compared with those of the Axelrod library: deterministic ones move by move, others by distribution."""

import numpy as np
import pytest

from bots.strategies.bulk import DILEMMA, choice, round_robin
from bots.strategies.catalogue import FIRST_TOURNAMENT, STRATEGIES, Strategy, named
from tests.axelrod_library import PEERS, against, tournament

ROUNDS = 200
ROWS = [np.random.default_rng(0).random(ROUNDS) < share for share in (0.0, 0.02, 0.1, 0.5, 0.9)]
"""Defections of the opponent."""


def test_every_strategy_has_a_peer() -> None:
    assert [strategy.name for strategy in STRATEGIES] == list(PEERS)
    assert len(FIRST_TOURNAMENT) == 15


def chosen(strategy: Strategy, row: list[int], seed: int) -> list[int]:
    """Return the actions of a strategy against a fixed row."""
    own: list[int] = []
    for turn in range(len(row)):
        own.append(choice(strategy, own, row[:turn], rounds=len(row), seed=seed, payoffs=DILEMMA))
    return own


@pytest.mark.parametrize("strategy", [each for each in STRATEGIES if not each.stochastic], ids=lambda each: each.name)
def test_deterministic_strategies_are_the_same_move_by_move(strategy: Strategy) -> None:
    for row in ROWS:
        actions = row.astype(int).tolist()
        assert chosen(strategy, actions, 1) == against(strategy.name, actions, 1)


REPEATS = 24


@pytest.mark.long
@pytest.mark.parametrize("strategy", [each for each in STRATEGIES if each.stochastic], ids=lambda each: each.name)
def test_stochastic_strategies_defect_as_often_in_each_part_of_a_match(strategy: Strategy) -> None:
    for row in ROWS:
        actions = row.astype(int).tolist()
        ours = np.array([chosen(strategy, actions, seed) for seed in range(REPEATS)])
        theirs = np.array([against(strategy.name, actions, seed) for seed in range(1, REPEATS + 1)])
        for part in (slice(0, 1), slice(1, 20), slice(20, 60), slice(60, 200)):
            one, other = (found[:, part].mean(axis=1) for found in (ours, theirs))
            error = np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / REPEATS)
            # five standard errors, and one action in case that a rare one was never drawn
            assert abs(one.mean() - other.mean()) <= 5 * error + 1 / ROUNDS


@pytest.mark.long
def test_the_field_of_1980_has_the_same_standings() -> None:
    names = [strategy.name for strategy in FIRST_TOURNAMENT]
    theirs = tournament(names, repetitions=5, seed=1).mean(axis=1)
    ours = round_robin(FIRST_TOURNAMENT, repetitions=100, seed=1).scores()
    mean, score = ours.mean(axis=0), theirs.mean(axis=1)
    # the error of five repetitions, from our many
    error = ours.std(axis=0, ddof=1) / np.sqrt(5)
    assert (np.abs(mean - score) <= 5 * error + 0.5).all(), dict(zip(names, mean - score, strict=True))
    for one in range(len(names)):
        for other in range(len(names)):
            if score[one] - score[other] > 2 * np.hypot(error[one], error[other]) + 0.5:
                assert mean[one] > mean[other], (names[one], names[other])


def test_a_deterministic_pair_has_the_library_s_payoffs() -> None:
    names = ["tit-for-tat", "nydegger", "shubik", "downing", "tideman-chieruzzi", "stein-rapoport", "gradual", "pavlov"]
    theirs = tournament(names, repetitions=1, seed=1)[:, :, 0]
    found = round_robin([named(name) for name in names], repetitions=1)
    assert np.allclose(found.payoffs, theirs)
