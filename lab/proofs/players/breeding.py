# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of evolved weights of chess and checkers."""

import asyncio
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, pstdev

import numpy as np

from arena.rating.bradley_terry import Fit, fit
from arena.rating.difference import difference_of, interval
from arena.rating.results import Results
from bots.evolution.breeding import VERSION, Arenas, Bred, Breed, bred
from bots.evolution.genome import SCHEMAS, Schema, Values
from bots.evolution.history import History
from bots.evolution.operators import chance_for
from bots.evolution.population import deviations, means
from engine.evaluation import Evaluation
from lab.proofs.ledger import Ledger

CHESS, CHECKERS = SCHEMAS["chess/men-and-mobility"], SCHEMAS["checkers/lecture"]
SEEDS, RIVAL_SEEDS, CHECKERS_SEEDS = 6, 1, 3
GENERATIONS, CHECKERS_GENERATIONS = 200, 100
POPULATION = 50
EVERY = 10
"""Generations between those that are rated."""
ROBIN_GAMES, DUEL_GAMES, CHECKERS_GAMES = 40, 200, 1_000
DRAWN, DRAWN_GAMES = 12, 10
"""Members of the first and of the last generation that are rated, and their games with each mean genome."""
GAIN = 1_100
"""Points from the first generation to the last, as published."""
THREADS = 2

PIECES, QUEEN = range(1, 5), 4
"""The places of knight, bishop, rook and queen."""

PUBLISHED = (1, 3.22, 3.44, 5.61, 8.91, 100, 0.13)
"""The evolved means of Kendall and Whitwell, where a pawn is 1."""


async def prove_breeding(ledger: Ledger) -> None:
    """Weights of chess and checkers that evolved from random ones

    Six populations with random weights and different seeds evolve by the population dynamics of Kendall and Whitwell:
    50 members, plain alpha-beta of three plies, a draw after 200 plies, and 200 generations of 25 pairs, so 10,000
    games for each seed. All settings were fixed before the first seed, and this page reports all six runs, beside the
    weights published in 2001. CMA-ES and SPSA get as many games, from the first seed. SPSA's gains follow Spall's
    rules; its first step and its trials were chosen on two other seeds.

    The mean genomes of generations 0, 10, 20, ... of the first run and the standard weights play a round robin of 40
    games for each pair. Twelve random members of the first generation and twelve of the last play 10 games with each of
    them. One fit by Bradley-Terry rates all. The last generation must be stronger than the first, beyond the 95 %
    interval. The figures compare the gain with the published 1100 points, for mean genomes and for the average of the
    members. Every run's mean genome plays 200 games against the standard weights, and so does the mean of all runs,
    unchanged and with its pieces scaled so that a queen is worth nine pawns.

    In checkers three populations evolve for 100 generations each, and each mean genome plays 1,000 games in pairs from
    random openings against the default weights, all at three plies. The environment variable BREEDING_RUNS may name a
    folder that keeps the raw runs, so that they can be continued.
    """
    kept = os.environ.get("BREEDING_RUNS")
    folder = Path(kept) if kept else ledger.place("runs")
    await asyncio.to_thread(_chess, ledger, folder)
    await asyncio.to_thread(_checkers, ledger, folder)


def _chess(ledger: Ledger, folder: Path) -> None:
    generations, seeds = ledger.times(GENERATIONS, least=2), ledger.times(SEEDS, least=1)
    size = POPULATION if ledger.scale == 1 else 10
    ledger.note("chess: generations, members, games of each run", f"{generations}, {size}, {generations * size:,}")
    with Arenas(CHESS.game, THREADS) as arenas:
        runs = {
            f"Kendall-Whitwell, seed {seed}": _bred(folder, arenas, generations, _breed(CHESS, seed, size))
            for seed in range(1, seeds + 1)
        }
        own = list(runs)
        rivals: tuple[tuple[str, int, dict[str, float]], ...] = (
            ("cma-es", size // 2, {}),
            ("spsa", size, {"generations": float(generations)}),
        )
        for dynamics, samples, options in rivals:
            for seed in range(1, min(RIVAL_SEEDS, seeds) + 1):
                breed = Breed(VERSION, CHESS.name, dynamics, samples, seed, options)
                runs[f"{dynamics}, seed {seed}"] = _bred(folder, arenas, generations, breed)
        finals = {name: _centre(run, -1) for name, run in runs.items()}
        _tell(ledger, runs[own[0]], finals, own)
        games = ledger.times(DUEL_GAMES // 2, least=2)
        centre = CHESS.fitted([fmean(column) for column in zip(*(finals[name] for name in own), strict=True)])
        more = {"mean of the runs": centre, "mean of the runs, pieces scaled": _scaled(centre), "published": PUBLISHED}
        for name, values in (finals | more).items():
            ledger.note(f"against the standard weights: {name}", _duel(arenas, CHESS, values, CHESS.standard, games))
        least = _rated(ledger, arenas, runs[own[0]])
        assert ledger.scale < 1 or least > 0, least


def _checkers(ledger: Ledger, folder: Path) -> None:
    generations = ledger.times(CHECKERS_GENERATIONS, least=2)
    size, games = POPULATION if ledger.scale == 1 else 10, ledger.times(CHECKERS_GAMES // 2, least=2)
    names = ", ".join(gene.name for gene in CHECKERS.genes)
    with Arenas(CHECKERS.game, THREADS) as arenas:
        ledger.note(f"checkers: default weights ({names})", _written(CHECKERS, CHECKERS.standard))
        for seed in range(1, ledger.times(CHECKERS_SEEDS) + 1):
            values = _centre(_bred(folder, arenas, generations, _breed(CHECKERS, seed, size)), -1)
            ledger.note(f"checkers, seed {seed}: evolved weights", _written(CHECKERS, values))
            told = _duel(arenas, CHECKERS, values, CHECKERS.standard, games)
            ledger.note(f"checkers, seed {seed}: against the default weights", told)


def _scaled(values: Values) -> Values:
    """Return weights whose pieces are scaled so that a queen has its standard weight; pawn and mobility stay."""
    factor = CHESS.standard[QUEEN] / values[QUEEN]
    return CHESS.fitted([value * factor if place in PIECES else value for place, value in enumerate(values)])


# ---------------------------------------------------------------- breeding


def _breed(schema: Schema, seed: int, size: int) -> Breed:
    return Breed(VERSION, schema.name, "kendall-whitwell", size, seed)


def _bred(folder: Path, arenas: Arenas, generations: int, breed: Breed) -> list[Bred]:
    """Return all generations of a run, those included that the folder has already."""
    place = folder / f"{breed.genes.game}-{breed.dynamics}-{breed.seed}"
    history = History.open(place, breed)
    for one in itertools.islice(bred(breed, history.newest, arenas), max(0, generations - history.number)):
        history.add(one)
    return [island for (island,) in history.generations[: generations + 1]]


def _centre(run: Sequence[Bred], generation: int) -> Values:
    """Return the mean genome of a generation."""
    population = run[generation].population
    return population.genes.fitted(means(population.members))


def _tell(ledger: Ledger, first: Sequence[Bred], finals: dict[str, Values], own: Sequence[str]) -> None:
    """Note the table of weights."""
    free = CHESS.free
    ledger.note("order of the weights", ", ".join(CHESS.genes[place].name for place in free) + "; a pawn is 1")
    ledger.note("standard weights", _written(CHESS, CHESS.standard))
    ledger.note("published, evolved", _written(CHESS, PUBLISHED))
    ledger.note("first generation, mean, seed 1", _written(CHESS, _centre(first, 0)))
    for name, values in finals.items():
        ledger.note(f"evolved: {name}", _written(CHESS, values))
    columns = list(zip(*(finals[name] for name in own), strict=True))
    ledger.note(f"mean of {len(own)} runs", _written(CHESS, tuple(map(fmean, columns))))
    ledger.note("deviation over the runs", _written(CHESS, tuple(map(pstdev, columns))))
    spread = [_written(CHESS, deviations(first[at].population.members)) for at in (0, len(first) // 2, -1)]
    ledger.note("σ of seed 1: at the start, half way, at the end", " / ".join(spread))


def _written(schema: Schema, values: Values) -> str:
    places = schema.free if schema is CHESS else range(len(schema.genes))
    return ", ".join(f"{values[place]:,.2f}" if schema is CHESS else f"{values[place]:,.0f}" for place in places)


# ---------------------------------------------------------------- games between evolved weights


def _duel(arenas: Arenas, schema: Schema, first: Values, second: Values, pairs: int) -> str:
    """Return what one genome scores against another in so many pairs of games, for people."""
    counts = [0] * 5
    for pair in _pairs(arenas, schema.express(first), schema.express(second), pairs, f"duel {first}"):
        counts[round(2 * sum(pair))] += 1
    score = sum(place * count for place, count in enumerate(counts)) / (4 * sum(counts))
    elo, low, high = (
        "unbounded" if one is None else f"{one:+.0f}" for one in (difference_of(score), *interval(counts))
    )
    return f"{score:.1%} of {2 * sum(counts):,} games, Elo difference {elo}, 95 % interval {low} to {high}"


def _pairs(arenas: Arenas, first: Evaluation, second: Evaluation, pairs: int, what: str) -> list[tuple[float, float]]:
    chance = chance_for(0, what)
    played = arenas.play([(first, second)] * pairs, [chance.getrandbits(63) for _ in range(pairs)])
    return [(one.score, other.score) for one, other in played]


def _rated(ledger: Ledger, arenas: Arenas, run: Sequence[Bred]) -> float:
    """Rate the mean genomes of generations, the standard weights, and members of the first generation and of the last.

    Returns the least that the points from the first to the last may be, by their 95 % interval.
    """
    numbers = sorted({*range(0, len(run), EVERY), len(run) - 1})
    names = [f"generation {number}" for number in numbers] + ["standard weights"]
    players = [CHESS.express(_centre(run, number)) for number in numbers] + [CHESS.express(CHESS.standard)]
    drawn = ledger.times(DRAWN)
    for at in (0, -1):
        members = chance_for(0, "drawn", at).sample(run[at].population.members, drawn)
        players += [CHESS.express(member.values) for member in members]
    found = _ladder(arenas, players, len(names), ledger)
    base = found.ratings[0]
    shown = {*range(0, len(names), max(1, len(names) // 11)), len(names) - 2, len(names) - 1}
    for place in sorted(shown):
        low, high = found.intervals[place] - base
        rating = found.ratings[place] - base
        ledger.note(f"seed 1, rating: {names[place]}", f"{rating:+.0f}, 95 % interval {low:+.0f} to {high:+.0f}")
    centres, first, last = _between(found, 0, len(numbers) - 1), len(names), len(names) + drawn
    ledger.note("seed 1: points from the first mean genome to the last", _told(centres))
    members_gain = _between(found, slice(first, last), slice(last, last + drawn))
    ledger.note(f"seed 1: points from the average of {drawn} first members to {drawn} last ones", _told(members_gain))
    return centres[0] - centres[1]


def _between(found: Fit, first: int | slice, last: int | slice) -> tuple[float, float]:
    """Return how much more some are rated on average than others, and how far the 95 % interval reaches."""
    contrast = np.zeros(len(found.ratings))
    for players, weight in ((first, -1), (last, 1)):
        contrast[players] = weight / np.size(contrast[players])
    return float(contrast @ found.ratings), 1.96 * float(np.sqrt(contrast @ found.covariance @ contrast))


def _told(gain: tuple[float, float]) -> str:
    points, reach = gain
    return f"{points:.0f}, 95 % interval {points - reach:.0f} to {points + reach:.0f}; published: {GAIN}"


def _ladder(arenas: Arenas, players: Sequence[Evaluation], standing: int, ledger: Ledger) -> Fit:
    """Rate players: the first ``standing`` play each other, and the others play each of those."""
    rows: list[tuple[int, int, float]] = []
    for first, second in itertools.combinations(range(len(players)), 2):
        if first >= standing:
            break
        pairs = ledger.times((ROBIN_GAMES if second < standing else DRAWN_GAMES) // 2)
        for one, other in _pairs(arenas, players[first], players[second], pairs, f"{first} {second}"):
            rows += [(first, second, one), (second, first, 1 - other)]
    firsts, seconds, scores = zip(*rows, strict=True)
    return fit(Results.of_games(firsts, seconds, scores, len(players)), len(players))
