# SPDX-License-Identifier: GPL-3.0-or-later
"""The packets between ``tests.forked`` and its process."""

from collections.abc import Mapping
from typing import TypedDict

MODULES = frozenset({"arena.cli"})
"""The modules that it runs, as ``python -m`` does."""

LONGEST_REQUEST = 1 << 17
"""Bytes of a request."""


class Request(TypedDict):
    """A process to start."""

    words: list[str]
    """A module and its arguments: those of ``python -m``."""
    environment: dict[str, str]
    folder: str
    leads: bool
    """Whether it leads a session of its own."""
    descriptors: list[int]
    """The numbers that the descriptors of the packet get; it has no others."""


LOADED = ("HOME", "LANG", "LC_", "LD_", "NUMBA_", "OMP_", "OPENBLAS_", "PYTHON", "XDG_CACHE_")
"""How the names of the variables begin that Python, numpy, numba and the kernel cache read when they are loaded."""


def loaded_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are read when modules are loaded. A fork cannot have others than its parent."""
    return {name: value for name, value in environment.items() if name.startswith(LOADED)}
