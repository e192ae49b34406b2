# SPDX-License-Identifier: GPL-3.0-or-later
"""The chunks that are known of a player: how often each was seen, and which of them a move completes or breaks.

A chunk is one side's men of some kinds on some cells, kept apart by the seat they were played from. It counts once a
game, and only chunks of two games or more are ever used.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling.convolution import SALTS
from bots.modelling.templates import CELLS, Templates
from engine.kernel import compiled

LEAST = 2
"""Games in which a chunk must have been seen."""

ITEMS = 16 * CELLS


@dataclass(slots=True)
class Chunk:
    """What is known of a chunk. Moves are numbered from 1, by the player's own."""

    items: tuple[int, ...]
    """Each man as kind × 64 + cell."""
    games: int = 0
    points: float = 0.0
    """What the player scored in those games: 1, 0.5 or 0 each."""
    moves: int = 0
    """The numbers of the moves that made it first in a game, added up."""
    last: int = 0
    """The number of the last game it was seen in."""


RAW, SHARE, SIZE, TIMELY, SCORE, MADE, CHUNK = range(7)
"""What is found of the chunks that a move completes. RAW: the greatest belief in one; SHARE: in which share of games
the most frequent was seen; SIZE: the men of the largest; TIMELY: the share of the most frequent one seen at about this
time; SCORE: what was scored with the one most believed in; MADE: how many there are; CHUNK: the number of the one most
believed in, -1 without any."""

BROKEN, LOST, REBUILT = range(7, 10)
"""BROKEN: how many known chunks a move breaks; LOST: the share of the most frequent of them; REBUILT: whether it
rebuilds one that the player's last move broke."""

FOUND = 10


class Rules(NamedTuple):
    """The rules by which a belief begins with a chunk's frequency, and grows and shrinks; each a probability."""

    man: float = 0.01
    """For each man beyond three, at most four times; against, for each below."""
    major: float = 0.02
    """Where a major piece completes it."""
    timely: float = 0.03
    """Where it was seen at about this time of a game; against, elsewhere."""
    winning: float = 0.05
    """Where all games with it were won; against, where all were lost."""


RULES = Rules()
NEAR = 5.0
"""Moves from a chunk's usual time that are about the same time."""


class Index(NamedTuple):
    """The chunks of one seat as arrays, and which of them hold a man on a cell."""

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
        """Take in a game: number, men and move of each chunk that was made, in the order in which they were."""
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
        """Take a chunk as it was kept."""
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
        """Return the chunks that were seen often enough, the most frequent first."""
        return sorted(
            (one for one in self.known.values() if one.games >= LEAST), key=lambda one: (-one.games, one.items)
        )

    def index(self) -> Index:
        """Return what moves are held against."""
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
    """Return whether all men of a chunk stand on the board."""
    for i in range(index.sizes[chunk]):
        item = index.items[chunk, i]
        if cells[mirror[item % 64]] != item // 64:
            return False
    return True


@compiled
def match(index, rules, before, after, count, earlier, mirrors, heavy, move, out):  # type: ignore[no-untyped-def]  # numba infers the types
    """Hold each legal move against the chunks: write what is found of it into a row of ``out`` (moves, FOUND).

    ``before``, ``after`` (moves, 64): the mover's men; ``earlier``: those before its last move; ``mirrors`` (n, 64):
    the ways to lay the board; ``heavy``: major kinds; ``move``: the number of the player's move.
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
