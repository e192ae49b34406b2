# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurement: loads on clusters of one to three nodes from which the costs follow, and others to predict."""

import asyncio
import os
import platform
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from arena.cli.support.output import say_error
from lab.simulation import fitting, flooding, rare
from lab.simulation.clusters import RealCluster
from lab.simulation.costs import Measured, Observation
from lab.simulation.loads import Load
from tests.postgres import Postgres, running

SECONDS = 8.0
"""Seconds of one observation."""

REPEATS = 2

TRIES = 3
"""Observations of a load at most while the machine is not calm."""


@dataclass(frozen=True)
class Experiment:
    """Loads that one cluster gets one after the other."""

    name: str
    nodes: int
    loads: tuple[Load, ...]
    fitted: bool
    doors: str = ""
    """The nodes that referee no matches."""


NEAR = ((20, 1.0), (40, 2.0), (40, 5.0), (60, 7.0), (60, 14.0))
FAR = ((20, 1.0), (40, 2.0), (40, 4.0), (60, 5.0), (60, 9.0))
"""Matches and their moves a second: referees at the bots' node, and at another one."""

SEEN: tuple[tuple[float, int, Literal["first", "last"]], ...] = (
    (1.0, 120, "first"), (2.0, 480, "first"), (6.0, 80, "first"),
    (1.0, 120, "last"), (2.0, 40, "last"), (2.0, 480, "last"), (6.0, 200, "last"),
)  # fmt: skip
"""Moves a second of each of 40 matches, spectators, and their node: the referee's, or another one."""

FITTED = (
    Experiment("bots and referees at one node", 1, tuple(Load(1, "near", *kind) for kind in NEAR), True),
    Experiment("referees at another node than the bots", 3, tuple(Load(3, "far", *kind) for kind in FAR), True, "ab"),
    Experiment(
        "spectators at the referee's node, and at another one",
        2,
        tuple(Load(2, "near", 40, rate, spectators, 40, seats) for rate, spectators, seats in SEEN),
        True,
    ),
)
"""The loads that the costs are fitted to."""

PREDICTED = tuple(
    Experiment(
        f"{nodes} nodes" if nodes > 1 else "1 node", nodes,
        (Load(nodes, "spread", 36, 3.0, 180, 36), Load(nodes, "spread", 54, 4.0, 108, 54)), fitted=False,
    )
    for nodes in (1, 2, 3)
)  # fmt: skip
"""Loads behind a load balancer, which are to be predicted."""

SATURATED = tuple(
    Experiment(f"as many moves as possible, {nodes}", nodes, (Load(nodes, "spread", 54, 100.0),), fitted=False)
    for nodes in (1, 2, 3)
)
"""Bots that move without a pause."""


def measure(keep: Callable[[Measured], None], repeats: int = REPEATS, seconds: float = SECONDS) -> None:
    """Measure everything, in about 10 minutes for each repetition; ``keep`` is called after each with all so far."""
    with (
        tempfile.TemporaryDirectory(prefix="bot-arena-simulation-") as folder,
        running(Path(folder) / "run") as database,
    ):
        database.hurry()
        asyncio.run(_measure(Path(folder), database, keep, repeats, seconds))


async def _measure(
    folder: Path, database: Postgres, keep: Callable[[Measured], None], repeats: int, seconds: float
) -> None:
    places = (folder / f"cluster-{number}" for number in range(10_000))
    bursts = [await flooding.flood(frames) for frames in (1, 5, 20)]
    rarely = await rare.measure(next(places), database)
    takeovers = await rare.take_over(next(places), database)
    observations: list[Observation] = []
    for _ in range(repeats):
        for experiment in (*FITTED, *PREDICTED, *SATURATED):
            observations += await _observe(next(places), database, experiment, seconds)
        keep(
            Measured(
                date=datetime.now(UTC).date().isoformat(),
                commit=commit(),
                python=platform.python_version(),
                cores=len(os.sched_getaffinity(0)),
                flush=rare.flush(folder),
                costs=fitting.fit(observations, bursts, rarely),
                observations=observations,
                bursts=bursts,
                takeovers=takeovers,
            )
        )


async def _observe(folder: Path, database: Postgres, experiment: Experiment, seconds: float) -> list[Observation]:
    found = []
    async with RealCluster.running(folder, database, experiment.nodes, doors=experiment.doors) as cluster:
        for load in experiment.loads:
            for _ in range(TRIES):
                found.append(await cluster.observe(experiment.name, load, seconds, fitted=experiment.fitted))
                _tell(found[-1])
                if found[-1].others <= fitting.CALM:
                    break
    return found


def _tell(observed: Observation) -> None:
    say_error(
        f"{observed.name}: {observed.moves:,.0f} moves/s, {observed.viewed:,.0f} received by spectators: "
        f"nodes {', '.join(f'{use:.2f}' for use in observed.nodes)}, bus {observed.bus:.3f}, "
        f"database {observed.database:.2f}, others {observed.others:.2f}; {1000 * observed.relay[0]:.1f} ms"
    )


def commit() -> str:
    """Return the commit that is checked out."""
    described = ["git", "describe", "--always", "--abbrev=8", "--dirty= with changes", "--exclude=*"]
    done = subprocess.run(described, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
