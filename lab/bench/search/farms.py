# SPDX-License-Identifier: GPL-3.0-or-later
"""Games per second on a Ray of two workers, beside two plain processes of the pool that commands use without Ray.

The games are those of breeding weights of chess, at 3 ply, each some milliseconds long. Both pools play the same games
in turn, after each has compiled or loaded the code. A repeat takes some seconds, so that its last pieces weigh little.
"""

import time
from collections.abc import Iterator
from importlib.util import find_spec
from random import Random

from arena.cli.support.output import say_error
from bots.evolution.breeding import Arenas
from bots.pools.pool import Pool
from bots.pools.processes import Processes
from engine.games import find
from lab.bench.measurements import Measurement, Skipped, beside

GAME = "chess"
WORKERS = 2
PAIRS = 2_000
"""Pairs of games of each repeat."""


def games_per_second(pool: Pool, seed: int = 1) -> float:
    """Return games of breeding per second of the wall's clock."""
    chance = Random(seed)
    evaluation = next(iter(find(GAME).evaluations.values()))
    with Arenas(GAME, plies=80, pool=pool) as arenas:
        began = time.monotonic()
        arenas.play([(evaluation, evaluation)] * PAIRS, [chance.getrandbits(63) for _ in range(PAIRS)])
        return 2 * PAIRS / (time.monotonic() - began)


def run_ray() -> Iterator[Measurement]:
    """Measure."""
    if find_spec("ray") is None:
        raise Skipped("Ray is not installed")
    from bots.pools.cluster import Cluster
    from bots.pools.connection import connected

    with Processes(WORKERS) as plain, Cluster(connected("ray", WORKERS), None, say_error) as cluster:
        ours, theirs, why = beside(lambda: games_per_second(cluster), lambda: games_per_second(plain))
    yield Measurement(
        what=f"games of chess on a Ray of {WORKERS} workers",
        unit="1/s",
        ours=ours,
        peer=theirs,
        peer_name=f"{WORKERS} plain processes",
        target=0.95,
        note=why,
    )


BENCHMARKS = {"ray": run_ray}
