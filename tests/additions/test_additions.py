# SPDX-License-Identifier: GPL-3.0-or-later
"""A rating system, a tournament format and a kind of genomes are one product file each, a message is edits of three: in
a copy of the sources with these additions, all of them are used.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.additions.message import EDITS, insert
from tests.features.without import copy_sources

HERE = Path(__file__).parent
PATIENCE = 600
"""Seconds for a run that takes a few, on a machine that is busy with other things."""

ADDED = {
    "win_share.py": "arena/rating",
    "scheveningen.py": "arena/tournaments/machine/formats",
    "squares.py": "bots/evolution/kinds",
}
"""The added modules, each with the folder where it is found by discovery."""


def test_additions_work_without_edits_of_other_files(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    for name, folder in ADDED.items():
        shutil.copy(HERE / name, copy / folder / name)
    for path, edits in EDITS.items():
        (copy / path).write_text(insert((copy / path).read_text("utf-8"), edits), "utf-8")
    environment = os.environ | {"PYTHONPATH": str(copy)}
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/additions/added.py")
    done = subprocess.run(
        command, cwd=copy, env=environment, check=False, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
