# SPDX-License-Identifier: GPL-3.0-or-later
"""What an individual decides in the frame: the depth of every branch, the order of moves, and what positions are worth.

The frozen rivals are written in the same terms, so that they count positions as those do whom they are measured by:
``f-negascout-N`` looks N plies ahead by fail-soft NegaScout (A. Reinefeld, 1983), the most valuable captures first,
then killers and history; ``alpha-beta-N`` has neither order nor null windows. Both have the quiescence search of the
evolved players, the game's default evaluation of those, and no hash table, and end at a depth, not by a budget.
"""

from dataclasses import dataclass

from bots.evolution.programs.program import Program
from engine.evaluation import Evaluation
from engine.game import Game

PLAIN: Program = ("horizon",)
"""Searches every branch to the same depth."""


@dataclass(frozen=True, slots=True)
class Steering:
    """How a player searches."""

    program: Program
    """Gives every branch its depth."""
    order: tuple[float, ...]
    """What moves are ordered by: a man captured, a capture that loses by the exchange (taken off), the two killers, the
    history (from -1 to 1), and being the answer that last refuted the move before."""
    evaluation: Evaluation
    windows: bool = True
    """Whether moves after the first are tried with a null window before they are searched."""
    verifies: bool = False
    """Whether a branch that was made shallower and proves good is searched again to the usual depth."""
    passes: bool = False
    """Whether passing is tried where a position is good enough: where that still is, it is cut off. The program says
    how deep that is looked at."""
    depth: int | None = None
    """Searches so deep at once; None: one depth after the other, as far as nodes allow."""
    patience: float = 0.5
    """No iteration begins when this part of the average of nodes is used up."""


CAPTURES_FIRST = (100.0, 0.0, 40.0, 30.0, 10.0, 0.0)
NO_ORDER = (0.0,) * 6

EVALUATIONS = ("evochess", "lecture")
"""The evaluations that players of a game begin with: the first that it has, else the game's own first."""


def default_evaluation(game: Game) -> Evaluation:
    """Return the evaluation whose weights are bred in a game, at its defaults."""
    for name in EVALUATIONS:
        if name in game.evaluations:
            return game.evaluations[name]
    return next(iter(game.evaluations.values()))


def negascout(game: Game, depth: int) -> Steering:
    """Return the rival ``f-negascout`` of a depth."""
    return Steering(PLAIN, CAPTURES_FIRST, default_evaluation(game), depth=depth)


def alpha_beta(game: Game, depth: int) -> Steering:
    """Return the rival ``alpha-beta`` of a depth."""
    return Steering(PLAIN, NO_ORDER, default_evaluation(game), windows=False, depth=depth)
