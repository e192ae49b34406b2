# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of evolution in chess: games and evaluations while weights evolve, and nodes of evolved searches.

Weights play whole games at 3 ply, to 200 plies, from random initial weights. An evaluation is one at the end of a
search, with all seven terms and the legal moves of both sides; the time of the search is included. The comparison is
with games of random moves by python-chess.

Evaluations in whole games are also compared with an older version of the arena, in the same run, in turn.

Evolved searches are compared with the exact search, switched to NegaScout with quiescence search and the same
evaluation. Their programs are the plain one, one that reads every costly input, and a random one.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import chess

from bots.evolution.breeding import VERSION, Arenas, Bred, Breed, played
from bots.evolution.evochess.genome import drawn, express, schema_for, standard
from bots.evolution.evochess.player import Player, SearchSettings
from bots.evolution.genome import SCHEMAS
from bots.evolution.rivals import default_evaluation
from engine.games import find
from engine.search import Limits, Searcher
from engine.search.programs.program import Program
from engine.search.switches import ALGORITHMS, Switch
from lab.bench.measurements import Measurement, Skipped, beside, median
from lab.bench.processes import ROOT
from lab.bench.search.nodes import POSITIONS
from lab.bench.server.start import checked_out, surroundings

CHESS = SCHEMAS["chess/men-and-mobility"]
BREED = Breed(VERSION, CHESS.name, "kendall-whitwell", 50, 1)
GENERATIONS = 8
THREADS = 2
RANDOM_GAMES = 40


def timed_breeding(arenas: Arenas) -> tuple[list[Bred], float, float]:
    """Return some generations, the seconds that they took, and those of CPU."""
    population, found = BREED.begin()[0], []
    began, spent = time.monotonic(), time.process_time()
    for _ in range(GENERATIONS):
        found.append(played(BREED, [population], arenas)[0])
        population = found[-1].population
    return found, time.monotonic() - began, time.process_time() - spent


def games_per_second(arenas: Arenas) -> float:
    """Return games for a second on the wall's clock."""
    found, seconds, _ = timed_breeding(arenas)
    return sum(2 * len(one.results) for one in found) / seconds


def evaluations_per_second(arenas: Arenas) -> float:
    """Return evaluations for a second of CPU."""
    found, _, spent = timed_breeding(arenas)
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


def run_breeding() -> Iterator[Measurement]:
    """Measure."""
    with Arenas(CHESS.game, 1) as alone, Arenas(CHESS.game, THREADS) as both:
        yield Measurement(
            what="evaluations of chess while breeding, one thread",
            unit="1/s CPU",
            ours=median(lambda: evaluations_per_second(alone)),
            target=8e6,
            of="figure",
            note="aim: 15 million",
        )
        two, theirs, why = beside(lambda: games_per_second(both), random_games)
        yield Measurement(
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
        yield Measurement(
            what=f"games bred, {THREADS} threads",
            unit="1/s",
            ours=two,
            peer=one,
            peer_name="one thread",
            target=1.8,
            of="ratio",
        )


# ---------------------------------------------------------------- evolved searches

NODES = 400_000
"""For each position."""
READS_ALL: Program = (
    *("if", "<", "history", -0.5, "-", "horizon", 3.0, "if", "<", "gain", 0.5, "if", "threatens", "horizon"),
    *("if", "loses", "-", "horizon", 2.0, "if", "<", "+", "score", "sigmoid", "horizon", "-", "alpha", "material"),
    *("keep level 0", "shallower", "shallower", "horizon", "-", "horizon", "/", "place", "+", "level 0", 5.0),
    *("if", "threatened", "deeper", "horizon", "horizon"),
)
TARGET = 1 / 3


def exact_search() -> float:
    """Search each position and return nodes for a second of CPU."""
    game = find("chess")
    switches = ALGORITHMS["ordering"].switches | Switch.QUIESCENCE | Switch.NULL_WINDOWS
    searcher = Searcher(game, "ordering", default_evaluation(game), switches=switches)
    searcher.warm_up()
    nodes, spent = 0, 0.0
    for fen in POSITIONS:
        searcher.clear()
        began = time.process_time()
        nodes += searcher.search(game.parse_position(fen), Limits(nodes=NODES)).nodes
        spent += time.process_time() - began
    return nodes / spent


def evolved_search(settings: SearchSettings) -> float:
    """Return the same of an evolved search."""
    game = find("chess")
    Player(game, settings, 1).choose(game.look(game.start()))
    nodes, spent = 0, 0.0
    for fen in POSITIONS:
        player = Player(game, settings, NODES)
        position = game.look(game.parse_position(fen))
        began = time.process_time()
        nodes += player.choose(position).nodes
        spent += time.process_time() - began
    return nodes / spent


def players() -> dict[str, SearchSettings]:
    """Return the measured players, by description."""
    schema, chance = schema_for("chess"), Random(2002)
    plain = express(schema, standard(schema))
    longest = max((drawn(schema, chance) for _ in range(20)), key=lambda one: len(one.program))
    return {
        "the plain program": plain,
        "a program that reads every input": replace(plain, program=READS_ALL),
        "a long random program": replace(plain, program=longest.program),
    }


def run_evolved_search() -> Iterator[Measurement]:
    """Measure."""
    for name, settings in players().items():
        ours, theirs, why = beside(partial(evolved_search, settings), exact_search)
        yield Measurement(
            what=f"nodes of an evolved search of chess: {name}",
            unit="1/s CPU",
            ours=ours,
            peer=theirs,
            peer_name="the exact search",
            target=TARGET,
            note=why,
        )


# ---------------------------------------------------------------- evaluations beside an older version

BEFORE = "5a8a60f3"
"""The version before there was one machine for breeding."""
GAMES = 200
ROUNDS = 7


def leaves_per_second(checkout: Path, cache: Path) -> float:
    """Return evaluations for a second of CPU in a new process. Raises Skipped where it fails."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("leaves.py")), str(GAMES)],
        cwd=checkout,
        env=surroundings(cache),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Skipped(f"{checkout.name} cannot play: {done.stderr.strip()[-200:]}")
    played_games = json.loads(done.stdout.splitlines()[-1])
    return float(played_games["leaves"]) / float(played_games["seconds"])


def run_leaves() -> Iterator[Measurement]:
    """Measure both versions in turn."""
    with tempfile.TemporaryDirectory(prefix="arena-before-") as folder:
        before = checked_out(BEFORE, Path(folder, "sources"))
        caches = Path(folder, "ours"), Path(folder, "theirs")
        ours, theirs, why = beside(
            lambda: leaves_per_second(ROOT, caches[0]), lambda: leaves_per_second(before, caches[1]), ROUNDS
        )
    yield Measurement(
        what="evaluations of chess in games of breeding, one thread",
        unit="1/s CPU",
        ours=ours,
        peer=theirs,
        peer_name=BEFORE,
        target=0.95,
        note=why,
    )


BENCHMARKS = {"breeding": run_breeding, "leaves": run_leaves, "evolved": run_evolved_search}
