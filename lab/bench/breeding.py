# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast chess is bred: whole games at 3 ply, to 200 plies, of weights that are drawn at random.

Evaluations are those at the ends of searches, all seven terms with the legal moves of both sides; what it takes to
search is part of the time. Beside them, games of random moves by python-chess.
"""

import time
from collections.abc import Iterator
from random import Random

import chess

from bots.evolution.breeding import VERSION, Arenas, Bred, Breed, played
from bots.evolution.genes import SCHEMAS
from lab.bench.lines import Line, beside, median

CHESS = SCHEMAS["chess/men-and-mobility"]
BREED = Breed(VERSION, CHESS.name, "kendall-whitwell", 50, 1)
GENERATIONS = 8
THREADS = 2
RANDOM_GAMES = 40


def breed(arenas: Arenas) -> tuple[list[Bred], float, float]:
    """Return some generations, the seconds that they took, and those of CPU."""
    population, found = BREED.begin(), []
    began, spent = time.monotonic(), time.process_time()
    for _ in range(GENERATIONS):
        found.append(played(BREED, population, arenas))
        population = found[-1].population
    return found, time.monotonic() - began, time.process_time() - spent


def games_per_second(arenas: Arenas) -> float:
    """Return games for a second on the wall's clock."""
    found, seconds, _ = breed(arenas)
    return sum(2 * len(one.results) for one in found) / seconds


def evaluations_per_second(arenas: Arenas) -> float:
    """Return evaluations for a second of CPU."""
    found, _, spent = breed(arenas)
    return sum(one.leaves for one in found) / spent


def random_games() -> float:
    """Return games of random moves for a second, by python-chess."""
    chance = Random(1)
    began = time.monotonic()
    for _ in range(RANDOM_GAMES):
        board = chess.Board()
        for _ in range(BREED.plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
    return RANDOM_GAMES / (time.monotonic() - began)


def run() -> Iterator[Line]:
    """Measure."""
    with Arenas(CHESS.game, 1) as alone, Arenas(CHESS.game, THREADS) as both:
        yield Line(
            what="evaluations of chess while breeding, one thread",
            unit="1/s CPU",
            ours=median(lambda: evaluations_per_second(alone)),
            target=8e6,
            of="figure",
            note="aim: 15 million",
        )
        two, theirs, why = beside(lambda: games_per_second(both), random_games)
        yield Line(
            what=f"games bred, {THREADS} threads",
            unit="1/s",
            ours=two,
            peer=theirs,
            peer_name="random games by python-chess",
            target=50,
            of="figure",
            note=why,
        )
        two, one, _ = beside(lambda: games_per_second(both), lambda: games_per_second(alone))
        yield Line(
            what=f"games bred, {THREADS} threads",
            unit="1/s",
            ours=two,
            peer=one,
            peer_name="one thread",
            target=1.8,
            of="ratio",
        )
