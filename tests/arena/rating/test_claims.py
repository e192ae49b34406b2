# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of claims against exact probabilities, and against honest demes that report the luckiest of many members."""

from collections.abc import Iterator
from math import comb
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.rating.claims import CLAIMED, DOUBTFUL, PORTION, PORTIONS, REFUTED, decided, divergence, likelihood, verdict

SCORES = st.floats(0, 1)


def binomial(n: int, p: float) -> list[float]:
    """Return the probability of each number of wins."""
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def outcomes(n: int, m: int, p: float) -> Iterator[tuple[float, float]]:
    """Yield all that an honest claim of n and a trial of m can come to: its probability, and the likelihood said."""
    for won, chance in enumerate(binomial(n, p)):
        for tried, other in enumerate(binomial(m, p)):
            yield chance * other, likelihood(won / n, n, tried / m, m) / PORTIONS


@pytest.mark.parametrize("p", [0.03, 0.2, 0.5, 0.8, 0.97])
@pytest.mark.parametrize(("n", "m"), [(8, 8), (20, 40), (40, 16)])
def test_an_honest_claim_is_as_unlikely_as_said_at_most(n: int, m: int, p: float) -> None:
    every = list(outcomes(n, m, p))
    assert sum(chance for chance, _ in every) == pytest.approx(1)
    for bound in (0.05, 0.01, 1e-3, 1e-5):
        assert sum(chance for chance, said in every if said <= bound) <= bound


def test_the_luckiest_of_many_honest_members_is_not_refuted() -> None:
    random, members, pairs = Random(8), 20, 8
    verdicts = []
    for _ in range(3_000):
        p = random.random()
        best = max(sum(random.random() < p for _ in range(pairs)) for _ in range(members)) / pairs
        won, chance = 0, 1.0
        for portion in range(1, PORTIONS + 1):
            won += sum(random.random() < p for _ in range(PORTION))
            tried = portion * PORTION
            chance = likelihood(best, pairs, won / tried, tried, members=members)
            if decided(chance, tried):
                break
        verdicts.append(verdict(chance))
    assert verdicts.count("refuted") == 0
    assert verdicts.count("doubtful") / len(verdicts) <= DOUBTFUL


@pytest.mark.parametrize(
    ("claimed", "pairs", "true", "expected"),
    [
        (1.0, 40, 0.0, "refuted"),
        (0.95, 20, 0.1, "refuted"),
        (0.9, 40, 0.35, "refuted"),
        (0.9, 40, 0.4, "doubtful"),
        (0.6, 40, 0.5, "confirmed"),
    ],
)
def test_liars_are_found(claimed: float, pairs: int, true: float, expected: str) -> None:
    most = PORTION * PORTIONS
    assert verdict(likelihood(claimed, pairs, true, most, members=20)) == expected


@given(SCORES, SCORES, st.integers(1, 300), st.integers(1, 96), st.integers(1, 100))
def test_it_is_a_likelihood(claimed: float, tried: float, pairs: int, tried_pairs: int, members: int) -> None:
    found = likelihood(claimed, pairs, tried, tried_pairs, members=members)
    assert 0 <= found <= 1
    assert found >= likelihood(claimed, pairs, tried, tried_pairs)
    if tried >= claimed:
        assert found == 1
    assert likelihood(claimed, CLAIMED, tried, tried_pairs) == likelihood(claimed, 10 * CLAIMED, tried, tried_pairs)


@given(SCORES, SCORES, SCORES, st.integers(1, 200), st.integers(1, 96))
def test_the_common_score_explains_both_best(x: float, y: float, other: float, n: int, m: int) -> None:
    assume(0 < other < 1)
    common = (n * x + m * y) / (n + m)

    def strength(p: float) -> float:
        return n * divergence(x, p) + m * divergence(y, p)

    assert strength(common) <= strength(other) + 1e-9


def test_a_divergence_is_what_it_is() -> None:
    assert divergence(0.5, 0.5) == 0
    assert divergence(1.0, 0.25) == pytest.approx(1.3862943611)
    assert divergence(0.5, 0.25) == pytest.approx(0.1438410362)
    assert divergence(0.5, 0.0) == float("inf")


def test_a_trial_goes_on_while_a_claim_is_doubtful() -> None:
    assert decided(1.0, PORTION)
    assert decided(REFUTED / 2, PORTION)
    assert not decided(REFUTED * 2, PORTION)
    assert decided(REFUTED * 2, PORTION * PORTIONS)
