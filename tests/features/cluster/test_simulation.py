# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of a cluster has the times of the cluster, which it may not import."""

from arena.features.cluster.bus import links
from arena.features.cluster.membership import judging, leases
from arena.store.database import writer
from lab.simulation import keeping as modelled
from lab.simulation import node, writing


def test_the_times_of_the_model_are_those_of_the_cluster() -> None:
    assert (modelled.PATIENCE, modelled.RENEWAL) == (judging.PATIENCE, leases.RENEWAL)
    assert node.PERIOD == links.BEAT
    assert (writing.GATHERING, writing.GROUP) == (writer._GATHERING, writer._GROUP)
