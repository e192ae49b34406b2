# SPDX-License-Identifier: GPL-3.0-or-later
"""Visual chunks: men of one side that touch or defend each other in a small square, found by a recursive convolution.

S. Walczak's collector, as the lecture "Cognitive Game Theory" reports it: a template of weights is laid on a man; every
man on a neighbouring cell whose weight is not zero belongs to the pattern, adds the weight to the sums of both cells,
and has its own template laid on in turn. What the papers leave open is chosen so: it begins where a move arrived, once
in each window of 4 × 4 cells around that; a pattern is all that is reached within the window, and at least two men. The
sums picture a pattern, but different ones can have the same; a pattern's key is the set of its kinds and cells.
"""

import random

import numpy as np
from numpy.typing import NDArray

from bots.modelling.board import Cells
from bots.modelling.templates import CELLS, NEIGHBOURS, Templates
from engine.kernel import compiled

WIDEST = 16
"""Men in a window, and windows around a cell, at most."""

_KINDS = 16

_ROWS, _COLUMNS = (np.array(steps, np.int64) for steps in zip(*NEIGHBOURS, strict=True))


def _salts() -> NDArray[np.uint64]:
    chance = random.Random("chunks")
    return np.array([chance.getrandbits(64) for _ in range(_KINDS * CELLS)], np.uint64)


SALTS = _salts()
"""A number for each kind on each cell; a pattern's number is all of its men's, combined by exclusive or."""


@compiled
def convolve(cells, weights, start, bottom, left, size, sums, found):  # type: ignore[no-untyped-def]  # numba infers the types
    """Lay templates from ``start`` on, in the window from ``bottom`` and ``left``; return how many men are reached.

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

    A pattern and its mirror image are one: ``keys`` has the smaller of their two numbers, ``items`` (16, 16) the men of
    that one, each as kind × 64 + cell, and ``sizes`` how many they are.
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
