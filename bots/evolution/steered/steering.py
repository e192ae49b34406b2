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
    esteem: float = 0.0
    """Late moves are searched so many plies deeper for each 1 that history and sequels say of them, or less deep."""
    refuted: float = 0.0
    """And so many plies less deep where any move is expected to refute the position."""
    principal: float = 0.0
    """And so many plies deeper where the window is open."""
    worse: float = 0.0
    """And so many where the score is no better than it was when the same seat was to move before; there ``few`` is so
    many parts more strict."""
    disdain: float = NEVER
    """Quiet moves are left out of which history and sequels say less than minus so much, for each ply that is left."""
    unknown: float = 0.0
    """So much less deep is searched, from UNKNOWN plies on, where the window is open or a refutation is expected, but
    no move is remembered."""
    surplus: float = 0.0
    """Passing is looked at by so many plies less deep for each man that the score is above the window."""
    learning: float = 1 / 64
    """How fast histories follow what happens, a ply deep; the square of the depth times as fast where it is more."""
    better: float = 0.0
    """Where the score is better than it was before, it stands as if so many plies less were left."""
    foresight: float = 0.0
    """Margins see this part of the reduction of a late move as searched already."""
    evasive: float = 0.0
    """In quiescence search who is threatened tries moves by what they win, and so many men for each 1 that history and
    sequels say."""

    @property
    def bold(self) -> bool:
        """Whether branches or searches are left out by margins against the window, or by count."""
        return min(self.hope, self.standing, self.risk, self.disdain) < NEVER or self.few < ALL


NOTHING = Daring()


@dataclass(frozen=True, slots=True)
class Steering:
    """How a player searches."""

    program: Program
    """Gives every branch its depth."""
    order: tuple[float, ...]
    """What moves are ordered by: a man captured, a capture that loses by the exchange (taken off), the two killers, the
    history (from -1 to 1), being the answer that last refuted the move before, and losing by the exchange what captures
    nothing (taken off); how the move did after the other side's last move, and after the own one before that (both
    from -1 to 1); a capture that keeps what it wins."""
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
    remembers: bool = False
    """Whether the tree of the search is remembered as far as there is room, and as the game goes on along it, so that
    where a line leads again, what was best there is tried first, and what it was worth, as deep, stands."""
    dares: Daring = NOTHING
    depth: int | None = None
    """Searches so deep at once; None: one depth after the other, as far as nodes allow."""
    patience: float = 0.5
    """No iteration begins when this part of the nodes that the move may cost is used up."""
    steady: float = 0.0
    """And when so much less is, for each of the last iterations, two at most, that found the same move as the one
    before it."""


CAPTURES_FIRST = (100.0, 0.0, 40.0, 30.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NO_ORDER = (0.0,) * 10

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
