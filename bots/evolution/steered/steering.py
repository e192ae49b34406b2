# SPDX-License-Identifier: GPL-3.0-or-later
"""What an individual decides in the frame: the depth of every branch, the order of moves, and what positions are worth.

The frozen rivals are written in the same terms, so that they count positions as those do whom they are measured by:
``f-negascout-N`` looks N plies ahead by fail-soft NegaScout (A. Reinefeld, 1983), the most valuable captures first,
then killers and history; ``alpha-beta-N`` has neither order nor null windows. Both have the quiescence search of the
evolved players, the game's default evaluation of those, and no hash table, and end at a depth, not by a budget.
"""

from dataclasses import dataclass
from typing import NamedTuple

from bots.evolution.programs.program import Program
from engine.evaluation import Evaluation
from engine.game import Game

PLAIN: Program = ("horizon",)
"""Searches every branch to the same depth."""


NEVER = 10.0
"""A margin of so many men is none."""
ALL = 1_000.0
"""More moves than any position has."""


class Daring(NamedTuple):
    """What the frame leaves out by itself, off the principal variation: margins in men. By default nothing.

    Who is threatened loses no branch so, nor is a threat left out, and none of it is done near mate.
    """

    standing: float = NEVER
    """A score so much above the window, for each ply that is left, stands for a search."""
    hope: float = NEVER
    hope_a_ply: float = 0.0
    """A branch is left out where the score, what the move wins at once, ``hope``, and so much for each ply that is
    left do not come up to the window; all of them may be."""
    few: float = ALL
    """After so many moves, and as many more times half the square of the depth, quiet ones are left out."""
    risk: float = NEVER
    """A move is left out that loses more than so much, for each ply that is left, by the exchange."""
    trust: float = NEVER
    """In quiescence search a capture that reaches so far above the window by the exchange is believed."""
    despair: float = NEVER
    """There a capture is left out that, with so much more, does not come up to the window by the exchange."""
    late: float = 0.0
    settled: float = 0.0
    """Quiet moves after the first so many are searched less deep at first, by ``late`` times the logarithms of the
    depth and of their place; one that proves good then is searched again as the program says."""
    lighter: float = 0.0
    """Passing is looked at by so many plies less deep than the program says."""
    narrow: float = NEVER
    """From the third on iterations begin with a window so wide on both sides of what the last one found."""

    @property
    def bold(self) -> bool:
        """Whether branches or searches are left out by margins against the window, or by count."""
        return self.hope < NEVER or self.standing < NEVER or self.risk < NEVER or self.few < ALL


NOTHING = Daring()


@dataclass(frozen=True, slots=True)
class Steering:
    """How a player searches."""

    program: Program
    """Gives every branch its depth."""
    order: tuple[float, ...]
    """What moves are ordered by: a man captured, a capture that loses by the exchange (taken off), the two killers, the
    history (from -1 to 1), being the answer that last refuted the move before, and losing by the exchange what captures
    nothing (taken off)."""
    evaluation: Evaluation
    windows: bool = True
    """Whether moves after the first are tried with a null window before they are searched."""
    verifies: bool = False
    """Whether a branch that was made shallower and proves good is searched again to the usual depth."""
    passes: bool = False
    """Whether passing is tried where a position is good enough: where that still is, it is cut off. The program says
    how deep that is looked at."""
    follows: bool = False
    """Whether the best line of the last iteration is tried first."""
    recalls: bool = False
    """Whether killers of the search before are those of the next at first."""
    dares: Daring = NOTHING
    depth: int | None = None
    """Searches so deep at once; None: one depth after the other, as far as nodes allow."""
    patience: float = 0.5
    """No iteration begins when this part of the nodes that the move may cost is used up."""


CAPTURES_FIRST = (100.0, 0.0, 40.0, 30.0, 10.0, 0.0, 0.0)
NO_ORDER = (0.0,) * 7

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
