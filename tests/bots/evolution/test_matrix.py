# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies of a payoff matrix: closed forms of fixation and of stable strategies, files, and refusals."""

import re
from collections.abc import Sequence
from itertools import accumulate
from math import exp, sqrt
from operator import mul
from pathlib import Path
from statistics import fmean

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournaments.view import BoutView, GameView, TournamentView
from bots.evolution import matrix as matrices
from bots.evolution.breeding import VERSION, Breed, Generation, arenas_of, first, played
from bots.evolution.dynamics import DYNAMICS
from bots.evolution.genome import Genotype
from bots.evolution.islands import Guest
from bots.evolution.kinds import family_of, names_of
from bots.evolution.kinds.matrix import MIXED, NAMES, PURE
from bots.evolution.matrix import MOST_BYTES, MOST_STRATEGIES, Matrix, parse, read
from bots.evolution.population import Population, Result

HAWK, DOVE = "hawk", "dove"
ROCK_PAPER_SCISSORS = Matrix(("rock", "paper", "scissors"), ((0, -1, 1), (1, 0, -1), (-1, 1, 0)))
SELECTION = 0.5
MORAN = DYNAMICS["moran"]


def hawk_dove(value: float, cost: float, start: dict[str, int] | None = None, mutation: float = 0.0) -> Matrix:
    """Return the matrix of J. Maynard Smith and G. R. Price: a prize is shared or fought for."""
    payoffs = (((value - cost) / 2, value), (0.0, value / 2))
    return Matrix((HAWK, DOVE), payoffs, start or {}, mutation)


def evolved(breed: Breed, generations: int) -> list[Generation]:
    """Return the generations of a run."""
    found = [first(breed)]
    with arenas_of(breed, 1) as arenas:
        for _ in range(generations):
            found.append(played(breed, [one.population for one in found[-1]], arenas))
    return found


def shares(breed: Breed, generation: Generation) -> dict[str, float]:
    return breed.genes.shares([member.genotype for member in generation[0].population.members])


# ---------------------------------------------------------------- the Moran process


def fixation(matrix: Matrix, size: int, selection: float) -> float:
    """Return the probability that the first strategy takes over from one member (M. A. Nowak, "Evolutionary Dynamics",
    2006): 1 / (1 + sum over k of the product over i to k of g/f), with fitness e^(selection times payoff).
    """
    (a, b), (c, d) = matrix.payoffs
    ratios = []
    for i in range(1, size):
        own = (a * (i - 1) + b * (size - i)) / (size - 1)
        other = (c * i + d * (size - i - 1)) / (size - 1)
        ratios.append(exp(selection * (other - own)))
    return 1 / (1 + sum(accumulate(ratios, mul)))


def births(population: Population, count: int) -> list[Result]:
    """Return the results of ``count`` pairs. Each pair leads to a birth; its scores do not count."""
    number = population.members[0].number
    return [Result(number, number, (0.5, 0.5))] * count


def taken_over(matrix: Matrix, size: int, selection: float, runs: int) -> float:
    """Return the share of runs in which the first strategy takes over from one member."""
    name, other = matrix.names
    started = msgspec.structs.replace(matrix, start={name: 1, other: size - 1})
    options, won = MORAN.chosen({"selection": selection}), 0
    for seed in range(runs):
        breed = Breed(VERSION, PURE, "moran", size, seed, matrix=started)
        kind, (population,) = breed.genes, breed.begin()
        while len(there := {member.program for member in population.members}) > 1:
            population = MORAN.advance(kind, population, births(population, size), seed, options)
        won += there == {(name,)}
    return won / runs


CASES = [
    pytest.param(hawk_dove(2, 4), 6, SELECTION, id="hawk-dove"),
    pytest.param(Matrix((HAWK, DOVE), ((1.5, 1.5), (1, 1))), 6, 1.0, id="constant"),
    pytest.param(Matrix((HAWK, DOVE), ((3, 0), (5, 1))), 5, SELECTION, id="dilemma"),
]


@pytest.mark.parametrize(("matrix", "size", "selection"), CASES)
def test_a_single_member_takes_over_as_often_as_the_closed_form_says(
    matrix: Matrix, size: int, selection: float
) -> None:
    expected, runs = fixation(matrix, size, selection), 300
    assert taken_over(matrix, size, selection, runs) == pytest.approx(
        expected, abs=3.5 * sqrt(expected * (1 - expected) / runs)
    )


@pytest.mark.long
@pytest.mark.parametrize(("matrix", "size", "selection"), CASES)
def test_the_closed_form_within_a_narrow_interval(matrix: Matrix, size: int, selection: float) -> None:
    expected, runs = fixation(matrix, size, selection), 20_000
    assert taken_over(matrix, size, selection, runs) == pytest.approx(
        expected, abs=3.5 * sqrt(expected * (1 - expected) / runs)
    )


def test_the_closed_form_without_selection_and_with_constant_fitness() -> None:
    assert fixation(hawk_dove(2, 4), 10, 0.0) == pytest.approx(1 / 10)
    ratio = exp(0.5)
    constant = Matrix((HAWK, DOVE), ((1.5, 1.5), (1, 1)))
    assert fixation(constant, 8, 1.0) == pytest.approx((1 - 1 / ratio) / (1 - 1 / ratio**8))


def test_shares_of_rock_paper_scissors_move_as_the_replicator_expects() -> None:
    counts = {"rock": 30, "paper": 20, "scissors": 10}
    size, runs, count = 60, 150, 6
    breed = Breed(VERSION, PURE, "moran", size, 1, matrix=msgspec.structs.replace(ROCK_PAPER_SCISSORS, start=counts))
    kind, (population,) = breed.genes, breed.begin()
    options, results = MORAN.chosen({"selection": 1.0}), births(population, count)
    found: dict[str, list[float]] = {name: [] for name in counts}
    for seed in range(runs):
        after = MORAN.advance(kind, population, results, seed, options)
        for name, share in kind.shares([member.genotype for member in after.members]).items():
            found[name].append(size * share - counts[name])
    names = ROCK_PAPER_SCISSORS.names
    own = [
        sum(payoff * counts[other] for payoff, other in zip(row, names, strict=True)) / (size - 1)
        for row in ROCK_PAPER_SCISSORS.payoffs
    ]
    weights = [counts[name] * exp(payoff) for name, payoff in zip(names, own, strict=True)]
    for name, weight in zip(names, weights, strict=True):
        born, share = weight / sum(weights), counts[name] / size
        error = sqrt(count * (born * (1 - born) + share * (1 - share)) / runs)
        assert fmean(found[name]) == pytest.approx(count * (born - share), abs=3.5 * error + 0.02)


def test_mutation_keeps_all_strategies_and_without_it_one_is_left() -> None:
    start = {"rock": 4, "paper": 4, "scissors": 4}
    for mutation in (0.0, 1.0):
        matrix = msgspec.structs.replace(ROCK_PAPER_SCISSORS, start=start, mutation=mutation)
        last = evolved(Breed(VERSION, PURE, "moran", 12, 1, matrix=matrix), 80)[-1]
        names = {member.program for member in last[0].population.members}
        assert len(names) == (1 if mutation == 0 else 3)


# ---------------------------------------------------------------- stable strategies


@pytest.mark.parametrize("value", [1, 2, 3])
def test_kendall_whitwell_finds_the_stable_strategy_of_a_finite_population(value: int) -> None:
    # M. E. Schaffer, 1988: in a population of N the stable share of hawks is V/C times N/(N - 2)
    size, cost = 20, 4
    breed = Breed(VERSION, MIXED, "kendall-whitwell", size, 1, matrix=hawk_dove(value, cost))
    last = evolved(breed, 50)[-1]
    assert shares(breed, last)[HAWK] == pytest.approx(value / cost * size / (size - 2), abs=0.03)
    assert sum(breed.best(last[0].population).values) == pytest.approx(1)


@pytest.mark.parametrize("dynamics", ["spsa", "moran"])
def test_other_dynamics_of_mixed_strategies_come_near_it(dynamics: str) -> None:
    found = []
    for seed in range(4):
        options = {"generations": 50.0, "average": 1.0} if dynamics == "spsa" else {}
        breed = Breed(VERSION, MIXED, dynamics, 20, seed, options, matrix=hawk_dove(1, 4))
        found.append(shares(breed, evolved(breed, 50)[-1])[HAWK])
    assert 0.15 < fmean(found) < 0.4


def test_pure_hawks_and_doves_come_to_the_stable_share() -> None:
    matrix = hawk_dove(2, 4, {HAWK: 4, DOVE: 36}, mutation=0.01)
    breed = Breed(VERSION, PURE, "moran", 40, 1, matrix=matrix)
    course = [shares(breed, one)[HAWK] for one in evolved(breed, 60)]
    assert course[0] == 0.1
    assert fmean(course[20:]) == pytest.approx(0.5, abs=0.1)


def test_generational_breeds_pure_strategies_until_the_dominant_one_is_left() -> None:
    matrix = Matrix(("defect", "cooperate"), ((1, 5), (0, 3)))
    breed = Breed(VERSION, PURE, "generational", 12, 1, matrix=matrix)
    last = evolved(breed, 12)[-1]
    assert shares(breed, last) == {"defect": 1, "cooperate": 0}
    assert last[0].population.games == 0
    assert breed.best(last[0].population).program == ("defect",)


@given(
    st.lists(st.lists(st.floats(-100, 100), min_size=3, max_size=3), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=2, max_size=9),
)
def test_payoffs_are_the_means_against_the_others(rows: list[list[float]], members: list[int]) -> None:
    matrix = Matrix(("a", "b", "c"), tuple(map(tuple, rows)))
    expected = [
        fmean(rows[own][other] for place, other in enumerate(members) if place != number)
        for number, own in enumerate(members)
    ]
    pure = Breed(VERSION, PURE, "moran", 9, 1, matrix=matrix).genes
    mixed = Breed(VERSION, MIXED, "moran", 9, 1, matrix=matrix).genes
    assert pure.payoffs([Genotype((), ("abc"[one],)) for one in members]) == pytest.approx(expected, abs=1e-9)
    vectors = [tuple(float(place == one) for place in range(3)) for one in members]
    assert mixed.payoffs([Genotype(vector) for vector in vectors]) == pytest.approx(expected, abs=1e-9)


def test_islands_exchange_strategies_and_their_best_members_are_compared() -> None:
    matrix = msgspec.structs.replace(ROCK_PAPER_SCISSORS, mutation=0.1)
    breed = Breed(VERSION, PURE, "moran", 6, 1, islands=2, migration=2, matrix=matrix)
    last = evolved(breed, 6)[-1]
    assert any(member.origin == "immigrant" for one in last for member in one.population.members)
    guest = first(breed, [Guest(1, Genotype((), ("rock",)))])
    assert guest[1].population.members[-1].program == ("rock",)


# ---------------------------------------------------------------- files


def tournament(pairs: Sequence[tuple[int, int, float]], payoff: float | None = None) -> bytes:
    """Return what a tournament prints, shortened: games of two entries, and the first one's score."""
    bouts = [
        {
            "board": 1,
            "first": one,
            "second": other,
            "games": [
                {"slot": "1.1.1", "status": "played", "score": score, "score_second": 1 - score, "payoff": payoff},
                {"slot": "1.1.2", "status": "due", "score": None, "score_second": None, "payoff": None},
            ],
        }
        for one, other, score in pairs
    ]
    bye: dict[str, object] = {"board": 2, "first": 0, "second": None, "games": []}
    return msgspec.json.encode({"id": 1, "entries": ["a", "b", "c"], "rounds": [[*bouts, bye]], "standings": []})


def test_a_matrix_is_read_from_csv_json_tournaments_and_matches(tmp_path: Path) -> None:
    expected = hawk_dove(2, 4)
    texts = {
        "a.csv": ",hawk,dove\nhawk,-1,2\ndove,0,1\n",
        "spaces.csv": "\ufeffx, hawk , dove\r\n\r\nhawk, -1.0, 2\r\ndove,0,1e0\r\n",
        "a.json": '{"names": ["hawk", "dove"], "payoffs": [[-1, 2], [0, 1]], "source": "a book"}',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert read(tmp_path / name) == expected
    won = tournament([(0, 1, 1.0), (1, 0, 0.5), (0, 2, 0.0), (2, 1, 0.5)])
    assert parse(won) == Matrix(("a", "b", "c"), ((0.5, 0.75, 0), (0.25, 0.5, 0.5), (1, 0.5, 0.5)))
    gammons = tournament([(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)], payoff=2.0)
    assert parse(gammons) == Matrix(("a", "b", "c"), ((0, 2, 2), (-2, 0, 2), (-2, -2, 0)))
    assert parse(b'{"bots": ["a", "b"], "score": 0.75}') == Matrix(("a", "b"), ((0.5, 0.75), (0.25, 0.5)))
    assert parse(b'{"bots": ["a", "b"], "score": 1, "payoff": 1.5}') == Matrix(("a", "b"), ((0, 1.5), (-1.5, 0)))


def test_the_read_fields_are_those_that_tournaments_print() -> None:
    for read_fields, printed in ((matrices._Game, GameView), (matrices._Pairing, BoutView)):
        assert set(read_fields.__struct_fields__) <= set(printed.__struct_fields__)
    assert {"entries", "rounds"} <= set(TournamentView.__struct_fields__)


MANY = ",".join(["", *(f"s{number}" for number in range(MOST_STRATEGIES + 1))])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b",a,b\na,1,2\n", "2 strategies need 2 rows (got 1)"),
        (b",a,b\na,1,2\nb,3\n", "the row of 'b' has 1 payoffs, not 2"),
        (b",a,b\na,1,2\nb,3,4,5\n", "the row of 'b' has 3 payoffs, not 2"),
        (b",a,b\na,1,2\nb,3,x\n", "the payoff of 'b' against 'b' is not a number: 'x'"),
        (b",a,b\na,1,2\nb,3,4,x\n", "the payoff of 'b' against column 3 is not a number: 'x'"),
        (b",a,b\na,1,nan\nb,3,4\n", "the payoff of 'a' against 'b' must be a number from -1e+09 to 1e+09 (got nan)"),
        (b",a,b\na,1,2\nb,-inf,4\n", "(got -inf)"),
        (b",a,b\na,1,2\nb,3,1e300\n", "(got 1e+300)"),
        (b",a,a\na,1,2\na,3,4\n", "two strategies are called 'a'"),
        (b",a,b\nb,1,2\na,3,4\n", "expected 'a', got 'b'"),
        (b",a,b\na,1,2\nb,3,4\nc,5,6\n", "expected no row, got 'c'"),
        (b",a\na,1\n", "a matrix has 2 to 200 strategies (got 1)"),
        (b",a,\na,1,2\n,3,4\n", "1 to 80 printable characters (got '')"),
        (b',a,"b\x1b[1m"\na,1,2\n"b\x1b[1m",3,4\n', "printable characters"),
        (b',a,"b\na,1,2\n', "no matrix in CSV"),
        (MANY.encode(), f"a matrix has 2 to 200 strategies (got {MOST_STRATEGIES + 1})"),
        (b"[" * 100_000, "no matrix in JSON"),
        (b"{", "no matrix in JSON"),
        (b"[1, 2]", "no matrix in JSON"),
        (b"{}", 'it needs "names" and "payoffs"'),
        (b'{"names": ["a", "b"], "payoffs": [[1, 2], [3, NaN]]}', "no matrix in JSON"),
        (b'{"names": ["a", "b"], "payoffs": [[1, 2], [3, 1e999]]}', "no matrix in JSON"),
        (b'{"names": ["a", "b"], "payoffs": [[1, 2], [3]]}', "the row of 'b' has 1 payoffs, not 2"),
        (b'{"bots": ["a", "b"], "score": null}', "prints after games"),
        (b'{"bots": ["a", "a"], "score": 0.5}', "two strategies are called 'a'"),
        (tournament([(0, 1, 1.0)]), "'a' and 'c' played no game; a matrix needs all pairs"),
        (tournament([(0, 7, 1.0)]), "a pairing names player 7 of 3"),
    ],
)
def test_what_is_no_matrix_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        parse(content)


def test_folders_and_huge_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a file"):
        read(tmp_path)
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(ValueError, match="at most 32 MiB"):
        read(huge)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nothing.csv")


# ---------------------------------------------------------------- settings


def test_the_kinds_are_found_by_name() -> None:
    assert names_of("matrix") == list(NAMES)
    with pytest.raises(KeyError, match="matrix has matrix/pure, matrix/mixed"):
        family_of("matrix/other")


@pytest.mark.parametrize(
    ("schema", "dynamics", "matrix", "why"),
    [
        (PURE, "kendall-whitwell", hawk_dove(2, 4), "are names of strategies; choose matrix/mixed"),
        (PURE, "spsa", hawk_dove(2, 4), "are names of strategies; choose matrix/mixed"),
        (MIXED, "cma-es", hawk_dove(2, 4), "its steps do not shrink where payoffs follow the members"),
        (MIXED, "evochess", hawk_dove(2, 4), "needs genomes of searches"),
        (PURE, "evochess", hawk_dove(2, 4), "needs genomes of searches"),
        (PURE, "moran", None, "need --matrix FILE"),
        (MIXED, "moran", hawk_dove(2, 4, {HAWK: 1}), "--start and --mutation need --schema matrix/pure"),
        (MIXED, "moran", hawk_dove(2, 4, mutation=0.1), "--start and --mutation need --schema matrix/pure"),
        (PURE, "moran", hawk_dove(2, 4, {HAWK: 7}), "places for 6 given members, not for 7"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(
    schema: str, dynamics: str, matrix: Matrix | None, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        Breed(VERSION, schema, dynamics, 6, 1, matrix=matrix).begin()


@pytest.mark.parametrize(
    ("start", "mutation", "why"),
    [
        ({"eagle": 1}, 0.0, "no strategy of the matrix is called 'eagle'; there are hawk, dove"),
        ({HAWK: -1}, 0.0, "must be 0 or more"),
        ({}, 1.5, "a probability of mutation must be from 0 to 1"),
        ({}, float("nan"), "a probability of mutation must be from 0 to 1"),
    ],
)
def test_an_impossible_beginning_is_refused(start: dict[str, int], mutation: float, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        hawk_dove(2, 4, start, mutation)


@pytest.mark.parametrize("selection", [0.0, 1e9, -3.0])
def test_large_payoffs_and_any_selection_have_probabilities(selection: float) -> None:
    matrix = Matrix((HAWK, DOVE), ((1e9, -1e9), (1e9, 0.0)))
    breed = Breed(VERSION, PURE, "moran", 8, 1, {"selection": selection}, matrix=matrix)
    assert len(evolved(breed, 3)) == 4
