# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights by rules of thumb, from which tuning begins."""

from engine.games.chess.evaluation.house.terms import TERM_NAMES
from engine.games.chess.squares import NAMES as SQUARES

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
"""In the middle game and the end game, of each term that is one."""

_PASSED = (0, 0, 2, 8, 22, 48, 90, 0)
"""What a passed pawn is worth by its rank, in the end game."""


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
    """Return 1 in the middle of the board, -1 in its corners."""
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
"""In the middle game and the end game, by the names of terms."""
