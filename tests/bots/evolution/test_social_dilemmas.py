# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics of social dilemmas: shares of infinite populations, fixation in small ones, and memory-one genomes."""

import pytest

from bots.data.player import maker
from bots.evolution.breeding import VERSION, Breed
from bots.evolution.genome import Genotype
from bots.evolution.kinds.matrix import MIXED, PURE
from bots.evolution.kinds.memory_one import KINDS, MEMORY_ONE, NAMED, NOISE, REACTIVE, strategy_of
from bots.evolution.matrix import Matrix
from bots.evolution.population import Result
from bots.strategies.catalogue import named
from bots.strategies.expected import expected_payoffs

CHICKEN = Matrix(("dare", "yield"), ((0.0, 7.0), (2.0, 6.0)))


def run(breed: Breed, generations: int) -> list[float]:
    """Return the shares after some generations."""
    [population] = breed.begin()
    for _ in range(generations):
        population = breed.advance(population, [])
    return list(breed.genes.shares([member.genotype for member in population.members]).values())


@pytest.mark.parametrize("dynamics", ["ecological", "replicator"])
def test_shares_reach_the_mixed_equilibrium(dynamics: str) -> None:
    # 7 (1 - x) = 2 x + 6 (1 - x)
    matrix = Matrix(CHICKEN.names, CHICKEN.payoffs, {"dare": 9, "yield": 1})
    assert run(Breed(VERSION, MIXED, dynamics, 1, 0, matrix=matrix), 4000) == pytest.approx([1 / 3, 2 / 3], abs=1e-6)


def test_the_replicator_follows_its_equation() -> None:
    breed = Breed(VERSION, MIXED, "replicator", 1, 0, options={"step": 0.001}, matrix=CHICKEN)
    share = 0.5
    for _ in range(1000):
        rates = CHICKEN.against([share, 1 - share])
        step = 0.001 / 7
        share += step * share * (rates[0] - share * rates[0] - (1 - share) * rates[1])
    assert run(breed, 1000)[0] == pytest.approx(share, abs=1e-3)


def test_dynamics_of_shares_refuse_what_has_none() -> None:
    negative = Matrix(("a", "b"), ((-1.0, 0.0), (0.0, 0.0)))
    with pytest.raises(ValueError, match="0 or more"):
        Breed(VERSION, MIXED, "ecological", 1, 0, matrix=negative).begin()
    for schema, matrix in ((PURE, CHICKEN), (MEMORY_ONE, None)):
        with pytest.raises(ValueError, match="no shares"):
            Breed(VERSION, schema, "replicator", 2, 0, matrix=matrix).begin()


def fixation(matrix: Matrix, size: int) -> float:
    """Return the probability that one member with the first strategy takes over (S. Karlin and H. M. Taylor, 1975)."""
    (a, b), (c, d) = matrix.payoffs
    total = product = 1.0
    for count in range(1, size):
        first = (a * (count - 1) + b * (size - count)) / (size - 1)
        second = (c * count + d * (size - count - 1)) / (size - 1)
        product *= second / first
        total += product
    return 1 / total


def test_proportional_moran_fixation_is_the_exact_one() -> None:
    size, runs, fixed = 6, 400, 0
    matrix = Matrix(CHICKEN.names, ((1.0, 7.0), (2.0, 6.0)), {"dare": 1, "yield": size - 1})
    for seed in range(runs):
        breed = Breed(VERSION, PURE, "moran", size, seed, options={"proportional": 1.0}, matrix=matrix)
        [population] = breed.begin()
        while len({member.program for member in population.members}) > 1:
            results = [Result(*pair, (0.5, 0.5)) for pair in breed.pairs(population)]
            population = breed.advance(population, results)
        fixed += population.members[0].program == ("dare",)
    expected = fixation(matrix, size)
    assert abs(fixed / runs - expected) < 4 * (expected * (1 - expected) / runs) ** 0.5


def test_memory_one_genomes_are_compared_by_expected_payoff() -> None:
    kind = KINDS[REACTIVE]
    members = [Genotype((1.0, 1.0, 0.0)), Genotype((0.0, 0.0, 0.0)), Genotype((1.0, 1.0, 1.0))]
    field = [named(name).numbers for name in ("tit-for-tat", "defector", "cooperator")]
    payoffs = expected_payoffs(field, noise=NOISE)
    expected = [(payoffs[row].sum() - payoffs[row, row]) / 2 for row in range(3)]
    assert kind.payoffs(members) == pytest.approx(expected)


def test_a_bred_strategy_is_a_bot() -> None:
    content = KINDS[MEMORY_ONE].file(Genotype((1.0, 0.9, 0.1, 0.8, 0.2)), {}).encode()
    strategy = strategy_of(content, "bred")
    assert strategy.numbers == (1.0, 0.9, 0.1, 0.8, 0.2)
    bot = maker(content, "bred")()
    assert (bot.name, bot.games) == ("bred", ("dilemma",))
    for wrong in (b"{}", content.replace(b"0.9", b"1.9"), content.replace(b'"CC"', b'"XX"')):
        with pytest.raises(ValueError, match=r"genome|genes|CC"):
            strategy_of(wrong, "bred")


def test_a_census_counts_members_for_the_nearest_named_strategy() -> None:
    kind = KINDS[MEMORY_ONE]
    probabilities = [(1.0, 0.1, 1.0, 0.0), (1.0, 0.0, 1.0, 0.1), (0.1, 0.0, 0.0, 0.0), (0.9, 0.1, 0.2, 0.8)]
    found = kind.census([Genotype((1.0, *numbers)) for numbers in probabilities])
    assert found is not None
    assert found.names == ("tit-for-tat", "defector", "pavlov")
    assert found.shares == (0.5, 0.25, 0.25)
    # the mean member of the first two
    mean = (1.0, 1.0, 0.05, 1.0, 0.05)
    exact = expected_payoffs([mean, (1.0, 0.1, 0.0, 0.0, 0.0), (1.0, 0.9, 0.1, 0.2, 0.8)], noise=NOISE)
    assert found.payoffs == tuple(tuple(pytest.approx(cell) for cell in row) for row in exact)
    for name, numbers in NAMED.items():
        alone = kind.census([Genotype((0.0, *numbers))])
        assert alone is not None
        assert alone.names == (name,)
        if name != "grudger":
            assert named(name).numbers[1:] == numbers
    reactive = KINDS[REACTIVE].census([Genotype((1.0, 1.0, 0.3))])
    assert reactive is not None
    assert reactive.names == ("generous-tit-for-tat",)
