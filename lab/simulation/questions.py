# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions to the model: how many nodes, what is the bottleneck, and what happens after a node dies."""

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import median

from lab.simulation.comparing import Comparison, compare, loads, simulated
from lab.simulation.costs import Measured
from lab.simulation.loads import Load, Placement
from lab.simulation.node import Machines
from lab.simulation.runs import Loss, Outcome, lose, run

MATCHES, SPECTATORS, RATE = 10_000, 100_000, 1.0
"""The question: matches at once, their spectators, and moves a second of each match."""


@dataclass(frozen=True)
class Scenario:
    """A way to spread the load of the question, and the numbers of nodes to try."""

    title: str
    placement: Placement
    nodes: tuple[int, ...]


SPREAD = Scenario("bots and spectators at any node", "spread", (20, 30, 40, 50, 60, 80))
LOCAL = Scenario("each match at one node", "local", (6, 8, 10, 12, 15))
SCENARIOS = (SPREAD, LOCAL)

SEEDS = 2
SECONDS = 1.0
"""Seconds that are counted of each run: some ten thousand moves."""

AFTER = (20.0, 12.0)
"""Seconds after the death of a node that are simulated, one for each seed."""

MACHINES = Machines(database=8, bus=4, hop=0.000_25)
"""A core for each node; machines of a data centre, a quarter of a millisecond apart. The flush of the disk is added."""

LATE = 0.1
"""Seconds: 99 % of the turns must come within them."""

BUSY = 0.8
"""Share of its processor that the busiest node may use."""


@dataclass(frozen=True)
class Size:
    """A number of nodes under the load of the question."""

    load: Load
    outcomes: list[Outcome]
    """One for each seed."""

    @property
    def busiest(self) -> float:
        """Use of the busiest node but the leader."""
        return median(max(each.nodes[1:]) for each in self.outcomes)

    @property
    def leader(self) -> float:
        """Use of the leader."""
        return median(each.nodes[0] for each in self.outcomes)

    @property
    def late(self) -> float:
        """The 99th percentile of the delay of a turn."""
        return median(each.relay[1] for each in self.outcomes)

    @property
    def enough(self) -> bool:
        """Whether it bears the load."""
        return self.late <= LATE and self.busiest <= BUSY


@dataclass(frozen=True)
class Answers:
    """What the model says."""

    comparisons: list[Comparison]
    sizes: dict[Scenario, list[Size]]
    chosen: int
    """The number of nodes of the deaths."""
    losses: list[Loss]
    machines: Machines


def ask(measured: Measured) -> Answers:
    """Simulate everything, in as many processes as there are processors."""
    costs, cores = measured.costs, measured.cores
    machines = Machines(MACHINES.shared, MACHINES.database, MACHINES.bus, MACHINES.hop, measured.flush)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=get_context("spawn")) as pool:
        waiting = {
            scenario: [
                (
                    load := question(nodes, scenario.placement),
                    [pool.submit(run, costs, load, machines, seed, SECONDS) for seed in range(SEEDS)],
                )
                for nodes in scenario.nodes
            ]
            for scenario in SCENARIOS
        }
        predicted = [(load, pool.submit(simulated, costs, load, cores)) for load in loads(measured.observations)]
        sizes = {
            scenario: [Size(load, [each.result() for each in runs]) for load, runs in tried]
            for scenario, tried in waiting.items()
        }
        borne = [size.load.nodes for size in sizes[SPREAD] if size.enough]
        chosen = (borne or SPREAD.nodes[-1:])[0]
        load = question(chosen, "spread")
        deaths = [pool.submit(lose, costs, load, machines, seed, after) for seed, after in enumerate(AFTER)]
        comparisons = [each for load, runs in predicted for each in compare(measured, load, runs.result())]
        return Answers(comparisons, sizes, chosen, [each.result() for each in deaths], machines)


def question(nodes: int, placement: Placement) -> Load:
    """Return the load of the question on a number of nodes."""
    return Load(nodes, placement, MATCHES, RATE, SPECTATORS, MATCHES)
