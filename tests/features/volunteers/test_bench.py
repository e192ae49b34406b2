# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark of the feature, in short."""

from pathlib import Path

import pytest

from tests.features.volunteers import bench


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads what the server used under /proc")
def test_islands_report_and_are_given_genomes_under_load() -> None:
    options = ("--volunteer-mating=1", "--volunteer-interval=0")
    used, arena = bench.measured(20, 1.5, 9.0, *options, least=(90, 1))
    assert set(arena.statuses) == {200}
    assert arena.enough
    assert used > 0
