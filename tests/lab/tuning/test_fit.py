# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitting finds the weights that results were drawn by."""

import numpy as np
import pytest

from engine.evaluation import Evaluation, Terms
from lab.tuning.fit import HELD_OUT, Fit, fit_scale, loss, scores, tune
from lab.tuning.samples import Samples

TRUE = np.array([100.0, 300.0, -50.0, 10.0, 25.0, 0.0])
SCALE = 150.0
ANYTHING = (np.full(6, -1e9), np.full(6, 1e9))
FREE = Fit(rounds=300, trust=1.0, pull=0.0)


def drawn(count: int = 20_000, seed: int = 1) -> Samples:
    """Random sparse features, and results drawn as the true weights expect them; ten positions a game."""
    chance = np.random.default_rng(seed)
    features = chance.integers(-2, 3, (count, 6)) * (chance.random((count, 6)) < 0.5)
    rows, columns = np.nonzero(features)
    starts = np.searchsorted(rows, np.arange(count + 1))
    expected = 1 / (1 + np.exp(-features @ TRUE / SCALE))
    return Samples(
        starts=starts,
        columns=columns.astype(np.int32),
        values=features[rows, columns].astype(np.float32),
        results=(chance.random(count) < expected).astype(np.float64),
        searched=features @ TRUE,
        games=np.arange(count) // 10,
    )


SAMPLES = drawn()


def test_scores_are_weights_times_features() -> None:
    assert scores(SAMPLES, TRUE) == pytest.approx(SAMPLES.searched)


def test_the_scale_is_found() -> None:
    assert fit_scale(SAMPLES, TRUE) == pytest.approx(SCALE, rel=0.05)
    assert fit_scale(SAMPLES, 10 * TRUE) == pytest.approx(10 * SCALE, rel=0.05)


def test_weights_are_found_from_results() -> None:
    start = np.array([60.0, 200.0, 0.0, 0.0, 0.0, 40.0])
    found = FREE.weights(SAMPLES, start, SCALE, ANYTHING)
    assert found == pytest.approx(TRUE, abs=12)
    assert loss(SAMPLES, found, SCALE) <= loss(SAMPLES, TRUE, SCALE) < loss(SAMPLES, start, SCALE)


def test_weights_are_fitted_to_scores_of_searches() -> None:
    found = Fit(rounds=300, trust=0.0, pull=0.0).weights(SAMPLES, 0.8 * TRUE + 10, SCALE, ANYTHING)
    assert found == pytest.approx(TRUE, abs=3)


def test_a_part_of_the_samples_at_a_time_tells_as_much() -> None:
    found = Fit(rounds=600, batch=2_000, trust=0.0, pull=0.0).weights(SAMPLES, 0.8 * TRUE + 10, SCALE, ANYTHING)
    assert found == pytest.approx(TRUE, abs=3)


def test_without_searches_results_are_all_there_is() -> None:
    silent = Samples(
        SAMPLES.starts,
        SAMPLES.columns,
        SAMPLES.values,
        SAMPLES.results,
        np.full(len(SAMPLES), np.nan),
        SAMPLES.games,
    )
    found = Fit(rounds=50, trust=0.0, pull=0.0).weights(silent, TRUE, SCALE, ANYTHING)
    assert found == pytest.approx(Fit(rounds=50, trust=1.0, pull=0.0).weights(SAMPLES, TRUE, SCALE, ANYTHING))


def test_weights_stay_where_they_are_pulled_to_and_within_their_bounds() -> None:
    start = np.full(6, 50.0)
    assert Fit(rounds=300, pull=1e9).weights(SAMPLES, start, SCALE, ANYTHING) == pytest.approx(start, abs=1)
    found = FREE.weights(SAMPLES, start, SCALE, (np.full(6, 0.0), np.full(6, 120.0)))
    assert found.min() == 0
    assert found.max() == 120


def test_tuning_returns_losses_of_learned_and_held_out_games() -> None:
    names = tuple("abcdef")
    evaluation = Evaluation("e", (60, 200, 0, 0, 0, 40), terms=Terms(names=names))
    losses: list[float] = []
    tuned = tune(evaluation, SAMPLES, FREE, losses.append)
    assert tuned.evaluation.terms == evaluation.terms
    assert tuned.learned.after < tuned.learned.before
    assert tuned.held_out.after < tuned.held_out.before
    assert len(losses) == FREE.rounds
    # the scale is that of the weights to begin with, so what is found is in proportion
    assert np.array(tuned.evaluation.weights) * SCALE / tuned.scale == pytest.approx(TRUE, abs=15)


def test_games_are_held_out_whole() -> None:
    learning, held = SAMPLES.parted(HELD_OUT)
    assert len(learning) + len(held) == len(SAMPLES)
    assert set(held.games) == set(range(HELD_OUT - 1, 2000, HELD_OUT))
    assert not set(learning.games) & set(held.games)
    everything = np.concatenate([scores(learning, TRUE), scores(held, TRUE)])
    assert np.sort(everything) == pytest.approx(np.sort(SAMPLES.searched))


def test_too_few_games_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 10 games"):
        tune(Evaluation("e", (0,) * 6), SAMPLES.only(SAMPLES.games < 9), FREE)
