# SPDX-License-Identifier: GPL-3.0-or-later
"""A search gets a prior that was learned from a player's games; its depth then."""

import numpy as np
import pytest

from bots.modelling.prior import MovePrior
from bots.modelling.replay import Replay, replays
from bots.modelling.sources import PlayerName, Skips
from engine.games import find
from engine.search.opponent import FEATURES
from lab.studies.depth import gain, measure
from tests.bots.modelling.habitual import NAME, games

CHECKERS = find("checkers")


@pytest.fixture(scope="module")
def preferring() -> list[Replay]:
    """Games of somebody who mostly takes the move first in the alphabet."""
    return replays(CHECKERS, games(30, "checkers", 30), PlayerName(NAME), Skips())


def test_a_preference_gets_a_high_prior(preferring: list[Replay]) -> None:
    prior = MovePrior(CHECKERS)
    for played in preferring[:24]:
        prior.add(played)
    foresight = prior.foresight()
    assert foresight.weights.shape == (FEATURES,)
    losses, uniform = [], []
    for played in preferring[24:]:
        for turn in played.turns():
            count = len(turn.position.moves)
            if count < 2:
                continue
            probabilities = prior.predict(foresight, turn.position, turn.past)
            assert sum(probability for _, probability in probabilities) == pytest.approx(1)
            assert [probability for _, probability in probabilities] == sorted(
                (probability for _, probability in probabilities), reverse=True
            )
            losses.append(-np.log(dict(probabilities)[turn.move]))
            uniform.append(np.log(count))
    assert np.mean(losses) < np.mean(uniform) - 0.1


def test_learning_in_parts_is_learning_all(preferring: list[Replay]) -> None:
    one, other = MovePrior(CHECKERS), MovePrior(CHECKERS)
    for number, played in enumerate(preferring[:10]):
        one.add(played)
        other.add(played)
        if number == 4:
            other.foresight()
    first, second = one.foresight(), other.foresight()
    for name in ("move_rates", "aim_rates", "weights"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


def test_one_game_is_too_few(preferring: list[Replay]) -> None:
    prior = MovePrior(CHECKERS)
    prior.add(preferring[0])
    with pytest.raises(ValueError, match="two games"):
        prior.foresight()


def test_depths_are_measured(preferring: list[Replay]) -> None:
    plain, full = measure(CHECKERS, preferring[:12], preferring[12:], nodes=500, every=4)
    assert (plain.frame, full.frame) == ("alpha-beta", "play")
    for one in (plain, full):
        assert one.positions > 10
        assert all(depth > 1 for depth in (*one.nominal, *one.answer))
        assert one.nominal_gains[0].share == pytest.approx(one.nominal[1] / one.nominal[0] - 1)
        assert one.beyond.share == pytest.approx(one.answer[1] / one.answer[2] - 1)


def test_games_without_an_answer_are_refused(preferring: list[Replay]) -> None:
    with pytest.raises(ValueError, match="no answer"):
        measure(CHECKERS, preferring[:4], [], nodes=100)


def test_a_gain_holds_games_together() -> None:
    plain, told = np.array([4.0, 4.0, 5.0, 5.0]), np.array([5.0, 5.0, 5.0, 5.0])
    one = gain(plain, told, np.array([0, 0, 1, 1]))
    assert one.share == pytest.approx(20 / 18 - 1)
    assert one.low < 0 < one.share < one.high, "two games alone do not show it"
