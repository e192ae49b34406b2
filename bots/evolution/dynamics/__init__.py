# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics by name, one file each."""

from bots.evolution.dynamics import (
    cma_es,
    ecological,
    evochess,
    generational,
    kendall_whitwell,
    moran,
    replicator,
    spsa,
)
from bots.evolution.dynamics.dynamic import Dynamic

DYNAMICS: dict[str, Dynamic] = {
    each.DYNAMIC.name: each.DYNAMIC
    for each in (kendall_whitwell, generational, moran, ecological, replicator, cma_es, spsa, evochess)
}


def dynamic_named(name: str) -> Dynamic:
    """Return the dynamics of a name. Raises KeyError, with a message that lists the names, for an unknown one."""
    if name not in DYNAMICS:
        raise KeyError(f"no dynamics are called {name[:40]!r}; there are {', '.join(DYNAMICS)}")
    return DYNAMICS[name]
