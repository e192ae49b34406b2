# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena's cache of compiled code, which sandboxes show read-only, so that a bot in Python need not compile.

Shown is the code of the rules and searches alone: the cache also has code of other people's files, and each shown
directory costs 0.1 ms of a start. ``run_file`` links it into a private cache directory in the sandbox, where the bot's
own compiled code goes.
"""

import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bots.sandbox import run_file
from bots.sandbox.limits import LIBRARIES
from engine.native import runtime

PACKAGES = ("engine", "bots")
"""The packages that a sandbox shows and that have compiled functions."""

_OURS = re.compile(r"engine(\.\w+)*")
_GAME = re.compile(re.escape(run_file.KERNELS) + r"/engine\.games\.(\w+)(?:\.[\w.]+)?")
_OTHERS = re.compile(r"_[0-9a-f]{40}$")
"""The end of the names of directories with code of other files: a hash of their paths."""


def shown() -> tuple[Mapping[str, Path], Mapping[str, str]]:
    """Return the directories of compiled code by their places in LIBRARIES, and the environment that names them."""
    directory = runtime.use_cache()
    if not directory.is_dir():
        return {}, {}
    packages = [path for path in sorted(directory.iterdir()) if path.is_dir() and _is_ours(path.name)]
    found = {f"{run_file.KERNELS}/{path.name}": path.resolve() for path in packages}
    return found, {run_file.KERNELS_IN: f"{LIBRARIES}/{run_file.KERNELS}", run_file.KERNELS_NAME: _name()}


def of_game(libraries: Mapping[str, Path], game: str) -> Mapping[str, Path]:
    """Return the shown directories without the compiled code of other games; ``game``: its name, or "" for all."""
    if not game:
        return libraries
    family = game.partition("/")[0]
    return {place: path for place, path in libraries.items() if _family(place) in {None, family}}


def _family(place: str) -> str | None:
    """Return the game whose compiled code a directory has; None where it is another directory."""
    found = _GAME.fullmatch(place)
    return None if found is None else found[1]


def _is_ours(name: str) -> bool:
    return bool(_OURS.fullmatch(name)) and not _OTHERS.search(name)


@cache
def _name() -> str:
    """Return the name that the cache directory has in a sandbox: a hash of the sources that the sandbox shows."""
    root = Path(runtime.__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as name:
        for package in PACKAGES:
            Path(name, package).symlink_to(root / package)
        return runtime.sources_hash(Path(name))
