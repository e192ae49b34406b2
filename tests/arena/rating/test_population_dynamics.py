# SPDX-License-Identifier: GPL-3.0-or-later
"""Population dynamics against the Axelrod library's own runs, closed forms and properties."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.population_dynamics import DYNAMICS, FIXED, course, invaders, mean_results
from tests.axelrod_library import library, peer, tournament

TURNS, RUNS = 200, 100
NAMES = ("tit-for-tat", "defector", "cooperator", "grudger", "alternator", "tit-for-two-tats", "pavlov", "gradual")


def test_ecological_shares_are_those_of_the_library() -> None:
    players = [peer(name) for name in NAMES]
    axl = library()
    results = axl.Tournament(players, turns=TURNS, repetitions=2, seed=1).play(progress_bar=False)
    begun = [3.0, 4.0, 2.0, 1.0, 2.0, 1.0, 1.0, 1.0]
    system = axl.Ecosystem(results, population=begun)
    system.reproduce(80)
    payoffs = tournament(NAMES, repetitions=2, seed=1).mean(axis=2).tolist()
    ours = course(payoffs, "ecological", 80, start=begun)
    assert np.allclose(ours.shares, system.population_sizes, atol=1e-12)
    # the payoffs did not stay as they were at the start
    assert max(abs(one - other) for one, other in zip(ours.shares[0], ours.shares[-1], strict=True)) > 0.1


def fixations(names: tuple[str, ...], members: tuple[int, ...], runs: int) -> tuple[Counter[str], Counter[str]]:
    """Return how often each strategy takes over: in our Moran process, and in the library's."""
    payoffs = tournament(names, repetitions=1, seed=1)[:, :, 0].tolist()
    axl = library()
    cache = axl.DeterministicCache()
    own, theirs = Counter[str](), Counter[str]()
    for seed in range(runs):
        found = course(payoffs, "moran", 500, members=sum(members), start=members, seed=seed)
        assert found.fixed is not None
        own[names[found.fixed[0]]] += 1
        players = [peer(name) for name, count in zip(names, members, strict=True) for _ in range(count)]
        process = axl.MoranProcess(players, turns=TURNS, seed=seed + 1, deterministic_cache=cache)
        process.play()
        theirs[process.winning_strategy_name] += 1
    titles = {str(peer(name)): name for name in names}
    return own, Counter({titles[title]: count for title, count in theirs.items()})


@pytest.mark.long
@pytest.mark.parametrize(
    ("names", "members"),
    [
        (("tit-for-tat", "defector"), (2, 4)),
        (("cooperator", "defector"), (5, 1)),
        (("tit-for-tat", "defector", "alternator"), (2, 2, 2)),
    ],
)
def test_moran_fixations_are_as_frequent_as_the_library_s(names: tuple[str, ...], members: tuple[int, ...]) -> None:
    own, theirs = fixations(names, members, RUNS)
    for name in names:
        both = (own[name] + theirs[name]) / (2 * RUNS)
        # four standard errors of the difference of two shares
        assert abs(own[name] - theirs[name]) / RUNS <= 4 * (both * (1 - both) * 2 / RUNS) ** 0.5 + 1e-9


def test_moran_fixation_of_neutral_strategies_is_their_share() -> None:
    even = [[1.0, 1.0], [1.0, 1.0]]
    winners = [course(even, "moran", 400, members=5, start=(1, 4), seed=seed).fixed for seed in range(400)]
    won = sum(winner is not None and winner[0] == 0 for winner in winners)
    assert abs(won / 400 - 1 / 5) < 4 * (0.2 * 0.8 / 400) ** 0.5


MATRICES = st.integers(2, 5).flatmap(
    lambda size: st.lists(st.lists(st.floats(0.1, 9), min_size=size, max_size=size), min_size=size, max_size=size)
)


@given(MATRICES, st.sampled_from(DYNAMICS))
def test_shares_stay_shares(payoffs: list[list[float]], dynamics: str) -> None:
    found = course(payoffs, dynamics, 30, members=12)
    assert len(found.shares) == 31
    for row in found.shares:
        assert sum(row) == pytest.approx(1)
        assert min(row) >= 0
    if found.fixed is not None:
        winner, since = found.fixed
        assert all(row[winner] >= FIXED for row in found.shares[since:])
        assert since == 0 or found.shares[since - 1][winner] < 1
    for place, gone in enumerate(found.extinct):
        if gone is not None:
            assert all(row[place] <= 0.001 for row in found.shares[gone:])


@given(MATRICES)
def test_a_rare_invader_grows_and_others_do_not(payoffs: list[list[float]]) -> None:
    for resident, found in enumerate(invaders(payoffs)):
        for other in range(len(payoffs)):
            if other == resident or abs(payoffs[other][resident] - payoffs[resident][resident]) < 1e-3:
                continue
            start = [1e-9 if place == other else 1.0 if place == resident else 0.0 for place in range(len(payoffs))]
            shares = course(payoffs, "replicator", 1, start=start).shares
            assert (shares[1][other] > shares[0][other]) == (other in found)


def test_invasions_of_the_dilemma() -> None:
    # cooperate, defect, and a strategy that does as well as cooperators among them
    payoffs = [[3.0, 0.0, 3.0], [5.0, 1.0, 1.2], [3.0, 0.9, 3.0]]
    assert invaders(payoffs) == [[1], [], []]
    # a tie with the residents, and more among themselves
    assert invaders([[1.0, 1.0], [1.0, 2.0]]) == [[1], []]


def test_what_the_dynamics_do_not_take_is_refused() -> None:
    negative = [[0.0, -1.0], [1.0, 0.0]]
    for dynamics in ("ecological", "moran"):
        with pytest.raises(ValueError, match="0 or more"):
            course(negative, dynamics)
    fixed = course(negative, "replicator").fixed
    assert fixed is not None
    assert fixed[0] == 1
    with pytest.raises(ValueError, match="2 strategies or more"):
        course([[1.0]], "replicator")
    with pytest.raises(ValueError, match="1 to 10,000"):
        course(negative, "replicator", 0)
    with pytest.raises(ValueError, match="3 to 1,000 members"):
        course([[1.0] * 3] * 3, "moran", members=2)


def test_mean_results_have_both_seats_and_self_play() -> None:
    games = [(0, 1, 3.0, 0.0), (1, 0, 1.0, 2.0), (1, 1, 4.0, 2.0)]
    assert mean_results(2, games) == [[None, 2.5], [0.5, 3.0]]
