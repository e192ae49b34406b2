# SPDX-License-Identifier: GPL-3.0-or-later
"""The suite of openings of evolved searches.

The suite of a game is drawn once. Breeding uses one part of it and measurements the other, so no measured game begins
from a position of breeding.
"""

import functools
import itertools

from engine.game import Game
from engine.games import find
from engine.opening import drawn_openings
from engine.search import Limits, Searcher

SUITE_SEED = 2002
SUITE_DEPTH, SUITE_PLIES = 3, 6
BRED, MEASURED = 400, 400
"""Openings of the suite's two parts."""
MARGIN = 0.7
"""Largest advantage after an opening, in pawn units."""

Opening = tuple[str, ...]


@functools.cache
def suite(name: str) -> tuple[Opening, ...]:
    """Return the openings of a game: those of breeding, then those of measurements."""
    game = find(name)
    judge = Searcher(game, "alphabeta")
    drawn = drawn_openings(
        game,
        SUITE_SEED,
        plies=SUITE_PLIES,
        judge=judge,
        limits=Limits(depth=SUITE_DEPTH),
        margin=round(judge.evaluation.points(MARGIN)),
    )
    return tuple(itertools.islice(drawn, BRED + MEASURED))


def bred_openings(game: Game) -> tuple[Opening, ...]:
    """Return the openings of breeding."""
    every = suite(game.name)
    return every[: len(every) // 2]


def measured_openings(game: Game) -> tuple[Opening, ...]:
    """Return the openings of measurements."""
    every = suite(game.name)
    return every[len(every) // 2 :]
