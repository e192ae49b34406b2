# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies: bots play what bulk matches play, and expected payoffs are those of many matches."""

import numpy as np
import pytest

from bots.bot import Turn
from bots.built_in.kinds import catalogue, seed
from bots.strategies.bulk import DILEMMA, choice, play, round_robin, seed_of
from bots.strategies.catalogue import STRATEGIES, memory_one, named
from bots.strategies.expected import expected_payoffs
from engine.games import find
from engine.match.machine import Match


def replayed(first: str, second: str, number: int, noise: float = 0.0) -> None:
    """Check that each choice of a bulk match without noise follows from the actions before it."""
    one, other = play(named(first), named(second), seed=number, noise=noise)
    for seat, (name, own, theirs) in enumerate(((first, one, other), (second, other, one))):
        found = [
            choice(named(name), own[:turn], theirs[:turn], rounds=200, seed=seed_of(number, seat), payoffs=DILEMMA)
            for turn in range(0, 200, 7)
        ]
        assert found == own[::7]


def test_every_strategy_replays_its_bulk_matches() -> None:
    for number, strategy in enumerate(STRATEGIES):
        replayed(strategy.name, STRATEGIES[(number + 5) % len(STRATEGIES)].name, number)


def test_the_referee_and_a_bulk_match_agree() -> None:
    names = ("tideman-chieruzzi", "shubik")
    match = Match(find("dilemma"))
    bots = [catalogue()[name].make() for name in names]
    while match.to_move is not None:
        seat = match.to_move
        observed = match.observe(seat).position
        turn = Turn(
            match=1, game="dilemma", ply=match.ply_of(seat), position=observed, seat=seat,
            last_move=None, legal_moves=match.legal_of(seat),
        )  # fmt: skip
        match.play(seat, bots[seat].move(turn))  # type: ignore[arg-type]  # these bots return texts
    own, other = play(*map(named, names))
    points = round_robin([named(name) for name in names], repetitions=1).payoffs
    assert match.ending is not None
    assert match.ending.payoffs == (points[0, 1], points[1, 0])
    assert [moved.move for moved in match.moves[::2]] == ["CD"[action] for action in own]
    assert [moved.move for moved in match.moves[1::2]] == ["CD"[action] for action in other]
    assert seed(1, names[0], 0) != seed(1, names[1], 0)


def test_expected_payoffs_are_the_means_of_many_matches() -> None:
    names = ["joss", "generous-tit-for-tat", "zd-extort-2", "coin", "pavlov"]
    strategies = [named(name) for name in names]
    found = round_robin(strategies, rounds=50, repetitions=400, noise=0.02, seed=1)
    expected = expected_payoffs([strategy.numbers for strategy in strategies], rounds=50, noise=0.02) * 50
    error = found.points.std(axis=0, ddof=1) / np.sqrt(400)
    assert (np.abs(found.payoffs - expected) < 5 * error + 1e-9).all()


def test_zero_determinant_strategies_enforce_their_relation() -> None:
    others = np.random.default_rng(1).random((6, 5))
    for name, slope, baseline in (("zd-extort-2", 0.5, 1.0), ("zd-extort-4", 0.25, 1.0), ("zd-gtft-2", 0.5, 3.0)):
        field = [named(name).numbers, *map(tuple, others)]
        payoffs = expected_payoffs(field, rounds=2_000)
        assert payoffs[1:, 0] - baseline == pytest.approx(slope * (payoffs[0, 1:] - baseline), abs=0.02)
    payoffs = expected_payoffs([named("zd-set-2").numbers, *map(tuple, others)], rounds=2_000)
    assert payoffs[1:, 0] == pytest.approx(2.0, abs=0.02)


def test_both_seats_of_a_match_get_the_same_strategies() -> None:
    pair = [named("tit-for-tat"), named("defector")]
    assert round_robin(pair, repetitions=1).payoffs.tolist() == [[600.0, 199.0], [204.0, 200.0]]
    scores = round_robin(pair, repetitions=1)
    assert scores.scores().tolist() == [[399.5, 202.0]]
    assert scores.scores(self_play=False).tolist() == [[199.0, 204.0]]


@pytest.mark.parametrize(
    ("probabilities", "first", "message"),
    [((1, 0, 1), 1.0, "has 4 probabilities"), ((1, 0, 1, 2), 1.0, "from 0 to 1"), ((1, 0, 1, 0), -1.0, "from 0 to 1")],
)
def test_numbers_that_are_no_probabilities_are_refused(
    probabilities: tuple[float, ...], first: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        memory_one("bad", probabilities, first)


def test_an_unknown_strategy_and_settings_out_of_range_are_refused() -> None:
    with pytest.raises(KeyError, match="there are tit-for-tat"):
        named("nobody")
    for settings in ({"rounds": 0}, {"repetitions": 0}, {"noise": 1.5}):
        with pytest.raises(ValueError, match=r"needs|probability"):
            round_robin(STRATEGIES[:2], **settings)
