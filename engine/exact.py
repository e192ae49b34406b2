# SPDX-License-Identifier: GPL-3.0-or-later
"""A game's own exact search: what the algorithm "solve" uses in games with a solver that only they can have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]
"""Counters of a search, which ``engine.search`` shares with an exact search; its first cells are those below."""

NODES, LIMIT, STOP, ABORTED = range(4)
"""Visited positions; their limit; not 0: end the search; set to 1 when a limit or ``STOP`` ended it."""


class Proven(NamedTuple):
    """What an exact search found."""

    payoff: float
    """Of the seat to move, with best play of both; at least this, if the search was ended early."""
    line: tuple[int, ...]
    """Best moves of both seats, at least one."""


class Prover(Protocol):
    """An exact search, which keeps its table between positions. Not thread-safe."""

    def prove(self, state: Any, moves: Sequence[int]) -> Proven | None:
        """Return the result of the best of some legal moves of a state that is not over, by count of ``NODES``.

        None: a limit ended the search before it found a move that is of use.
        """


@dataclass(frozen=True, slots=True)
class Exact:
    """Declares a game's own exact search."""

    make: Callable[[Cells, int], Prover]
    """Return a new search with a table of about this many bytes."""
    plies_left: Callable[[Any], int]
    """Return the plies to the end of the game; 0: the state is over or cannot be searched, as at a chance node."""
    meaning: Callable[[Any, float], Mapping[str, int]]
    """Return what a payoff of the seat to move in a state means in the game's own numbers, by name."""
    example: Callable[[], Any]
    """Return a small state that can be searched, to compile the code."""
