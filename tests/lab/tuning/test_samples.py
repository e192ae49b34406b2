# SPDX-License-Identifier: GPL-3.0-or-later
"""What is taken of games: quiet positions, their features, and what came of them."""

import numpy as np
import pytest
from msgspec.structs import replace

from engine.games import find
from engine.match.events import Info
from engine.match.record import PlayedMove, Player, Record
from lab.tuning.fit import scores
from lab.tuning.samples import Sampler

CHESS = find("chess")
HOUSE = CHESS.evaluations["tuned"]
PLAYERS = Player("a"), Player("b")


def record(result: str, *moves: str, start: str | None = None, **more: str) -> Record:
    played = tuple(PlayedMove(move, info=Info(score=0.25)) for move in moves)
    return Record(game="chess", players=PLAYERS, result=result, moves=played, start=start)


# after 1. e4 d5 a pawn can be taken, and is not; 2. exd5 takes it, and 2. ... Qxd5 takes back
SCANDINAVIAN = record("1-0", "e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5")


def taken(record: Record, **options: object) -> Sampler:
    sampler = Sampler(CHESS, HOUSE, **options)  # type: ignore[arg-type]  # the options of the test
    sampler.add(record)
    return sampler


def test_a_position_is_taken_when_it_is_quiet() -> None:
    # not where 2. exd5 is played, and not where 2. ... Qxd5 is
    samples = taken(SCANDINAVIAN).samples()
    assert sorted(samples.results) == [0, 0, 1, 1]
    # nor where a knight could be taken for nothing
    assert len(taken(record("1-0", "e2e4", "g8f6", "b1c3", "f6d5", "a2a3"))) == 4


def test_threatened_positions_are_not_quiet() -> None:
    check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert [
        len(taken(record("1/2-1/2", move, start=start))) for move, start in zip(("e1f1", "e1f1"), check, strict=True)
    ] == [0, 1]


def test_features_are_those_of_the_positions() -> None:
    samples = taken(record("1/2-1/2", "e2e4", "e7e5")).samples()
    positions = list(record("1/2-1/2", "e2e4", "e7e5").positions())[:2]
    expected = [HOUSE.score(CHESS.vector(position.state, HOUSE)) for position in positions]
    weighed = scores(samples, np.array(HOUSE.weights, np.float64))
    assert sorted(np.floor(weighed + 0.5)) == sorted(expected)
    assert samples.results.tolist() == [0.5, 0.5]
    assert samples.searched.tolist() == [25, 25]
    assert samples.games.tolist() == [0, 0]


def test_moves_of_the_opening_are_left_out() -> None:
    assert len(taken(replace(record("1-0", "e7e5"), opening=("e2e4",)))) == 1


def test_excluded_positions_are_never_taken() -> None:
    start = CHESS.look(CHESS.start())
    assert len(taken(record("1-0", "e2e4", "e7e5"), excluded={start.key})) == 1


def test_no_more_are_taken_of_a_game_than_wanted() -> None:
    knights = record("1/2-1/2", *["g1f3", "g8f6", "f3g1", "f6g8"] * 2)
    assert len(taken(knights)) == 8
    assert len(taken(knights, most=3)) == 3


def test_games_without_a_result_and_other_games_are_left_out() -> None:
    sampler = taken(record("*", "e2e4"))
    sampler.add(replace(record("1-0", "11-15"), game="checkers"))
    assert (len(sampler), sampler.count) == (0, 0)
    with pytest.raises(ValueError, match="no quiet position"):
        sampler.samples()


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        taken(record("1-0", "e2e5"))
