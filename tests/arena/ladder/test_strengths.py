# SPDX-License-Identifier: GPL-3.0-or-later
"""What the ladder knows of strengths: of all who played, renewed now and then, and nothing of strangers."""

import numpy as np
import pytest

from arena.ladder import strengths as beliefs
from arena.ladder.strengths import NOTHING, PRIOR_VARIANCE, RatingEstimates
from arena.rating.bradley_terry import fit
from arena.rating.results import Results
from arena.store import Store
from tests.arena.store.company import play, versions


async def test_nothing_is_known_before_anybody_played(store: Store) -> None:
    assert await RatingEstimates(store).get("checkers", "bullet") is NOTHING
    ratings, covariance = NOTHING.of([3, 8], [1500.0, 1622.0])
    assert ratings.tolist() == [1500.0, 1622.0]
    assert covariance.tolist() == [[PRIOR_VARIANCE, 0], [0, PRIOR_VARIANCE]]


async def test_it_is_what_the_results_say_and_strangers_are_none_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beliefs, "LEAST", 0.0)
    monkeypatch.setattr(beliefs, "PATIENCE", 0.0)
    marion, tinsley = await versions(store, "marion", "tinsley")
    known = RatingEstimates(store)
    for _ in range(3):
        await play(store, marion, tinsley)
    found = await known.get("checkers", "bullet")
    assert await known.get("checkers", "bullet") is found
    ratings, covariance = found.of([tinsley.id, 10_000, marion.id], [0.0, 1234.0, 0.0])
    expected = fit(Results(*(np.array([each]) for each in (0, 1, 3.0, 0.0, 0.0))), 2)
    assert ratings[[2, 0]] == pytest.approx(expected.ratings)
    assert covariance[np.ix_([2, 0], [2, 0])] == pytest.approx(expected.covariance)
    assert ratings[1] == 1234
    assert covariance[1].tolist() == [0, PRIOR_VARIANCE, 0]
    await play(store, marion, tinsley)
    assert (await known.get("checkers", "bullet")).games == 4


async def test_it_is_renewed_no_more_often_than_that(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs, "LEAST", 1e9)
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    known = RatingEstimates(store)
    found = await known.get("checkers", "bullet")
    await play(store, marion, tinsley)
    assert await known.get("checkers", "bullet") is found


def test_the_variance_of_a_stranger_is_that_of_the_prior() -> None:
    alone = fit(Results(*np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0))), 1, anchors={}, advantage=False)
    # relative to the average of one, nothing is left of it; hence two, of whom the other is fixed
    assert alone.covariance.tolist() == [[0.0]]
    pair = fit(Results(*np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0))), 2, anchors={1: 1500.0}, advantage=False)
    assert pair.covariance[0, 0] == pytest.approx(PRIOR_VARIANCE)
