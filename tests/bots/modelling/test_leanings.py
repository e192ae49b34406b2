# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search is told of a player: learned from games, and how deep it looks then."""

import numpy as np
import pytest

from bots.modelling.leanings import Leanings
from bots.modelling.players import Who
from bots.modelling.replay import Replay, Skips, replays
from engine.games import find
from engine.search.foresight import FACTS
from lab.studies.depth import gain, measure
from tests.bots.modelling.habitual import NAME, games

CHECKERS = find("checkers")


@pytest.fixture(scope="module")
def habits() -> list[Replay]:
    """Games of somebody who mostly takes the move first in the alphabet."""
    return replays(CHECKERS, games(30, "checkers", 30), Who(NAME), Skips())


def test_a_habit_is_foreseen(habits: list[Replay]) -> None:
    leanings = Leanings(CHECKERS)
    for played in habits[:24]:
        leanings.add(played)
    foresight = leanings.foresight()
    assert foresight.weights.shape == (FACTS,)
    losses, uniform = [], []
    for played in habits[24:]:
        for turn in played.turns():
            count = len(turn.position.moves)
            if count < 2:
                continue
            beliefs = leanings.predict(foresight, turn.position, turn.past)
            assert sum(belief for _, belief in beliefs) == pytest.approx(1)
            assert [belief for _, belief in beliefs] == sorted((belief for _, belief in beliefs), reverse=True)
            losses.append(-np.log(dict(beliefs)[turn.move]))
            uniform.append(np.log(count))
    assert np.mean(losses) < np.mean(uniform) - 0.1


def test_learning_in_parts_is_learning_all(habits: list[Replay]) -> None:
    one, other = Leanings(CHECKERS), Leanings(CHECKERS)
    for number, played in enumerate(habits[:10]):
        one.add(played)
        other.add(played)
        if number == 4:
            other.foresight()
    first, second = one.foresight(), other.foresight()
    for name in ("own", "arrival", "weights"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


def test_one_game_is_too_few(habits: list[Replay]) -> None:
    leanings = Leanings(CHECKERS)
    leanings.add(habits[0])
    with pytest.raises(ValueError, match="two games"):
        leanings.foresight()


def test_depths_are_measured(habits: list[Replay]) -> None:
    plain, full = measure(CHECKERS, habits[:12], habits[12:], nodes=500, every=4)
    assert (plain.frame, full.frame) == ("alpha-beta", "play")
    for one in (plain, full):
        assert one.positions > 10
        assert all(depth > 1 for depth in (*one.nominal, *one.answer))
        assert one.nominal_gains[0].share == pytest.approx(one.nominal[1] / one.nominal[0] - 1)
        assert one.beyond.share == pytest.approx(one.answer[1] / one.answer[2] - 1)


def test_games_without_an_answer_are_refused(habits: list[Replay]) -> None:
    with pytest.raises(ValueError, match="no answer"):
        measure(CHECKERS, habits[:4], [], nodes=100)


def test_a_gain_holds_games_together() -> None:
    plain, told = np.array([4.0, 4.0, 5.0, 5.0]), np.array([5.0, 5.0, 5.0, 5.0])
    one = gain(plain, told, np.array([0, 0, 1, 1]))
    assert one.share == pytest.approx(20 / 18 - 1)
    assert one.low < 0 < one.share < one.high, "two games alone do not show it"
