# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms of the house: what they are called and where each stands.

Each has two weights, one after the other: for the middle game and for the end game, between which a position is by the
men that are left. Squares and ranks are seen by the side that they count for, its own first rank being rank 1.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from engine.evaluation import Words
from engine.games.chess.evaluation.house.tables import ENTRIES, planes
from engine.games.chess.evaluation.house.tables import LEAST as LEAST_ENTRY
from engine.games.chess.evaluation.house.tables import MOST as MOST_ENTRY
from engine.games.chess.evaluation.sinks import paired

RANKS = 8
MOST = 10_000
"""No weight is larger: sums of them stay within the half of a word."""

DANGERS = 64
"""Steps of danger to a king."""

_SIZES = {
    "pawn": 1,
    "knight": 1,
    "bishop": 1,
    "rook": 1,
    "queen": 1,
    "to move": 1,
    "pair of bishops": 1,
    # pieces
    "square that a knight sees": 1,
    "square that a bishop sees": 1,
    "square that a rook sees": 1,
    "square that a queen sees": 1,
    "knight on an outpost": 1,
    "bishop on an outpost": 1,
    "outpost that a knight sees": 1,
    "pawn on the colour of its bishop": 1,
    "minor piece behind a pawn": 1,
    "rook on an open file": 1,
    "rook on a half-open file": 1,
    "rook or queen on the seventh rank": 1,
    "space": 1,
    # threats
    "minor piece attacked by a pawn": 1,
    "rook or queen attacked by a pawn": 1,
    "rook attacked by a minor piece": 1,
    "queen attacked by a minor piece": 1,
    "queen attacked by a rook": 1,
    "weak minor piece attacked by a minor piece": 1,
    "weak minor piece attacked by a rook": 1,
    "weak pawn attacked by a minor piece": 1,
    "weak pawn attacked by a rook": 1,
    "man that a pawn's safe step attacks": 1,
    "square that the other sees and cannot hold": 1,
    "square from which a knight attacks the queen": 1,
    "square from which a slider attacks the queen": 1,
    "pawn that hangs": 1,
    "piece that hangs": 1,
    "piece attacked by the king": 1,
    # pawns
    "doubled pawn": 1,
    "isolated pawn": 1,
    "backward pawn": 1,
    "isolated pawn on a half-open file": 1,
    "supported pawn": 1,
    "pawn beside a pawn": 1,
    "supported pawn beyond the middle": 1,
    "pawn beside a pawn beyond the middle": 1,
    "passed pawn": RANKS,
    "passed pawn that can step": RANKS,
    "passed pawn with a free way": RANKS,
    "own king's distance from a passed pawn": RANKS,
    "other king's distance from a passed pawn": RANKS,
    "supported passed pawn": 1,
    "rook behind a passed pawn": 1,
    # kings
    "pawn just before the king": 1,
    "pawn two ranks before the king": 1,
    "file at the king without an own pawn": 1,
    "file at the king without a pawn": 1,
    "enemy pawn two ranks from the king": 1,
    "enemy pawn three ranks from the king": 1,
    "right to castle": 1,
    "wing of the other king without a pawn": 1,
    "square attacked on the other king's wing": 1,
    "king in danger, queen on the board": DANGERS,
    "king in danger, no queen": DANGERS,
    # bare kings
    "bare king's distance from the centre": 1,
    "bare king's distance from the other": 1,
    "bare king's distance from the bishop's corner": 1,
}

_STARTS = dict(zip(_SIZES, accumulate(_SIZES.values(), initial=0), strict=False))

COUNT = sum(_SIZES.values())
"""Terms that are counted; those of the tables follow."""


def at(name: str) -> int:
    """Return the number of the first term of this name. Raises KeyError when there is none."""
    return _STARTS[name]


def _names() -> tuple[str, ...]:
    counted = (
        name if size == 1 else f"{name}, {number + 1}" for name, size in _SIZES.items() for number in range(size)
    )
    return (*counted, *ENTRIES)


TERM_NAMES = _names()
"""Of all terms, those of the tables last."""

NAMES = tuple(f"{name}: {stage}" for name in TERM_NAMES for stage in ("middle", "end"))
"""Of the weights."""

RANGES = ((-MOST, MOST),) * 2 * COUNT + ((LEAST_ENTRY, MOST_ENTRY),) * 2 * len(ENTRIES)

PLANES = (COUNT + 7) // 8
"""The first row of eight words that holds planes; the words before are pairs of weights."""


def words(weights: Sequence[int]) -> Words:
    """Return weights as searches read them: a word for each counted term, then the tables cut into planes.

    Raises ValueError when there are not as many as there should be, or one does not fit.
    """
    if len(weights) != len(NAMES):
        raise ValueError(f"the house's terms have {len(NAMES)} weights, not {len(weights)}")
    for name, weight in zip(NAMES, weights, strict=True):
        if abs(weight) > MOST:
            raise ValueError(f"{name} weighs {weight}; {MOST} is the most")
    middle, end = weights[::2], weights[1::2]
    pairs = [paired(*pair) for pair in zip(middle[:COUNT], end[:COUNT], strict=True)]
    padding = [0] * (8 * PLANES - COUNT)
    return np.concatenate([np.array(pairs + padding, np.int64), planes(middle[COUNT:], end[COUNT:])])


def arranged(weights: Mapping[str, tuple[int, int]]) -> tuple[int, ...]:
    """Return weights of the middle game and the end game by the names of terms as a list in the order of NAMES.

    Raises KeyError when there is none for a term.
    """
    return tuple(weight for name in TERM_NAMES for weight in weights[name])
