# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of quick games: each game depends on its number alone; their features are the evaluation's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bots.pools.pool import Threads
from bots.pools.processes import Processes
from engine.games import find
from lab.tuning.fit import best_scale, fit_scale, scores
from lab.tuning.positions import GAMES, LOST, NAMES, Folder, Positions, QuickPlay, course, samples

CHECKERS, NIM = find("checkers"), find("nim")
LECTURE = CHECKERS.evaluations["lecture"]
QUICK = QuickPlay.of(CHECKERS, LECTURE, "play", 20, seed=5)


def same(one: Positions, other: Positions) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in NAMES)


def test_a_game_is_a_function_of_its_number() -> None:
    games = [course(QUICK, number) for number in range(4)]
    assert same(course(QUICK, 2), games[2])
    assert not same(games[0], games[1])
    for number, game in enumerate(games):
        assert set(game.games.tolist()) == {number}
        turns = np.array([CHECKERS.look(CHECKERS.state(*row)).to_move for row in game.states])
        scored = np.where(turns == 0, game.results, 1 - game.results)
        assert len(set(scored.tolist())) == 1, "one result for both sides to move"
        assert game.quiet.any()


@pytest.mark.long
def test_a_folder_is_filled_by_any_number_of_processes_and_gone_on_with(tmp_path: Path) -> None:
    alone, together = Folder(tmp_path / "1", QUICK), Folder(tmp_path / "2", QUICK)
    with Threads(1) as one, Processes(2) as two:
        assert list(alone.fill(1, one)) == [GAMES]
        (tmp_path / "1" / "000001.part").write_bytes(b"cut off")
        assert list(alone.fill(2 * GAMES, one)) == [2 * GAMES]
        assert list(alone.fill(2 * GAMES, one)) == []
        assert list(together.fill(GAMES + 1, two)) == [GAMES, 2 * GAMES]
    parts = list(zip(alone.parts(2 * GAMES), together.parts(2 * GAMES), strict=True))
    assert len(parts) == 2
    assert all(same(one, other) for one, other in parts)
    with pytest.raises(ValueError, match="played otherwise"):
        Folder(tmp_path / "1", replace(QUICK, nodes=21))


def test_samples_have_the_features_of_the_positions() -> None:
    part = Positions.joined([course(QUICK, number) for number in range(6)])
    found = samples(CHECKERS, LECTURE, iter([part, part]))
    quiet = part.only(part.quiet & (np.abs(part.searched) < LECTURE.points(LOST)))
    states = [CHECKERS.state(*row) for row in quiet.states]
    expected = [CHECKERS.score(state, LECTURE) for state in states]
    assert np.rint(scores(found, np.array(LECTURE.weights, np.float64))) == pytest.approx(2 * expected)
    assert found.results == pytest.approx(np.tile(quiet.results, 2))
    assert found.count == 6
    banned = CHECKERS.look(states[3]).key
    rest = samples(CHECKERS, LECTURE, iter([part]), {banned})
    assert len(rest) == len(states) - sum(CHECKERS.look(state).key == banned for state in states) < len(states)
    with pytest.raises(ValueError, match="no quiet position"):
        samples(CHECKERS, LECTURE, iter([part.only(~part.quiet)]))


def test_scores_of_another_player_are_rescaled() -> None:
    points = np.array(LECTURE.weights, np.float64)
    part = Positions.joined([course(QUICK, number) for number in range(20)])
    own = samples(CHECKERS, LECTURE, iter([part]))
    other = samples(CHECKERS, LECTURE, iter([part]), player=CHECKERS.evaluations["material"])
    assert other.results.tolist() == own.results.tolist()
    assert best_scale(other.searched, other.results) == pytest.approx(fit_scale(own, points), rel=1e-3)
    assert np.corrcoef(other.searched, own.searched)[0, 1] == pytest.approx(1)


def test_quick_games_refuse_other_evaluations_and_games() -> None:
    with pytest.raises(ValueError, match="as they are"):
        QuickPlay.of(CHECKERS, replace(LECTURE, weights=(1, 2, 3, 4)), "play", 20, 0)
    with pytest.raises(ValueError, match="not made of boards"):
        samples(NIM, next(iter(NIM.evaluations.values())), iter([]))
