# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the software: versions of Python, SQLite and the libraries, the kernel cache, the sandbox, the database."""

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from arena.cli.support.examining import Check
from arena.cli.support.examining.machine import MIB
from arena.data_directory import NAME, checkout
from arena.store.database.examining import SQLITE, DatabaseState
from bots.sandbox import Found

PYTHON = (3, 11)
LEAST_SQLITE = (3, 35)
"""The first version that can return the rows that a statement changed."""

LOCK = Path("requirements/run.lock")
"""The pinned versions of the libraries, in a checkout."""

MOST_CACHE = 4 << 30
"""Bytes of compiled code above which old versions of it fill the disk."""

_PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)(?:\s*;\s*([^\\\n]+))?", re.MULTILINE)
_NAMED = re.compile(r"[A-Za-z0-9._-]+")


def versions() -> Check:
    """Check the versions of the arena, Python and SQLite."""
    found = f"arena {version(NAME)}, Python {platform.python_version()}, SQLite {_dotted(SQLITE)}"
    if sys.version_info < PYTHON:
        return Check("versions", "error", found, f"install Python {_dotted(PYTHON)} or newer")
    if SQLITE < LEAST_SQLITE:
        return Check("versions", "error", found, f"install a Python with SQLite {_dotted(LEAST_SQLITE)} or newer")
    return Check("versions", "ok", found)


def _dotted(numbers: Sequence[int]) -> str:
    return ".".join(map(str, numbers))


def libraries(root: Path | None = None) -> Check:
    """Check the versions of the libraries: those of the lock file in a checkout, else that the required ones exist."""
    root = root or checkout()
    lock = None if root is None else root / LOCK
    if lock is not None and lock.is_file():
        wanted = pinned(lock.read_text(encoding="utf-8"))
        differing = [
            f"{name} {found or 'is missing'}, not {pin}"
            for name, pin in wanted.items()
            if (found := _version(name)) != pin
        ]
        if differing:
            return Check(
                "libraries", "warning", "; ".join(differing), f"run `make setup`, which installs the versions of {LOCK}"
            )
        return Check("libraries", "ok", f"{len(wanted)} libraries, as in {LOCK}")
    missing = [name for name in _required() if _version(name) is None]
    if missing:
        return Check("libraries", "error", f"missing: {', '.join(missing)}", f"install {NAME} again with pip or uv")
    return Check("libraries", "ok", "all are installed")


def pinned(lock: str) -> Mapping[str, str]:
    """Return the versions in a lock file by name, without those for other systems and other versions of Python."""
    return {name: pin for name, pin, marker in _PINNED.findall(lock) if not marker.strip() or _version(name) == pin}


def _required() -> Iterator[str]:
    """Return the names of the libraries that every installation needs."""
    for line in requires(NAME) or ():
        found = _NAMED.match(line)
        if found and ";" not in line:
            yield found[0]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def kernel_cache(directory: Path) -> Check:
    """Check the directory of compiled code."""
    whole = directory.parent
    size = sum(path.stat().st_size for path in whole.rglob("*") if path.is_file())
    found = f"{directory}, {size // MIB:,} MiB with other versions"
    if not os.access(directory, os.W_OK | os.X_OK):
        return Check("kernel cache", "error", found, "make it writable, or set NUMBA_CACHE_DIR to another folder")
    if not any(directory.rglob("*.nbc")):
        return Check(
            "kernel cache",
            "warning",
            f"{found}; it is empty",
            "nothing: the first start compiles for some minutes, and games become ready one after the other",
        )
    if size > MOST_CACHE:
        return Check("kernel cache", "warning", found, f"delete the other folders in {whole}, which old versions made")
    return Check("kernel cache", "ok", found)


def sandbox(found: Found) -> Check:
    """Check the sandbox for programs of strangers."""
    why = "".join(f"; not used: {reason}" for reason in found.reasons)
    if found.sandbox is None:
        advice = "do not run uploaded programs here, or install bubblewrap, prlimit and setpriv"
        return Check("sandbox", "warning", f"none{why}", advice)
    text = f"{found.tier}, memory limited by {found.memory_by}{why}"
    if found.tier != "bubblewrap":
        return Check("sandbox", "warning", text, "install bubblewrap, which separates uploaded programs better")
    return Check("sandbox", "ok", text)


def database(state: DatabaseState) -> Check:
    """Check the database."""
    name, place = "database", state.place
    if state.trouble:
        return Check(
            name, "error", f"{place}: {state.trouble}", "start the database server, or correct the URL or path"
        )
    if not state.writable:
        return Check(name, "error", f"{place} is not writable", "let the user of the server write to it and its folder")
    if state.schema is None:
        return Check(name, "ok", f"{place}: none yet; `arena serve` makes it")
    size = "" if state.size is None else f", {state.size // MIB:,} MiB"
    found = f"{place}, schema {state.schema}{size}"
    found += f"; in use by {state.server}" if state.server else "; no server runs on it"
    if state.schema > state.newest:
        advice = f"use the version of the arena that made it: this one has schema {state.newest}"
        return Check(name, "error", found, advice)
    if state.schema < state.newest:
        advice = f"back it up (`arena backup`): the next start of the server migrates it to schema {state.newest}"
        return Check(name, "warning", found, advice)
    return Check(name, "ok", found)
