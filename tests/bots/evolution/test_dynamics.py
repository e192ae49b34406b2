# SPDX-License-Identifier: GPL-3.0-or-later
"""The dynamics against steps computed by hand, and against games that are decided by a rule."""

from collections.abc import Callable
from math import sqrt
from statistics import fmean, pstdev

import msgspec
import pytest

from bots.evolution.dynamics import DYNAMICS as EVERY
from bots.evolution.dynamics.dynamic import Dynamic, medoid
from bots.evolution.dynamics.spsa import scales
from bots.evolution.genome import SCHEMAS, Values
from bots.evolution.operators import chance_for
from bots.evolution.population import (
    VERSION,
    Member,
    Population,
    Result,
    deviations,
    founded,
    means,
    read,
    write,
)

CHESS = SCHEMAS["chess/men-and-mobility"]
DYNAMICS = {name: dynamic for name, dynamic in EVERY.items() if dynamic.rounds is None and not dynamic.infinite}
"""Those that choose by games between members; shares of an infinite population play none."""
KENDALL_WHITWELL = DYNAMICS["kendall-whitwell"]
KNIGHT, QUEEN = 1, 4


def of_knights(*knights: float) -> Population:
    """Return a population whose members differ in what they hold of knights, and in nothing else."""
    members = [Member(number, (1, knight, 3, 5, 9, 100, 0.1), 0, "random") for number, knight in enumerate(knights)]
    return Population(VERSION, CHESS.name, CHESS.version, 0, tuple(members), len(members))


def next_of(dynamic: Dynamic, population: Population, results: list[Result], seed: int = 1) -> Population:
    return dynamic.advance(CHESS, population, results, seed, dynamic.options)


# ---------------------------------------------------------------- Kendall and Whitwell


def test_two_wins_leave_the_winner_and_put_a_mutant_in_the_loser_s_place() -> None:
    before = of_knights(2, 4, 6, 8)
    after = next_of(KENDALL_WHITWELL, before, [Result(0, 1, (1, 1)), Result(2, 3, (0, 0))])
    assert (after.generation, after.games, after.next_number) == (1, 4, 6)
    assert after.members[0] == before.members[0]
    assert after.members[3] == before.members[3]
    for place, parent in ((1, 0), (2, 3)):
        child = after.members[place]
        assert (child.origin, child.parents, child.born) == ("mutant", (parent,), 1)
        # σ of 2, 4, 6 and 8 is √5; the draw is from -1/2 to 1/2, the factor 2
        moved = child.values[KNIGHT] - before.members[parent].values[KNIGHT]
        assert 0 < abs(moved) <= sqrt(5)
        assert child.values[:KNIGHT] + child.values[KNIGHT + 1 :] == (1, 3, 5, 9, 100, 0.1)


@pytest.mark.parametrize(
    ("scores", "factors", "origins"),
    [
        ((1, 1), (0, 2), (None, "mutant")),
        ((1, 0.5), (0.2, 1), ("drift", "mutant")),
        ((0.5, 1), (0.2, 1), ("drift", "mutant")),
        ((0.5, 0), (1, 0.2), ("mutant", "drift")),
        ((0.5, 0.5), (0.5, 0.5), ("drift", "drift")),
        ((1, 0), (0.5, 0.5), ("drift", "drift")),
        ((0, 1), (0.5, 0.5), ("drift", "drift")),
        ((0, 0), (2, 0), ("mutant", None)),
    ],
)
def test_the_factor_follows_from_the_result(
    scores: tuple[float, float], factors: tuple[float, float], origins: tuple[str | None, str | None]
) -> None:
    before = of_knights(3, 5)  # σ is 1
    parents = (0, 1) if sum(scores) == 1 else (0, 0) if sum(scores) > 1 else (1, 1)
    moves: tuple[list[float], list[float]] = ([], [])
    for seed in range(300):
        after = next_of(KENDALL_WHITWELL, before, [Result(0, 1, scores)], seed)
        for side in (0, 1):
            member = after.members[side]
            assert member.origin == (origins[side] or "random")
            moves[side].append(member.values[KNIGHT] - before.members[parents[side]].values[KNIGHT])
    for own, factor in zip(moves, factors, strict=True):
        assert max(map(abs, own)) <= factor / 2
        assert max(map(abs, own)) >= 0.48 * factor
        assert abs(fmean(own)) <= 0.1 * factor
        assert pstdev(own) == pytest.approx(factor / sqrt(12), rel=0.1)


def test_a_step_drawn_by_hand() -> None:
    after = next_of(KENDALL_WHITWELL, of_knights(3, 5), [Result(0, 1, (1, 1))], seed=7)
    chance = chance_for(7, 0, "mutation")
    draws = [chance.uniform(-0.5, 0.5) for _ in CHESS.genes]
    assert after.members[1].values[KNIGHT] == 3 + draws[KNIGHT] * 1.0 * 2


def test_pairs_are_disjoint_and_another_draw_each_generation() -> None:
    population = founded(CHESS, 51, chance_for(1))
    first = KENDALL_WHITWELL.pairs(population, 1, KENDALL_WHITWELL.options)
    assert len(first) == 25
    assert len({number for pair in first for number in pair}) == 50
    assert KENDALL_WHITWELL.pairs(population, 1, KENDALL_WHITWELL.options) == first
    later = msgspec.structs.replace(population, generation=1)
    assert KENDALL_WHITWELL.pairs(later, 1, KENDALL_WHITWELL.options) != first


def test_the_walk_goes_along_adjacent_pairs() -> None:
    population, options = of_knights(2, 4, 6), {"walk": 1.0}
    seen = []
    for _ in range(4):
        (pair,) = KENDALL_WHITWELL.pairs(population, 1, options)
        seen.append(tuple(population.members.index(population.member(number)) for number in pair))
        population = KENDALL_WHITWELL.advance(CHESS, population, [Result(*pair, (1, 1))], 1, options)
    assert seen == [(0, 1), (1, 2), (0, 1), (1, 2)]


# ---------------------------------------------------------------- all dynamics


WISHED = 4.0


def by_nearness(values: Values, other: Values) -> tuple[float, float]:
    """Return what one scores against another where who holds knights nearer to 4, and queens to 9, wins."""

    def distance(one: Values) -> float:
        return abs(one[KNIGHT] - WISHED) + abs(one[QUEEN] - 9)

    lead = distance(other) - distance(values)
    score = 1.0 if lead > 0.02 else 0.0 if lead < -0.02 else 0.5
    return score, score


def evolved(
    dynamic: Dynamic, generations: int, judge: Callable[[Values, Values], tuple[float, float]], seed: int = 3
) -> list[Population]:
    """Return the generations that come of a rule by which games are decided."""
    options = {**dynamic.options, **({"generations": float(generations)} if "generations" in dynamic.options else {})}
    population = dynamic.begin(CHESS, 24, seed, options)
    found = [population]
    for _ in range(generations):
        pairs = dynamic.pairs(population, seed, options)
        results = [
            Result(first, second, judge(population.member(first).values, population.member(second).values))
            for first, second in pairs
        ]
        population = dynamic.advance(CHESS, population, results, seed, options)
        found.append(population)
    return found


@pytest.mark.parametrize("name", DYNAMICS)
def test_dynamics_find_winning_genes_and_keep_a_complete_lineage(name: str) -> None:
    dynamic = DYNAMICS[name]
    every = evolved(dynamic, 150, by_nearness)
    best = dynamic.best(every[-1]).values
    assert best[KNIGHT] == pytest.approx(WISHED, abs=0.8), best
    assert best[QUEEN] == pytest.approx(9, abs=0.8), best
    assert best[0] == 1
    assert best[5] == 100
    born: dict[int, Member] = {}
    for population in every:
        for member in population.members:
            born.setdefault(member.number, member)
            assert born[member.number] == member, "a member never changes"
            assert CHESS.check(member.values) == member.values
            # who was born and died within a generation is seen in none
            assert all(parent in born or name == "moran" for parent in member.parents)
            assert all(parent < member.number for parent in member.parents)
        assert read(write(population)) == population
        assert len({member.number for member in population.members}) == len(population.members)
    assert evolved(dynamic, 150, by_nearness)[-1] == every[-1]
    assert evolved(dynamic, 150, by_nearness, seed=4)[-1] != every[-1]


@pytest.mark.parametrize("name", ["kendall-whitwell", "moran"])
def test_sigma_shrinks_where_better_genes_win(name: str) -> None:
    every = evolved(DYNAMICS[name], 150, by_nearness)
    spread = [deviations(population.members)[KNIGHT] for population in every]
    assert spread[0] > 2.5
    assert spread[-1] < 0.1 * spread[0]


def test_a_generation_is_a_function_of_the_saved_population() -> None:
    for dynamic in DYNAMICS.values():
        every = evolved(dynamic, 6, by_nearness)
        again = read(write(every[3]))
        options = {**dynamic.options, **({"generations": 6.0} if "generations" in dynamic.options else {})}
        pairs = dynamic.pairs(again, 3, options)
        results = [
            Result(first, second, by_nearness(again.member(first).values, again.member(second).values))
            for first, second in pairs
        ]
        assert dynamic.advance(CHESS, again, results, 3, options) == every[4], dynamic.name


# ---------------------------------------------------------------- the others, by hand


def test_moran_gives_birth_to_the_fit_and_lets_anybody_die() -> None:
    dynamic = DYNAMICS["moran"]
    population = of_knights(2, 4, 6, 8)
    parents = []
    for seed in range(400):
        after = dynamic.advance(
            CHESS, population, [Result(0, 1, (1, 1)), Result(2, 3, (0.5, 0.5))], seed, dynamic.options
        )
        assert len(after.members) == 4
        parents += [member.parents[0] for member in after.members if member.born == 1 and member.parents[0] < 4]
    shares = [parents.count(number) / len(parents) for number in range(4)]
    # e^4 : 1 : e^2 : e^2 at the first birth; less at the second, after a death
    assert shares[0] == pytest.approx(0.78, abs=0.1)
    assert shares[1] < 0.05


def test_spsa_takes_the_step_that_it_shall() -> None:
    dynamic = DYNAMICS["spsa"]
    options = {**dynamic.options, "step": 0.05, "c": 0.1, "generations": 10.0}
    population = dynamic.begin(CHESS, 2, 1, options)
    theta, up, down = population.members
    ((knight_sign, queen_sign),) = [(signs[KNIGHT], signs[QUEEN]) for signs in population.state["signs"]]
    # genes are measured by twice where they stand, which is 6 at first
    assert up.values[KNIGHT] - theta.values[KNIGHT] == pytest.approx(knight_sign * 0.1 * 12)
    assert down.values[QUEEN] - theta.values[QUEEN] == pytest.approx(-queen_sign * 0.1 * 12)
    after = dynamic.advance(CHESS, population, [Result(up.number, down.number, (1, 0.5))], 1, options)
    # half a point where luck is 0.7: so much of a step of 0.05 · 12
    step = 0.05 * 12 * 0.5 / 0.7
    assert after.members[0].values[KNIGHT] == pytest.approx(6 + knight_sign * step)
    up, down = after.members[1:]
    later = dynamic.advance(CHESS, after, [Result(up.number, down.number, (1, 0.5))], 1, options)
    moved = later.members[0].values[KNIGHT] / after.members[0].values[KNIGHT] - 1
    # A = 1: (A + 1)^α / (A + 2)^α, and trials nearer by 2^γ say more of the slope
    assert abs(moved) == pytest.approx(2 * 0.05 * 0.5 / 0.7 * (2 / 3) ** 0.602 * 2**0.101)


def test_spsa_measures_a_gene_that_is_near_nothing_by_where_it_began() -> None:
    assert scales(CHESS, (1, 6, 0, -3, 0.1, 100, 0.001)) == pytest.approx([2, 12, 0.12, 6, 0.2, 200, 0.12])


def test_a_generation_of_tournaments_keeps_its_elite() -> None:
    dynamic = DYNAMICS["generational"]
    population = dynamic.begin(CHESS, 6, 1, dynamic.options)
    pairs = dynamic.pairs(population, 1, dynamic.options)
    results = [Result(first, second, (1, 1)) for first, second in pairs]
    winners = sorted(first for first, _ in pairs)
    after = dynamic.advance(CHESS, population, results, 1, dynamic.options)
    assert [member.number for member in after.members[:2]] == winners[:2]
    assert all(member.step and member.step > 0 for member in after.members)
    assert len(after.members) == 6


def test_the_medoid_is_nearest_to_the_mean() -> None:
    population = of_knights(2, 3, 10)
    assert means(population.members)[KNIGHT] == 5
    assert medoid(population).number == 1


@pytest.mark.parametrize(("name", "size"), [("kendall-whitwell", 1), ("cma-es", 3), ("spsa", 1)])
def test_too_few_members_are_refused(name: str, size: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        DYNAMICS[name].begin(CHESS, size, 1, DYNAMICS[name].options)
