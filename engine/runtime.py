# SPDX-License-Identifier: GPL-3.0-or-later
"""Where compiled code is kept between processes.

numba stamps only the file of a cached function, not the files it calls, so an edited kernel would leave stale machine
code behind. The cache directory is therefore named after a hash of every source that holds kernels and of numba's
version: an edit anywhere starts a new one.
"""

import functools
import hashlib
import importlib.metadata
import os
from pathlib import Path

import platformdirs

_ROOMS = ("engine", "bots")


@functools.cache
def sources_hash(root: Path) -> str:
    """Return a short hash of all Python sources of the rooms that hold kernels, and of numba's version."""
    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache() -> Path:
    """Point numba at the directory of these sources, in NUMBA_CACHE_DIR where that is set.

    Must run before numba is imported; returns the directory. A process started by this one finds it set, and keeps it.
    """
    asked = os.environ.get("NUMBA_CACHE_DIR")
    directory = Path(asked) if asked else platformdirs.user_cache_path("bot-arena") / "kernels"
    name = sources_hash(Path(__file__).resolve().parent.parent)
    if directory.name != name:
        directory /= name
        os.environ["NUMBA_CACHE_DIR"] = str(directory)
    return directory


def is_warm(name: str) -> bool:
    """Tell whether ``note_warm`` was called for a game since the sources last changed, so that its code need only be
    loaded.
    """
    return _mark(name).exists()


def note_warm(name: str) -> None:
    """Note that all compiled code of a game is in the cache."""
    mark = _mark(name)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


def _mark(name: str) -> Path:
    return use_cache() / f"{name.replace('/', '-')}.warm"
