# SPDX-License-Identifier: GPL-3.0-or-later
"""Rating fits: cached until there are newer results, computed once for all concurrent requests, in a thread."""

import asyncio
import threading
from typing import Any

import numpy as np
import pytest

from arena.ladder import fits
from arena.ladder.fits import NO_RATINGS, PRIOR_VARIANCE, ladder_fits, leaderboard_fits
from arena.rating.assessment import assess
from arena.rating.bradley_terry import fit
from arena.rating.results import Results
from arena.store import Store
from tests.arena.peers import until
from tests.arena.store.company import play, versions


async def test_a_leaderboard_fit_is_kept_until_there_are_newer_results(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    asked = leaderboard_fits(store, patience=0)
    assert (await asked.get("checkers", "bullet")).assessment is None
    await play(store, marion, tinsley)
    one = await asked.get("checkers", "bullet")
    assert one.games == 1
    assert one.assessment is not None
    assert await asked.get("checkers", "bullet") is one
    assert (await asked.get("nim", "bullet")).assessment is None
    await play(store, marion, tinsley)
    assert (await asked.get("checkers", "bullet")).games == 2


async def test_a_leaderboard_fit_is_kept_for_its_patience_despite_newer_results(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    asked = leaderboard_fits(store, patience=1e9)
    one = await asked.get("checkers", "bullet")
    await play(store, marion, tinsley)
    assert await asked.get("checkers", "bullet") is one


async def test_concurrent_requests_share_one_computation_in_a_thread(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    whole, go_on = assess, threading.Event()

    def slowly(*arguments: Any, **more: Any) -> object:
        made.append(arguments)
        assert go_on.wait(600), "it held up the loop that would let it go on"
        return whole(*arguments, **more)

    monkeypatch.setattr(fits, "assess", slowly)
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    asked = leaderboard_fits(store)
    asking = [asyncio.create_task(asked.get("checkers", "bullet")) for _ in range(5)]
    await until(lambda: bool(made))
    await asyncio.sleep(0.1)  # for the others to ask as well
    assert not any(task.done() for task in asking)
    go_on.set()
    assert len(set(map(id, await asyncio.gather(*asking)))) == len(made) == 1


async def test_a_page_waits_for_a_limited_time_and_gets_the_last_fit_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, go_on = assess, threading.Event()

    def slowly(*arguments: Any, **more: Any) -> object:
        assert go_on.wait(600)
        return whole(*arguments, **more)

    monkeypatch.setattr(fits, "assess", slowly)
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    asked = leaderboard_fits(store, patience=0)
    assert await asked.soon("checkers", "bullet", within=0.01) is None
    go_on.set()
    first = await asked.get("checkers", "bullet")
    assert await asked.soon("checkers", "bullet", within=60) is first
    await play(store, marion, tinsley)
    go_on.clear()
    assert await asked.soon("checkers", "bullet", within=0.01) is first
    go_on.set()
    assert (await asked.get("checkers", "bullet")).games == 2


async def test_without_games_the_ladder_fit_has_only_the_prior(store: Store) -> None:
    assert await ladder_fits(store).get("checkers", "bullet") is NO_RATINGS
    ratings, covariance = NO_RATINGS.of([3, 8], [1500.0, 1622.0])
    assert ratings.tolist() == [1500.0, 1622.0]
    assert covariance.tolist() == [[PRIOR_VARIANCE, 0], [0, PRIOR_VARIANCE]]


async def test_the_ladder_fit_has_the_ratings_of_the_results_and_the_prior_for_unrated_bots(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    known = ladder_fits(store, patience=0, least=0)
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


async def test_a_ladder_fit_is_kept_for_its_minimum_time(store: Store) -> None:
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    known = ladder_fits(store, least=1e9)
    found = await known.get("checkers", "bullet")
    await play(store, marion, tinsley)
    assert await known.get("checkers", "bullet") is found


def test_the_variance_of_an_unrated_bot_is_that_of_the_prior() -> None:
    alone = fit(Results(*np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0))), 1, anchors={}, advantage=False)
    # relative to the average of one player the variance is 0; so use two players, one of them fixed
    assert alone.covariance.tolist() == [[0.0]]
    pair = fit(Results(*np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0))), 2, anchors={1: 1500.0}, advantage=False)
    assert pair.covariance[0, 0] == pytest.approx(PRIOR_VARIANCE)
