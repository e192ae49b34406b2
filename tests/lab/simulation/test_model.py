# SPDX-License-Identifier: GPL-3.0-or-later
"""The model loses no move, costs what its parts cost, and does the same for the same seed."""

import msgspec
import pytest

from lab.simulation.loads import Load, Placement, works
from lab.simulation.model import Cluster
from lab.simulation.node import Machines
from lab.simulation.runs import percentile, run, weighted
from tests.lab.simulation.made_up import COSTS

ALONE = Machines(hop=0.000_25, flush=0.001)
SHARED = Machines(shared=2)


@pytest.mark.parametrize("placement", ["near", "far", "spread", "local"])
@pytest.mark.parametrize("machines", [ALONE, SHARED], ids=["own processors", "shared processors"])
def test_no_move_is_lost_or_made_twice(placement: Placement, machines: Machines) -> None:
    load = Load(3, placement, 40, 4.0, 80, 40)
    cluster = Cluster(COSTS, load, machines, seed=3)
    begun = {match.number: match.plies for match in cluster.matches}
    cluster.run(5.0)
    tally = cluster.tally
    assert tally.moves == sum(match.plies - begun[match.number] for match in cluster.matches)
    assert 0 <= tally.sent - tally.moves <= load.matches
    assert 0 <= tally.moves - len(tally.relays) <= load.matches
    assert 0 <= 2 * tally.moves - tally.viewed <= 4 * load.matches
    # every bot kept its pace
    assert tally.moves == pytest.approx(5 * load.moves, rel=0.05)


@pytest.mark.parametrize("placement", ["near", "far", "spread", "local"])
def test_nodes_use_what_their_work_costs(placement: Placement) -> None:
    load = Load(3, placement, 60, 4.0, 180, 60)
    cluster = Cluster(COSTS, load, ALONE, seed=1)
    cluster.run(1.0)
    cluster.count()
    before = [(node.writer.groups, node.frames, node.bursts) for node in cluster.nodes]
    cluster.run(6.0)
    ends = cluster.tally.ends / 5
    for node, work, (groups, frames, bursts) in zip(
        cluster.nodes, works(load, cluster.tally.moves / 5), before, strict=True
    ):
        work.group, work.frame = (node.writer.groups - groups) / 5, (node.frames - frames) / 5
        work.burst = (node.bursts - bursts) / 5
        prices, amounts = msgspec.structs.asdict(COSTS.node), msgspec.structs.asdict(work)
        expected = sum(prices[name] * amounts[name] for name in prices)
        # the referee's node tells the others of each end, which is no part of the work
        assert cluster.programs.used([node.process]) == pytest.approx(expected, rel=0.03, abs=4 * ends * 25e-6)


def test_the_same_seed_gives_the_same_run_and_another_one_another() -> None:
    load = Load(3, "spread", 30, 3.0, 60, 30)
    one, again, other = (run(COSTS, load, ALONE, seed, 2.0) for seed in (5, 5, 6))
    assert one == again
    assert one.relay != other.relay


def test_a_lonely_move_takes_the_time_of_its_parts() -> None:
    load = Load(1, "near", 1, 1.0)
    cluster = Cluster(COSTS, load, Machines(), seed=1)
    cluster.run(10.0)
    node, database = COSTS.node, COSTS.database
    parts = node.door + node.referee + node.group + database.group + database.move
    found = sorted(delay for _, delay in cluster.tally.relays)
    assert found[0] == pytest.approx(parts)
    assert percentile(found, 50) == pytest.approx(parts)


def test_a_load_beyond_the_processors_is_not_borne() -> None:
    load = Load(1, "near", 500, 1000.0)
    outcome = run(COSTS, load, Machines(), 1, 3.0)
    assert 0.9 < outcome.nodes[0] < 1.001
    # a node makes as many moves a second as its processor allows, if groups and standing cost nothing
    assert outcome.moves < 1 / (COSTS.node.door + COSTS.node.referee)
    assert outcome.moves > 0.85 / (COSTS.node.door + COSTS.node.referee)


def test_percentiles_of_values_that_count_several_times() -> None:
    assert weighted([(1.0, 98), (5.0, 1), (9.0, 1)], 50) == 1.0
    assert weighted([(1.0, 98), (5.0, 1), (9.0, 1)], 99) == 5.0
    assert weighted([], 99) == 0.0
