# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads are the same work for the cluster, wherever bots, referees and spectators are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.simulation.loads import Load, Placement, places, works

PLACEMENTS: list[Placement] = ["near", "far", "spread", "local"]


@given(
    nodes=st.integers(1, 6),
    placement=st.sampled_from(PLACEMENTS),
    matches=st.integers(1, 80),
    spectators=st.integers(0, 300),
    watched=st.integers(0, 80),
)
def test_each_move_is_relayed_refereed_and_seen_somewhere(
    nodes: int, placement: Placement, matches: int, spectators: int, watched: int
) -> None:
    load = Load(nodes, placement, matches, 1.0, spectators, min(watched, matches))
    found = works(load, 1000.0)
    assert sum(work.door for work in found) == pytest.approx(1000)
    assert sum(work.referee for work in found) == pytest.approx(1000)
    seen = spectators if load.watched else 0
    assert sum(work.viewer for work in found) == pytest.approx(1000 / matches * seen)
    for place in places(load):
        assert place.owner in place.doors or placement == "far"


@pytest.mark.parametrize("placement", ["near", "local"])
def test_no_message_goes_between_nodes_if_everybody_is_at_the_referees_node(placement: Placement) -> None:
    found = works(Load(3, placement, 30, 1.0, 30, 30, "first"), 1000.0)
    assert sum(work.message for work in found) == 0


def test_a_balancer_spreads_the_work_evenly() -> None:
    found = works(Load(3, "spread", 36, 1.0, 108, 36), 1000.0)
    for name in ("door", "referee", "viewer", "message"):
        amounts = [getattr(work, name) for work in found]
        assert max(amounts) == pytest.approx(min(amounts), rel=0.01), name
