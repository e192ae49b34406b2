# SPDX-License-Identifier: GPL-3.0-or-later
"""Visual chunks: groups of one side's pieces in a small square, found by a recursive convolution with templates.

S. Walczak's collector, as the lecture "Cognitive Game Theory" reports it: the algorithm lays a template of weights on a
piece. Each piece on a neighbouring cell whose weight is not zero joins the pattern, adds the weight to the sums of both
cells, and gets its own template. The papers leave details open. Here the search starts at the cell where a move
arrived, once in each window of 4 × 4 cells around it. A pattern is everything within the window that is reached, and at
least two pieces. Different patterns can have equal sums, so a pattern's key is the set of its kinds and cells.

The weights for chess are those of Walczak's IAM (IEEE TKDE 15(3), 2003), as the lecture reports them. A nonzero weight
means that a piece of the same side on that neighbouring cell belongs to the pattern: pieces beside and behind each
other, and pieces that the middle one defends.
"""

import random
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bots.modelling.board import Cells
from engine.kernel import compiled

CELLS = 64
"""Boards have eight rows of eight cells, seen by the modelled side: its pieces move up, from row 0."""

Template = tuple[int, int, int, int, int, int, int, int]
"""Weights of the eight neighbours: the row before, from the left, then left and right, then the row behind."""

NEIGHBOURS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""Rows up and columns to the right, in the order of templates."""


@dataclass(frozen=True)
class Templates:
    """How pieces of a game form patterns."""

    game: str
    kinds: tuple[str, ...]
    """Names of the kinds of pieces; they are numbered from 1."""
    letters: str
    """Their letters in the game's diagrams, of the seat that moves first."""
    weights: tuple[Template, ...]
    """A template for each kind."""
    major: frozenset[str]
    """The major kinds, whose moves get more belief."""
    mirrored: bool
    """Whether the board and its mirror image, left for right, are alike."""
    turned: bool
    """Whether a side sees the other's board turned by 180 degrees; else upside down."""
    window: int = 4
    """Side of the square windows that patterns lie in, in cells."""

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
        raise ValueError(f"opponent models are for {', '.join(TEMPLATES)}, not for {game[:40]}")
    return TEMPLATES[game]


WIDEST = 16
"""The largest number of pieces in a window, and of windows around a cell."""

_KINDS = 16

_ROWS, _COLUMNS = (np.array(steps, np.int64) for steps in zip(*NEIGHBOURS, strict=True))


def _salts() -> NDArray[np.uint64]:
    chance = random.Random("chunks")
    return np.array([chance.getrandbits(64) for _ in range(_KINDS * CELLS)], np.uint64)


SALTS = _salts()
"""A number for each kind on each cell; a pattern's number is the exclusive or of its pieces' numbers."""


@compiled
def convolve(cells, weights, start, bottom, left, size, sums, found):  # type: ignore[no-untyped-def]  # numba infers the types
    """Lay templates from ``start`` on, in the window from ``bottom`` and ``left``; return how many pieces are reached.

    ``found``: their cells, in the order in which they are reached; ``sums`` (64), which begins as zeros.
    """
    found[0] = start
    count = 1
    seen = np.uint64(1) << np.uint64(start)
    i = 0
    while i < count:
        centre = found[i]
        row, column, kind = centre // 8, centre % 8, cells[centre]
        for direction in range(8):
            weight = weights[kind, direction]
            up, right = row + _ROWS[direction], column + _COLUMNS[direction]
            inside = bottom <= up < bottom + size and left <= right < left + size
            if weight == 0 or not inside or cells[8 * up + right] == 0:
                continue
            cell = 8 * up + right
            sums[centre] += weight
            sums[cell] += weight
            bit = np.uint64(1) << np.uint64(cell)
            if not seen & bit:
                seen |= bit
                found[count] = cell
                count += 1
        i += 1
    return count


@compiled
def gather(cells, start, weights, mirror, size, salts, keys, items, sizes):  # type: ignore[no-untyped-def]  # numba infers the types
    """Find the patterns around ``start`` and return how many there are.

    A pattern and its mirror image are one: ``keys`` has the smaller of their two numbers, ``items`` (16, 16) the pieces
    of that one, each as kind × 64 + cell, and ``sizes`` how many they are.
    """
    sums = np.zeros(64, np.int64)
    found = np.empty(16, np.int64)
    row, column = start // 8, start % 8
    count = 0
    for bottom in range(max(0, row - size + 1), min(row, 8 - size) + 1):
        for left in range(max(0, column - size + 1), min(column, 8 - size) + 1):
            reached = convolve(cells, weights, start, bottom, left, size, sums, found)
            if reached < 2:
                continue
            own, other = np.uint64(0), np.uint64(0)
            for i in range(reached):
                own ^= salts[cells[found[i]] * 64 + found[i]]
                other ^= salts[cells[found[i]] * 64 + mirror[found[i]]]
            key = min(own, other)
            known = False
            for i in range(count):
                known |= keys[i] == key
            if known:
                continue
            keys[count] = key
            sizes[count] = reached
            for i in range(reached):
                cell = found[i] if own <= other else mirror[found[i]]
                items[count, i] = cells[found[i]] * 64 + cell
            count += 1
    return count


def sums(templates: Templates, cells: Cells, start: int) -> dict[int, int]:
    """Return the sums of all men that are reached from a cell, on the whole board."""
    total, found = np.zeros(CELLS, np.int64), np.empty(CELLS, np.int64)
    count = convolve(cells, templates.table, start, 0, 0, 8, total, found)
    return {int(cell): int(total[cell]) for cell in found[:count]}


class Collector:
    """Finds the patterns that a move makes."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._keys = np.empty(WIDEST, np.uint64)
        self._sizes = np.empty(WIDEST, np.int64)
        self._items = np.empty((WIDEST, WIDEST), np.int64)

    def patterns(self, before: Cells, after: Cells) -> list[tuple[int, tuple[int, ...]]]:
        """Return the number and the men, as kind × 64 + cell, of each pattern around the cells that a move changed."""
        templates = self._templates
        found: dict[int, tuple[int, ...]] = {}
        for start in np.flatnonzero((before != after) & (after != 0)).tolist():
            count = gather(
                after,
                start,
                templates.table,
                templates.mirror,
                templates.window,
                SALTS,
                self._keys,
                self._items,
                self._sizes,
            )
            for i in range(count):
                found[int(self._keys[i])] = tuple(sorted(self._items[i, : self._sizes[i]].tolist()))
        return list(found.items())
