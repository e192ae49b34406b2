# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that stands back does so among all processes, however the system shares its processors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

GROUP = Path("/proc/self/autogroup")

TELLING = """
import json
import os
from pathlib import Path
from bots.precedence import stand_back
before = os.nice(0)
stand_back(3)
group = Path("/proc/self/autogroup")
# a process whose session has no group reads nothing there
told = group.read_text().split() if group.exists() else []
print(json.dumps([os.nice(0), int(told[-1]) if told else None, before]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no niceness")
@pytest.mark.parametrize("leads", [True, False])
def test_it_stands_back_and_its_session_too_where_it_is_its_own(leads: bool) -> None:
    told = subprocess.run(
        [sys.executable, "-c", TELLING], capture_output=True, text=True, check=True, start_new_session=leads
    )
    niceness, group, before = json.loads(told.stdout)
    assert niceness == min(before + 3, 19)
    if leads and GROUP.exists():
        assert group == niceness
