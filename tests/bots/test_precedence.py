# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that stands back does so among all processes, however the system shares its processors."""

import subprocess
import sys
from pathlib import Path

import pytest

GROUP = Path("/proc/self/autogroup")

TELLING = """
import os
from pathlib import Path
from bots.precedence import stand_back
before = os.nice(0)
stand_back(3)
group = Path("/proc/self/autogroup")
print(os.nice(0) - before, group.read_text().split()[-1] if group.exists() else os.nice(0), os.nice(0), before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no niceness")
@pytest.mark.parametrize("leads", [True, False])
def test_it_stands_back_and_its_session_too_where_it_is_its_own(leads: bool) -> None:
    told = subprocess.run(
        [sys.executable, "-c", TELLING], capture_output=True, text=True, check=True, start_new_session=leads
    )
    steps, group, niceness, before = map(int, told.stdout.split())
    assert steps == min(3, 19 - before)
    if GROUP.exists() and leads:
        assert group == niceness
