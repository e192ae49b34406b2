# SPDX-License-Identifier: GPL-3.0-or-later
"""Python in a sandbox: this interpreter with its libraries and the SDK, all read-only."""

import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path

from bots.sandbox.limits import HOME, SYSTEM, Program, SandboxLimits

PACKAGES = ("arena", "bots", "engine")
"""What the SDK and the games' rules need."""


def python_program(file: Path, limits: SandboxLimits = SandboxLimits()) -> Program:  # noqa: B008  # frozen, so no call can change it
    """Return the program that runs a Python file, in whose directory it may read everything.

    Libraries are those of the environment that runs this.
    """
    return Program(
        command=(sys.executable, "-u", f"{HOME}/{file.name}"),
        directory=file.resolve().parent,
        readable=readable_paths(),
        limits=limits,
    )


def readable_paths() -> tuple[Path, ...]:
    """Return the directories that this interpreter reads: its own, its environment's, and the SDK's packages."""
    wanted = {Path(sys.base_prefix), Path(sys.prefix)}
    executable = Path(sys.executable)
    while executable.is_symlink():
        wanted.add(_around(executable))
        executable = executable.parent / executable.readlink()
    for name in PACKAGES:
        found = importlib.util.find_spec(name)
        wanted.update(map(Path, (found.submodule_search_locations or ()) if found else ()))
    every = {path for path in wanted if path.is_dir() and not _within(path, map(Path, SYSTEM))}
    return tuple(sorted(path for path in every if not _within(path, every - {path})))


def _around(link: Path) -> Path:
    """Return the directory that must be shown for a link to an interpreter: the installation that it is in, or the
    link's own directory. A link in ``~/.local/bin`` must not show ``~/.local`` with everybody's data.
    """
    prefix = link.parent.parent
    installed = (prefix / "pyvenv.cfg").is_file() or any((prefix / "lib").glob("python3*/os.py"))
    return prefix if installed else link.parent


def _within(path: Path, others: Iterable[Path]) -> bool:
    return any(other in (path, *path.parents) for other in others)
