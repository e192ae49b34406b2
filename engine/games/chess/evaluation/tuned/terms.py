# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of the tuned chess evaluation: names, numbers, packing of weights, and weights set by hand.

Each term has two weights, for the middle game and the endgame, interpolated by the remaining pieces. Squares and ranks
are seen by the side that they count for: rank 1 is its own first rank.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from engine.evaluation import Words
from engine.games.chess.evaluation.sinks import paired
from engine.games.chess.evaluation.tuned.tables import ENTRIES, planes
from engine.games.chess.evaluation.tuned.tables import LEAST as LEAST_ENTRY
from engine.games.chess.evaluation.tuned.tables import MOST as MOST_ENTRY
from engine.games.chess.notation import NAMES as SQUARES

RANKS = 8
MOST = 10_000
"""Bound of the weights, so that sums fit into half a word."""

DANGERS = 64
"""Number of steps of king danger."""

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
"""Number of counted terms; the terms of the piece-square tables follow."""


def at(name: str) -> int:
    """Return the number of the first term of a name. Raises KeyError if there is none."""
    return _STARTS[name]


def _names() -> tuple[str, ...]:
    counted = (
        name if size == 1 else f"{name}, {number + 1}" for name, size in _SIZES.items() for number in range(size)
    )
    return (*counted, *ENTRIES)


TERM_NAMES = _names()
"""Names of all terms, those of the tables last."""

NAMES = tuple(f"{name}: {stage}" for name in TERM_NAMES for stage in ("middle", "end"))
"""Names of the weights."""

RANGES = ((-MOST, MOST),) * 2 * COUNT + ((LEAST_ENTRY, MOST_ENTRY),) * 2 * len(ENTRIES)

PLANES = (COUNT + 7) // 8
"""Number of rows of eight words with pairs of weights; rows of bit planes follow."""


def words(weights: Sequence[int]) -> Words:
    """Pack weights for searches: a word for each counted term, then the bit planes of the tables.

    Raises ValueError if the number of weights is wrong or a weight does not fit.
    """
    if len(weights) != len(NAMES):
        raise ValueError(f"the tuned evaluation has {len(NAMES)} weights (got {len(weights)})")
    for name, weight in zip(NAMES, weights, strict=True):
        if abs(weight) > MOST:
            raise ValueError(f"the weight of {name!r} must be {-MOST} to {MOST} (got {weight})")
    middle, end = weights[::2], weights[1::2]
    pairs = [paired(*pair) for pair in zip(middle[:COUNT], end[:COUNT], strict=True)]
    padding = [0] * (8 * PLANES - COUNT)
    return np.concatenate([np.array(pairs + padding, np.int64), planes(middle[COUNT:], end[COUNT:])])


def arranged(weights: Mapping[str, tuple[int, int]]) -> tuple[int, ...]:
    """Convert weights by term (middle game, endgame) to a list in the order of NAMES.

    Raises KeyError if a term is missing.
    """
    return tuple(weight for name in TERM_NAMES for weight in weights[name])


# ---------------------------------------------------------------- weights set by hand


_VALUES: dict[str, tuple[int, int]] = {
    "pawn": (82, 100),
    "knight": (320, 300),
    "bishop": (335, 315),
    "rook": (470, 530),
    "queen": (960, 960),
    "to move": (15, 10),
    "pair of bishops": (25, 50),
    "square that a knight sees": (5, 5),
    "square that a bishop sees": (5, 5),
    "square that a rook sees": (3, 4),
    "square that a queen sees": (2, 4),
    "knight on an outpost": (25, 15),
    "bishop on an outpost": (15, 8),
    "outpost that a knight sees": (6, 4),
    "pawn on the colour of its bishop": (-3, -5),
    "minor piece behind a pawn": (5, 2),
    "rook on an open file": (30, 10),
    "rook on a half-open file": (14, 8),
    "rook or queen on the seventh rank": (8, 20),
    "space": (1, 0),
    "minor piece attacked by a pawn": (45, 35),
    "rook or queen attacked by a pawn": (55, 45),
    "rook attacked by a minor piece": (35, 25),
    "queen attacked by a minor piece": (35, 30),
    "queen attacked by a rook": (35, 25),
    "weak minor piece attacked by a minor piece": (25, 20),
    "weak minor piece attacked by a rook": (18, 30),
    "weak pawn attacked by a minor piece": (2, 12),
    "weak pawn attacked by a rook": (1, 18),
    "man that a pawn's safe step attacks": (20, 16),
    "square that the other sees and cannot hold": (3, 3),
    "square from which a knight attacks the queen": (7, 5),
    "square from which a slider attacks the queen": (25, 8),
    "pawn that hangs": (6, 15),
    "piece that hangs": (25, 20),
    "piece attacked by the king": (0, 15),
    "doubled pawn": (-8, -18),
    "isolated pawn": (-8, -10),
    "backward pawn": (-7, -8),
    "isolated pawn on a half-open file": (-8, -4),
    "supported pawn": (10, 6),
    "pawn beside a pawn": (6, 4),
    "supported pawn beyond the middle": (10, 10),
    "pawn beside a pawn beyond the middle": (12, 10),
    "supported passed pawn": (8, 10),
    "rook behind a passed pawn": (8, 15),
    "pawn just before the king": (14, 0),
    "pawn two ranks before the king": (8, 0),
    "file at the king without an own pawn": (-14, 0),
    "file at the king without a pawn": (-10, 0),
    "enemy pawn two ranks from the king": (-8, 0),
    "enemy pawn three ranks from the king": (-5, 0),
    "right to castle": (12, 0),
    "wing of the other king without a pawn": (8, 40),
    "square attacked on the other king's wing": (3, 0),
    "bare king's distance from the centre": (0, 40),
    "bare king's distance from the other": (0, -15),
    "bare king's distance from the bishop's corner": (0, -40),
}
"""Weights (middle game, endgame) of single terms."""

_PASSED = (0, 0, 2, 8, 22, 48, 90, 0)
"""Value of a passed pawn by rank in the endgame."""


def _ranked(name: str, rank: int) -> tuple[int, int]:
    far = _PASSED[rank]
    return {
        "passed pawn": (far // 2, far),
        "passed pawn that can step": (far // 8, far // 4),
        "passed pawn with a free way": (far // 8, far // 2),
        "own king's distance from a passed pawn": (0, -far // 12),
        "other king's distance from a passed pawn": (0, far // 6),
    }[name]


def _danger(name: str, step: int) -> tuple[int, int]:
    calm = 0 if name == "king in danger, queen on the board" else 13
    pressure = max(0, step - calm)
    return round(0.25 * pressure * pressure), round(0.95 * pressure)


def _centre(square: int) -> float:
    """Return 1 in the centre of the board, -1 in the corners."""
    file, rank = square % 8, square // 8
    return 1 - (abs(file - 3.5) + abs(rank - 3.5) - 1) / 3


def _entry(kind: str, square: int) -> tuple[int, int]:
    centre, file, rank = _centre(square), square % 8, square // 8
    middle_file = 1 - abs(file - 3.5) / 3.5
    if kind == "pawn":
        return round(12 * middle_file * (rank - 1) - 4 * (rank > 3)), 4 * (rank - 1)
    if kind == "knight":
        return round(22 * centre + 2 * rank - 5), round(18 * centre)
    if kind == "bishop":
        return round(12 * centre), round(8 * centre)
    if kind == "rook":
        return round(8 * middle_file), rank
    if kind == "queen":
        return round(3 * centre), round(14 * centre)
    wing = 28 if file in (1, 2, 6) else 14 if file in (0, 7) else 0
    return wing - 18 * min(rank, 5), round(28 * centre)


def _weights() -> dict[str, tuple[int, int]]:
    weights: dict[str, tuple[int, int]] = {}
    for name in TERM_NAMES:
        kind, _, place = name.partition(" on ")
        base, _, number = name.rpartition(", ")
        if name in _VALUES:
            weights[name] = _VALUES[name]
        elif base.startswith("king in danger"):
            weights[name] = _danger(base, int(number) - 1)
        elif number.isdecimal():
            weights[name] = _ranked(base, int(number) - 1)
        else:
            weights[name] = _entry(kind, SQUARES.index(place[:2]))
    return weights


START = _weights()
"""Weights set by hand, from which tuning starts: (middle game, endgame) by term."""
