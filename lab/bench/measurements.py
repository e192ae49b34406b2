# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of benchmarks: lines of a table, each with our figure, a peer's figure, their ratio, and a target."""

import statistics
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

REPEATS = 5


class Skipped(Exception):
    """The benchmark cannot run here; the message says why, for people."""


class Measurement(Struct, frozen=True, kw_only=True):
    """One figure, the median of repeats."""

    what: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str = ""
    target: float | None = None
    """None: the line is for comparison only."""
    of: Literal["figure", "ratio"] = "ratio"
    """The bounded value: our figure, or our figure divided by the peer's."""
    bound: Literal["at least", "at most"] = "at least"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours divided by the peer's."""
        return self.ours / self.peer if self.peer else None

    @property
    def reached(self) -> bool:
        """Whether the target is reached, or there is none."""
        if self.target is None:
            return True
        value = self.ours if self.of == "figure" else self.ratio
        if value is None:
            return False
        return value >= self.target if self.bound == "at least" else value <= self.target


Benchmark = Callable[[], Iterator[Measurement]]


def in_turn(ours: Callable[[], float], peer: Callable[[], float], repeats: int = 3) -> tuple[float, float]:
    """Return the medians of both, measured in turn, so that a busy moment of the machine affects both."""
    pairs = [(ours(), peer()) for _ in range(repeats)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def beside(
    ours: Callable[[], float], peer: Callable[[], float], repeats: int = REPEATS
) -> tuple[float, float | None, str]:
    """Return the medians of both, measured in turn; where the peer cannot run, None and the reason."""
    try:
        peer()
    except Skipped as reason:
        return median(ours, repeats), None, str(reason)
    ours()
    return *in_turn(ours, peer, repeats), ""


def median(measure: Callable[[], float], repeats: int = REPEATS) -> float:
    """Return the median of ``repeats`` calls of ``measure``, after one call whose result is dropped."""
    measure()
    return statistics.median(measure() for _ in range(repeats))
