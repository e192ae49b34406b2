# SPDX-License-Identifier: GPL-3.0-or-later
"""What a player did, without any theory of why: the frequency baseline.

Two things are counted: which moves were made in a position, and how often a man of some kind was moved from one cell to
another where it could be.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bots.modelling.templates import CELLS

KINDS = 8
PHASES = 3
"""Of a game, by the men that are left."""

EARLY = 40
"""Plies in which positions are remembered."""

OWN, KIND = 5.0, 10.0
"""Chances that are taken to have been seen before any was: of a move, of a kind's arriving on a cell."""


def phase(men: int, all_men: int) -> int:
    """Return the phase of a game: 0 while nearly all men are there, 2 when half of them are gone."""
    return 0 if men > 0.84 * all_men else 1 if men > 0.5 * all_men else 2


class Habits:
    """Counts of one player's moves, from both seats."""

    def __init__(self) -> None:
        self.offered, self.played = np.zeros((2, KINDS * CELLS * CELLS))
        self.by_phase_offered, self.by_phase_played = np.zeros((2, PHASES * KINDS * CELLS))
        self.positions: dict[int, dict[str, int]] = {}

    def add(self, spans: NDArray[np.int64], chosen: int, phase_: int) -> None:
        """Take in a choice: origin, target and kind of each legal move, and which of them was played."""
        own, arrival = _codes(spans, phase_)
        np.add.at(self.offered, own, 1)
        np.add.at(self.by_phase_offered, arrival, 1)
        self.played[own[chosen]] += 1
        self.by_phase_played[arrival[chosen]] += 1

    def note(self, key: int, text: str) -> None:
        """Remember a move of an early position."""
        moves = self.positions.setdefault(key, {})
        moves[text] = moves.get(text, 0) + 1

    def seen(self, key: int) -> Mapping[str, int]:
        """Return the moves that were made in a position, and how often."""
        return self.positions.get(key, {})

    def rates(self, spans: NDArray[np.int64], phase_: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how often each move was made of the times that it could be: itself, and its kind's arriving there."""
        own, arrival = _codes(spans, phase_)
        base = (self.by_phase_played.sum() + 1) / (self.by_phase_offered.sum() + 30)
        kinds = (self.by_phase_played[arrival] + KIND * base) / (self.by_phase_offered[arrival] + KIND)
        return (self.played[own] + OWN * kinds) / (self.offered[own] + OWN), kinds


def _codes(spans: NDArray[np.int64], phase_: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    origin, target, kind = spans[:, 0], spans[:, 1], spans[:, 2]
    return (kind * CELLS + origin) * CELLS + target, (phase_ * KINDS + kind) * CELLS + target
