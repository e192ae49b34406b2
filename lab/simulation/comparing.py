# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictions of the model beside measurements that its costs do not come from."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lab.simulation.costs import Costs, Measured, Observation
from lab.simulation.fitting import calm
from lab.simulation.loads import Load
from lab.simulation.node import Machines
from lab.simulation.runs import Outcome, run

SECONDS = 6.0
SEEDS = 3

TOLERANCE = 0.25
"""Share by which a prediction may differ from the measurement."""


@dataclass(frozen=True)
class Comparison:
    """One quantity of one load."""

    nodes: int
    load: Load
    what: str
    unit: str
    measured: list[float]
    """One for each repetition."""
    predicted: list[float]
    """One for each seed."""
    saturated: bool = False

    @property
    def error(self) -> float:
        """The median prediction, as a difference from the median measurement in parts of this."""
        return statistics.median(self.predicted) / statistics.median(self.measured) - 1

    @property
    def holds(self) -> bool:
        """Whether the prediction is close enough."""
        return abs(self.error) <= TOLERANCE


def loads(observations: Sequence[Observation]) -> list[Load]:
    """Return the loads that the costs do not come from, each once."""
    return list(dict.fromkeys(each.load for each in observations if not each.fitted))


def simulated(costs: Costs, load: Load, cores: int, seconds: float = SECONDS) -> list[Outcome]:
    """Return the outcomes of a load on a machine whose processors all programs share, one for each seed."""
    return [run(costs, load, Machines(shared=cores), seed, seconds) for seed in range(SEEDS)]


def compare(measured: Measured, load: Load, outcomes: Sequence[Outcome]) -> list[Comparison]:
    """Compare the outcomes of a load with its observations."""
    observed = [each for each in calm(measured.observations) if each.load == load]

    def made(
        what: str, unit: str, of_observed: Callable[[Observation], float], of_outcome: Callable[[Outcome], float]
    ) -> Comparison:
        found, predicted = list(map(of_observed, observed)), list(map(of_outcome, outcomes))
        return Comparison(load.nodes, load, what, unit, found, predicted, not load.has_pauses)

    if not load.has_pauses:
        return [made("most moves a second", "moves/s", lambda each: each.moves, lambda each: each.moves)]
    compared = [made("processors, all programs of the servers", "cores", _servers, lambda each: each.servers)]
    compared += [
        made(f"processors, node {number + 1}", "cores", _node(number), _simulated_node(number))
        for number in range(load.nodes)
    ]
    compared += [
        made("processors, database", "cores", lambda each: each.database, lambda each: each.database),
        made("delay of a turn, median", "ms", lambda each: 1e3 * each.relay[0], lambda each: 1e3 * each.relay[0]),
        made("delay of a turn, 99 %", "ms", lambda each: 1e3 * each.relay[1], lambda each: 1e3 * each.relay[1]),
    ]
    if load.spectators:
        compared.append(
            made(
                "delay to a spectator, median",
                "ms",
                lambda each: 1e3 * each.watched[0],
                lambda each: 1e3 * each.watched[0],
            )
        )
    return compared


def _servers(each: Observation) -> float:
    return each.servers


def _node(number: int) -> Callable[[Observation], float]:
    return lambda each: each.nodes[number]


def _simulated_node(number: int) -> Callable[[Outcome], float]:
    return lambda each: each.nodes[number]
