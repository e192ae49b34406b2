# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of the repository without one of its features, and without the features that need it."""

import shutil
import subprocess
from pathlib import Path

from arena.cli.features import FEATURES

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
    """Copy the sources to ``folder``, without the feature's folder, its tests and its line in the list, and without
    those of the features that need it; return it.
    """
    copy_sources(folder)
    names = (folder / LIST).read_text("utf-8")
    for each in without(feature):
        shutil.rmtree(folder / "arena" / "features" / each)
        shutil.rmtree(folder / "tests" / "features" / each)
        line = f'    "{each}",\n'
        assert names.count(line) == 1
        names = names.replace(line, "")
    (folder / LIST).write_text(names, "utf-8")
    return folder


def without(feature: str) -> list[str]:
    """Return a feature and the features that need it, directly or through others."""
    gone = [feature]
    for each in FEATURES:  # each comes after those that it needs
        if set(each.needs) & set(gone):
            gone.append(each.name)
    return gone
