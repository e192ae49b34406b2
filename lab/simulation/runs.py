# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of the model: what a cluster uses and how late moves come, and what happens after a node dies."""

from dataclasses import dataclass

from lab.simulation.costs import Costs
from lab.simulation.keeping import Death, Keeping
from lab.simulation.loads import Load
from lab.simulation.model import Cluster
from lab.simulation.node import Machines

WARM_UP = 1.0
"""Seconds before the count begins."""


@dataclass(frozen=True)
class Outcome:
    """What a run found. Rates are for each second; uses are processors that were kept busy; delays are seconds."""

    moves: float
    viewed: float
    groups: float
    frames: float
    """Frames that all nodes sent and received."""
    nodes: list[float]
    bus: float
    database: float
    clients: float
    relay: tuple[float, float]
    """From a move sent until the opponent's turn came: median, and the 99th percentile."""
    watched: tuple[float, float]
    """From a move sent until a spectator had it: likewise."""

    @property
    def servers(self) -> float:
        """Use of all processes but the clients."""
        return sum(self.nodes) + self.bus + self.database


def run(costs: Costs, load: Load, machines: Machines, seed: int, seconds: float) -> Outcome:
    """Simulate a load for some seconds after a warm-up."""
    cluster = Cluster(costs, load, machines, seed)
    Keeping(cluster)
    cluster.run(WARM_UP)
    cluster.count()
    groups = sum(node.writer.groups for node in cluster.nodes)
    frames = sum(node.frames for node in cluster.nodes)
    cluster.run(WARM_UP + seconds)
    tally, programs = cluster.tally, cluster.programs
    delays = sorted(delay for _, delay in tally.relays)
    return Outcome(
        moves=tally.moves / seconds,
        viewed=tally.viewed / seconds,
        groups=(sum(node.writer.groups for node in cluster.nodes) - groups) / seconds,
        frames=(sum(node.frames for node in cluster.nodes) - frames) / seconds,
        nodes=[programs.used([node.process]) for node in cluster.nodes],
        bus=programs.used(programs.connections),
        database=programs.used(programs.backends),
        clients=programs.used(programs.clients),
        relay=(percentile(delays, 50), percentile(delays, 99)),
        watched=(weighted(tally.watches, 50), weighted(tally.watches, 99)),
    )


@dataclass(frozen=True)
class Loss:
    """What happened before and after the death of a node."""

    death: Death
    moves: list[tuple[float, int]]
    """Moves whose turns came, by the second since the death in which they came."""
    relay: list[tuple[float, float]]
    """The 99th percentile of their delays, likewise."""
    never: int
    """Matches of the dead node that have not moved again at the end."""


def lose(costs: Costs, load: Load, machines: Machines, seed: int, seconds: float, victim: int = 1) -> Loss:
    """Simulate a load, and kill a node of it."""
    before = 3.5
    cluster = Cluster(costs, load, machines, seed)
    keeping = Keeping(cluster)
    # at a moment that has nothing to do with the phases of the leases
    killed = before + cluster.random.random()
    cluster.run(killed)
    keeping.kill(victim)
    cluster.run(killed + seconds)
    assert keeping.death is not None
    by_second: dict[int, list[float]] = {second: [] for second in range(-3, int(seconds))}
    for at, delay in cluster.tally.relays:
        second = int((at - killed) // 1)
        if second in by_second:
            by_second[second].append(delay)
    return Loss(
        keeping.death,
        [(second, len(found)) for second, found in by_second.items()],
        [(second, percentile(sorted(found), 99)) for second, found in by_second.items()],
        keeping.death.matches - len(keeping.death.moved),
    )


def percentile(delays: list[float], percent: float) -> float:
    """Return the smallest of sorted values that ``percent`` of all do not exceed; 0 if there are none."""
    return delays[min(len(delays) - 1, int(len(delays) * percent / 100))] if delays else 0.0


def weighted(delays: list[tuple[float, int]], percent: float) -> float:
    """Return the same of values that count several times each."""
    wanted = sum(count for _, count in delays) * percent / 100
    for delay, count in sorted(delays):
        wanted -= count
        if wanted <= 0:
            return delay
    return 0.0
