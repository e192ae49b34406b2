# SPDX-License-Identifier: GPL-3.0-or-later
"""A player's visual chunks: their frequencies, and the chunks that each legal move completes or breaks.

A chunk is a set of kinds of one side's pieces on cells, separate for each seat. It counts once in a game, and only
chunks from two or more games are used.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling.patterns import CELLS, SALTS, Templates
from engine.kernel import compiled

LEAST = 2
"""Games that a chunk must occur in."""

ITEMS = 16 * CELLS


@dataclass(slots=True)
class Chunk:
    """Statistics of a chunk. Moves are the player's own, numbered from 1."""

    items: tuple[int, ...]
    """Each piece as kind × 64 + cell."""
    games: int = 0
    points: float = 0.0
    """The player's points in those games: 1, 0.5 or 0 each."""
    moves: int = 0
    """Sum of the numbers of the moves that completed it first in a game."""
    last: int = 0
    """The number of the last game with it."""


RAW, SHARE, SIZE, TIMELY, SCORE, MADE, CHUNK = range(7)
"""Properties of the chunks that a move completes. RAW: the greatest belief; SHARE: share of games with the most
frequent one; SIZE: pieces of the largest; TIMELY: share of the most frequent one that occurs at about this time; SCORE:
score with the one of greatest belief; MADE: their number; CHUNK: the number of the one of greatest belief, -1 for none.
Belief is the score that IAM publishes."""

BROKEN, LOST, REBUILT = range(7, 10)
"""BROKEN: number of known chunks that a move breaks; LOST: share of the most frequent of them; REBUILT: whether it
rebuilds one that the player's last move broke."""

FOUND = 10


class Rules(NamedTuple):
    """IAM's rules, which add to the frequency of a chunk; the sum is its belief. Each is a probability."""

    man: float = 0.01
    """Added for each piece beyond three, at most four times; subtracted for each below."""
    major: float = 0.02
    """Added if a major piece completes it."""
    timely: float = 0.03
    """Added if it occurs at about this time of a game; subtracted otherwise."""
    winning: float = 0.05
    """Added if all games with it were won; subtracted if all were lost."""


RULES = Rules()
NEAR = 5.0
"""Distance in moves that still counts as about the same time."""


class Index(NamedTuple):
    """The chunks of one seat as arrays, with an index by piece and cell."""

    items: NDArray[np.int64]
    """(chunks, 16)"""
    sizes: NDArray[np.int64]
    shares: NDArray[np.float64]
    """Of the games of the seat."""
    scores: NDArray[np.float64]
    times: NDArray[np.float64]
    """The mean number of the move."""
    starts: NDArray[np.int64]
    """(ITEMS + 1): where the list of each man begins in ``postings``."""
    postings: NDArray[np.int64]


class Chunks:
    """All chunks of one seat."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self.games = 0
        self.known: dict[int, Chunk] = {}
        self._index: Index | None = None

    def add(self, seen: Iterable[tuple[int, tuple[int, ...], int]], points: float, game: int) -> None:
        """Add a game: number, pieces and move of each completed chunk, in order."""
        self.games += 1
        self._index = None
        known = self.known
        for key, items, move in seen:
            chunk = known.get(key)
            if chunk is None:
                chunk = known[key] = Chunk(items, last=-1)
            if chunk.last != game:
                chunk.games += 1
                chunk.points += points
                chunk.moves += move
                chunk.last = game

    def put(self, chunk: Chunk) -> None:
        """Add a saved chunk."""
        self.known[self.number(chunk.items)] = chunk
        self._index = None

    def number(self, items: Iterable[int]) -> int:
        """Return the number of a chunk, the same for its mirror image."""
        own, other = 0, 0
        for item in items:
            own ^= int(SALTS[item])
            other ^= int(SALTS[item - item % CELLS + int(self._templates.mirror[item % CELLS])])
        return min(own, other)

    def used(self) -> list[Chunk]:
        """Return the chunks that occur often enough, the most frequent first."""
        return sorted(
            (one for one in self.known.values() if one.games >= LEAST), key=lambda one: (-one.games, one.items)
        )

    def index(self) -> Index:
        """Return the index that ``match`` uses."""
        if self._index is None:
            self._index = self._indexed(self.used())
        return self._index

    def _indexed(self, chunks: list[Chunk]) -> Index:
        count = len(chunks)
        items = np.zeros((count, 16), np.int64)
        for i, chunk in enumerate(chunks):
            items[i, : len(chunk.items)] = chunk.items
        sizes = np.array([len(chunk.items) for chunk in chunks], np.int64)
        games = np.array([chunk.games for chunk in chunks], np.float64)
        which, place = np.nonzero(np.arange(16) < sizes[:, None]) if count else (np.empty(0, int), np.empty(0, int))
        held = items[which, place]
        return Index(
            items,
            sizes,
            games / max(1, self.games),
            np.array([chunk.points for chunk in chunks]) / games,
            np.array([chunk.moves for chunk in chunks]) / games,
            np.searchsorted(np.sort(held, kind="stable"), np.arange(ITEMS + 1)).astype(np.int64),
            which[np.argsort(held, kind="stable")].astype(np.int64),
        )


@compiled
def holds(index, chunk, cells, mirror):  # type: ignore[no-untyped-def]  # numba infers the types
    """Return whether all pieces of a chunk are on the board."""
    for i in range(index.sizes[chunk]):
        item = index.items[chunk, i]
        if cells[mirror[item % 64]] != item // 64:
            return False
    return True


@compiled
def match(index, rules, before, after, count, earlier, mirrors, heavy, move, out):  # type: ignore[no-untyped-def]  # numba infers the types
    """Compare each legal move with the chunks, and write its properties into a row of ``out`` (moves, FOUND).

    ``before``, ``after`` (moves, 64): the mover's pieces; ``earlier``: those before its last move; ``mirrors`` (n, 64):
    reflections of the board; ``heavy``: major kinds; ``move``: the number of the player's move.
    """
    out[:count] = 0.0
    for i in range(count):
        best = -1.0
        out[i, CHUNK] = -1.0
        for cell in range(64):
            if before[cell] == after[i, cell]:
                continue
            for way in range(len(mirrors)):
                mirror = mirrors[way]
                place = mirror[cell]  # mirrors undo themselves
                if before[cell]:
                    item = before[cell] * 64 + place
                    for j in range(index.starts[item], index.starts[item + 1]):
                        chunk = index.postings[j]
                        if holds(index, chunk, before, mirror) and not holds(index, chunk, after[i], mirror):
                            out[i, BROKEN] += 1
                            out[i, LOST] = max(out[i, LOST], index.shares[chunk])
                if not after[i, cell]:
                    continue
                item = after[i, cell] * 64 + place
                for j in range(index.starts[item], index.starts[item + 1]):
                    chunk = index.postings[j]
                    if not holds(index, chunk, after[i], mirror):
                        continue
                    out[i, MADE] += 1
                    if holds(index, chunk, earlier, mirror):
                        out[i, REBUILT] = 1
                        continue
                    timely = abs(index.times[chunk] - move) <= NEAR
                    share = index.shares[chunk]
                    belief = share + rules.man * min(4, index.sizes[chunk] - 3)
                    belief += rules.timely if timely else -rules.timely
                    belief += rules.winning * (2 * index.scores[chunk] - 1)
                    if heavy[after[i, cell]]:
                        belief += rules.major
                    belief = min(0.99, max(0.01, belief))
                    out[i, SHARE] = max(out[i, SHARE], share)
                    out[i, SIZE] = max(out[i, SIZE], index.sizes[chunk])
                    if timely:
                        out[i, TIMELY] = max(out[i, TIMELY], share)
                    if belief > best:
                        best = belief
                        out[i, RAW] = belief
                        out[i, SCORE] = index.scores[chunk]
                        out[i, CHUNK] = chunk
