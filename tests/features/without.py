# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of the repository without one of its features."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]

LIST = Path("arena", "cli", "features.py")


def copy_sources(folder: Path) -> Path:
    """Copy the sources to ``folder``; return it."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in {name.partition("/")[0] for name in tracked.split("\0") if name}:
        if (ROOT / name).is_dir():
            # times stay as they are, so that mypy knows the files that it has checked before
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder


def copied(feature: str, folder: Path) -> Path:
    """Copy the sources to ``folder``, without the feature's folder, its tests and its line in the list; return it."""
    copy_sources(folder)
    shutil.rmtree(folder / "arena" / "features" / feature)
    shutil.rmtree(folder / "tests" / "features" / feature)
    names = (folder / LIST).read_text("utf-8")
    line = f'    "{feature}",\n'
    assert names.count(line) == 1
    (folder / LIST).write_text(names.replace(line, ""), "utf-8")
    return folder
