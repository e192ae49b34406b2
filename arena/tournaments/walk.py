# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk of a sequential test: its log-likelihood ratio after each pair of games."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from arena.rating.sprt import Floats
from arena.tournaments.machine.tournament import Tournament

MOST_POINTS = 400
"""Maximum number of points; of a longer walk each stretch keeps its lowest and its highest point."""


class WalkPoint(Struct, frozen=True):
    """The log-likelihood ratio after a number of pairs of games."""

    pairs: int
    """Number of finished pairs of games."""
    ratio: float
    """Log-likelihood ratio after these pairs."""


class Walk(Struct, frozen=True, kw_only=True):
    """The walk of a sequential test, from 0 to the newest pair, or to the pair that decided the test."""

    points: list[WalkPoint]
    """Points of the walk, in order; of long walks at most 400."""
    bounds: tuple[float, float]
    """The ratios at which H0 and H1 are accepted."""
    accepted: str | None
    """H0 or H1 after the decision."""


def walk(tournament: Tournament) -> Walk | None:
    """Return the walk of a tournament's sequential test; None if it has none."""
    form, course = tournament.config.format, tournament.course
    state, ratios = form.test(course), form.ratios(course)
    if state is None or ratios is None:
        return None
    return Walk(
        points=[WalkPoint(0, 0.0), *(WalkPoint(place + 1, float(ratios[place])) for place in _chosen(ratios))],
        bounds=state.bounds,
        accepted=state.accepted,
    )


def _chosen(ratios: Floats) -> Sequence[int]:
    """Return the places of the ratios to show, in order."""
    if len(ratios) <= MOST_POINTS:
        return range(len(ratios))
    chosen = {0, len(ratios) - 1}
    for stretch in np.array_split(np.arange(len(ratios)), (MOST_POINTS - 2) // 2):
        chosen |= {int(stretch[ratios[stretch].argmin()]), int(stretch[ratios[stretch].argmax()])}
    return sorted(chosen)
