# SPDX-License-Identifier: GPL-3.0-or-later
"""Costs from observations, by least squares.

The processor time of a program is a sum of the things that it does, times the cost of each. Observations of different
loads give more equations than there are costs.
"""

import statistics
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import structs

from lab.simulation.costs import Burst, Bus, Clients, Costs, Database, Observation, Rare
from lab.simulation.loads import NodeWork, places, works

FLOOR = 0.02
"""Processors: smaller uses are fitted as if they were as large, because the kernel counts in hundredths of a second."""


CALM = 0.2
"""Processors: how much more other programs of the machine may use than during the calmest observation of a load."""


SLOWER = 1.1
"""How much more the servers may use than in the observation of the same load in which they used least."""


def calm(observations: Sequence[Observation]) -> list[Observation]:
    """Return the observations that count: those during which the machine was about as calm and as quick as it ever was.

    Whatever else a host does makes the same work take more processor time, never less. A load that takes all the
    processors has no such measure.
    """
    found = []
    for load in dict.fromkeys(each.load for each in observations):
        own = sorted((each for each in observations if each.load == load), key=lambda each: each.others)
        calmest = [each for each in own if each.others <= max(own[0].others, 0.0) + CALM]
        least = min(each.servers for each in calmest)
        found += [each for each in calmest if not load.has_pauses or each.servers <= SLOWER * least]
    return found


def fit(observations: Sequence[Observation], bursts: Sequence[Burst], rare: Rare) -> Costs:
    """Return all costs."""
    counted = calm(observations)
    fitted = [each for each in counted if each.fitted]
    return Costs(
        fit_nodes(fitted),
        fit_bus(fitted, bursts),
        fit_database(fitted),
        fit_clients(counted),
        rare,
        statistics.median(each.plies for each in fitted if each.plies),
    )


def least_squares(rows: Sequence[Mapping[str, float]], uses: Sequence[float]) -> dict[str, float]:
    """Return the costs, none below 0, that explain the uses with the smallest sum of squared relative errors.

    ``rows``: how much of each thing was done, one row for each use; all have the same keys. Costs that would be
    negative are 0, the most negative one first, and the others are fitted again.
    """
    names = list(rows[0])
    weights = 1 / np.maximum(np.array(uses), FLOOR)
    matrix = np.array([[row[name] for name in names] for row in rows]) * weights[:, None]
    wanted = np.array(uses) * weights
    kept = [place for place, column in enumerate(matrix.T) if np.any(column)]
    found = np.zeros(len(names))
    while kept:
        scale = np.linalg.norm(matrix[:, kept], axis=0)
        solved = np.linalg.lstsq(matrix[:, kept] / scale, wanted, rcond=None)[0]
        if solved.min() >= 0:
            found[kept] = solved / scale
            break
        del kept[int(solved.argmin())]
    return dict(zip(names, map(float, found), strict=True))


def observed_works(observation: Observation) -> list[NodeWork]:
    """Return what each node did in a second of an observation."""
    load = observation.load
    found = works(load, observation.moves)
    planned = sum(work.viewer for work in found)
    for work, frames in zip(found, observation.frames, strict=True):
        work.frame = frames
        work.group = observation.groups * work.referee / observation.moves if observation.moves else 0.0
        work.viewer *= observation.viewed / planned if planned else 0.0
    shows = {(place.owner, node) for place in places(load) for node in place.viewers}
    for owner, node in shows:  # each group of a referee's node is shown at once
        found[node].burst += found[owner].group
    return found


def fit_nodes(observations: Sequence[Observation]) -> NodeWork:
    """Return the costs of a node."""
    rows = [structs.asdict(work) for observation in observations for work in observed_works(observation)]
    uses = [use for observation in observations for use in observation.nodes]
    return NodeWork(**least_squares(rows, uses))


def fit_bus(observations: Sequence[Observation], bursts: Sequence[Burst]) -> Bus:
    """Return the costs of the bus. Each frame of the observed clusters comes alone, and wakes it."""
    rows = []
    for each in observations:
        frames = sum(each.frames) / 2
        rows.append({"standing": float(len(each.nodes)), "wake": frames, "frame": frames})
    rows += [{"standing": 0.0, "wake": each.bursts, "frame": each.bursts * each.frames} for each in bursts]
    return Bus(**least_squares(rows, [each.bus for each in observations] + [each.use for each in bursts]))


def fit_database(observations: Sequence[Observation]) -> Database:
    """Return the costs of the database."""
    rows = [{"standing": len(each.nodes), "group": each.groups, "move": each.moves} for each in observations]
    return Database(**least_squares(rows, [each.database for each in observations]))


def fit_clients(observations: Sequence[Observation]) -> Clients:
    """Return the costs of the clients."""
    players = least_squares([{"move": each.moves} for each in observations], [each.players for each in observations])
    watchers = least_squares(
        [{"viewer": each.viewed} for each in observations], [each.watchers for each in observations]
    )
    return Clients(players["move"], watchers["viewer"])


def predicted(costs: NodeWork, observation: Observation) -> list[float]:
    """Return the use of each node that the costs explain."""
    prices = structs.asdict(costs)
    return [
        sum(prices[name] * amount for name, amount in structs.asdict(work).items())
        for work in observed_works(observation)
    ]
