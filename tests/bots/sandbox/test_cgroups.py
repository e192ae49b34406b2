# SPDX-License-Identifier: GPL-3.0-or-later
"""Control groups that an earlier process with the same number has left."""

import os
from pathlib import Path

from bots.sandbox import cgroups
from bots.sandbox.cgroups import CONTROLLERS, Groups
from bots.sandbox.limits import SandboxLimits


def test_a_group_does_not_take_the_name_of_one_that_was_left(tmp_path: Path) -> None:
    parents = {name: tmp_path / name for name in CONTROLLERS}
    for parent in parents.values():
        parent.mkdir()
    groups = Groups("v1", parents)
    number = int(groups.make(SandboxLimits()).paths["pids"].name.rpartition("-")[2])
    left = f"{cgroups.PREFIX}{os.getpid()}-{number + 1}"
    (parents["cpu"] / left).mkdir()
    group = groups.make(SandboxLimits())
    assert {path.name for path in group.paths.values()} == {f"{cgroups.PREFIX}{os.getpid()}-{number + 2}"}
