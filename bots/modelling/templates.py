# SPDX-License-Identifier: GPL-3.0-or-later
"""What a game says of its men to those who model its players: kinds, templates of neighbours, and symmetry. Data only.

The weights of chess are those of S. Walczak's IAM (IEEE TKDE 15(3), 2003), as the lecture "Cognitive Game Theory"
reports them. A weight that is not zero says that a man of the same side on that neighbouring cell belongs to the
pattern: beside and behind each other, and where the one in the middle defends the cell.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

CELLS = 64
"""Boards have eight rows of eight cells, seen by the side that is modelled: its men go up, from row 0."""

Template = tuple[int, int, int, int, int, int, int, int]
"""Weights of the eight neighbours: the row before, from the left, then left and right, then the row behind."""

NEIGHBOURS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""Rows up and columns to the right, in the order of templates."""


@dataclass(frozen=True)
class Templates:
    """How men of a game form patterns."""

    game: str
    kinds: tuple[str, ...]
    """Names of the kinds of men; they are numbered from 1."""
    letters: str
    """What the game's diagram has for them, of the seat that moves first."""
    weights: tuple[Template, ...]
    """A template for each kind."""
    major: frozenset[str]
    """The kinds whose moves are believed in more."""
    mirrored: bool
    """Whether the board and its mirror image, left for right, are alike."""
    turned: bool
    """Whether a side sees the other's board turned by 180 degrees; else upside down."""
    window: int = 4
    """Patterns lie in squares of so many cells a side."""

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """(kinds + 1, 8): the weights by numbers of kinds."""
        return np.array([(0,) * 8, *self.weights], np.int64)

    @cached_property
    def mirror(self) -> NDArray[np.int64]:
        """Each cell's place in the mirror image; its own where there is none."""
        cells = np.arange(CELLS)
        return cells ^ 7 if self.mirrored else cells

    @cached_property
    def across(self) -> NDArray[np.int64]:
        """Each cell as the other side sees it."""
        return np.arange(CELLS) ^ (63 if self.turned else 56)

    @cached_property
    def heavy(self) -> NDArray[np.bool_]:
        """Whether each kind, by number, is a major one."""
        return np.array([False, *(kind in self.major for kind in self.kinds)])


_GENERAL: Template = (4, 8, 16, 2, 32, 1, 128, 64)
_PAWN: Template = (4, 8, 16, 2, 32, 0, 128, 0)
_STRAIGHT: Template = (0, 8, 0, 2, 32, 0, 128, 0)
_DIAGONAL: Template = (4, 0, 16, 0, 0, 1, 0, 64)

TEMPLATES = {
    templates.game: templates
    for templates in (
        Templates(
            game="chess",
            kinds=("pawn", "knight", "bishop", "rook", "queen", "king"),
            letters="PNBRQK",
            weights=(_PAWN, _STRAIGHT, _GENERAL, _STRAIGHT, _GENERAL, _GENERAL),
            major=frozenset({"rook", "queen"}),
            mirrored=True,
            turned=False,
        ),
        # on the dark cells men touch at corners only; a reflection would put them on the light ones
        Templates(
            game="checkers",
            kinds=("man", "king"),
            letters="bB",
            weights=(_DIAGONAL, _DIAGONAL),
            major=frozenset({"king"}),
            mirrored=False,
            turned=True,
        ),
    )
}


def templates_of(game: str) -> Templates:
    """Return the templates of a game. Raises ValueError, with a message for people, when it has none."""
    if game not in TEMPLATES:
        raise ValueError(f"players of {game[:40]} cannot be modelled; those of {', '.join(TEMPLATES)} can")
    return TEMPLATES[game]
