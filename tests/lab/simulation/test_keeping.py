# SPDX-License-Identifier: GPL-3.0-or-later
"""After the death of a node all its matches go on, as soon as its lease could be taken."""

import pytest

from lab.simulation.keeping import PATIENCE, RENEWAL, Keeping
from lab.simulation.loads import Load
from lab.simulation.model import Cluster
from lab.simulation.node import Machines
from lab.simulation.runs import lose
from tests.lab.simulation.made_up import COSTS

LOAD = Load(4, "spread", 160, 1.0, 320, 160)


@pytest.mark.parametrize("victim", [1, 0], ids=["node", "leader"])
@pytest.mark.parametrize("seed", range(3))
def test_all_matches_of_a_dead_node_go_on_after_the_lease(seed: int, victim: int) -> None:
    loss = lose(COSTS, LOAD, Machines(hop=0.000_25), seed, 9.0, victim)
    death = loss.death
    assert (death.matches, death.bots, death.spectators) == (40, 80, 80)
    assert loss.never == 0
    assert len(death.moved) == len(death.resumed) == death.matches
    assert len(death.watched) == death.spectators
    # the last renewal may be as old as a period, and it is read once in each period
    assert PATIENCE - RENEWAL <= death.taken <= PATIENCE + 2 * RENEWAL
    assert death.taken <= death.given <= death.taken + 2 * RENEWAL
    assert death.taken < min(death.moved.values())
    assert max(death.moved.values()) < death.given + 1.5
    assert death.standing[-1][1] == 0


def test_matches_of_other_nodes_go_on_as_soon_as_their_bots_are_back() -> None:
    cluster = Cluster(COSTS, LOAD, Machines(), seed=2)
    keeping = Keeping(cluster)
    cluster.run(3.0)
    others = [match for match in cluster.matches if match.place.owner != 1 and 1 in match.place.doors]
    keeping.kill(1)
    cluster.run(3.05)
    plies = {match.number: match.plies for match in others}
    cluster.run(6.0)
    assert others
    assert all(match.plies >= plies[match.number] + 2 for match in others)
    assert all(1 not in match.place.doors for match in cluster.matches)


def test_moves_are_counted_once_over_a_death() -> None:
    cluster = Cluster(COSTS, LOAD, Machines(), seed=4)
    keeping = Keeping(cluster)
    begun = sum(match.plies for match in cluster.matches)
    cluster.run(3.3)
    keeping.kill(2)
    cluster.run(15.0)
    assert cluster.tally.moves == sum(match.plies for match in cluster.matches) - begun
    assert all(match.moved > 13.0 for match in cluster.matches)
