# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a search ends: limits that are set before, and a stop that another thread can give."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.kernel import inlined
from engine.search.memory import ABORTED, LIMIT, MAX_DEPTH, NODES, STOP

Cells = NDArray[np.int64]
"""``Memory.control`` of a running search."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search ends, whichever comes first; one ply is always searched to its end. None: no such limit.

    Searches limited by depth or nodes alone are reproducible to the bit.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    soft_seconds: float | None = None
    """No iteration is begun after about so long: less where the best move stays the same, more where it does not."""

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"a search is 1 to {MAX_DEPTH} plies deep, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"a search needs a node, not {self.nodes}")
        if self.seconds is not None and not self.seconds >= 0:
            raise ValueError(f"a search cannot take {self.seconds} seconds")
        if self.soft_seconds is not None and not self.soft_seconds >= 0:
            raise ValueError(f"a search cannot take {self.soft_seconds} seconds")


@inlined
def given_up(control: Cells, visits: int) -> bool:
    """Count so many more positions as visited; or give the search up, where a limit or a stop forbids them."""
    if control[NODES] + visits > control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return True
    control[NODES] += visits
    return False


class Stop:
    """Ends a search from another thread, within milliseconds. May be set before the search begins."""

    def __init__(self) -> None:
        self._set = False
        self._cells: list[Cells] = []

    def set(self) -> None:
        """End the searches that were given this stop."""
        self._set = True
        for control in list(self._cells):
            control[STOP] = 1

    def is_set(self) -> bool:
        """Return whether it was set."""
        return self._set

    def attach(self, control: Cells) -> None:
        """Let ``set`` reach a running search."""
        self._cells.append(control)
        if self._set:
            control[STOP] = 1

    def detach(self, control: Cells) -> None:
        """Undo ``attach``."""
        self._cells = [other for other in self._cells if other is not control]
