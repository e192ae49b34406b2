# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice: what they show follows from a seed and the ply, so that a match rolls the same again after a restart.

Who does not know the seed cannot tell what comes, whatever has been rolled: each roll is made of its own SHA-256.
"""

from hashlib import sha256
from itertools import accumulate

from engine.game import Game, Position


def roll(game: Game, position: Position, seed: int, ply: int) -> int:
    """Return the move that dice show in a position where they decide, ``ply`` moves into a match with this seed.

    Each move comes as often as the kernel ``odds`` says.
    """
    odds = game.odds(position)
    number = int.from_bytes(sha256(f"dice {seed} {ply}".encode()).digest()) % sum(odds)
    # 256 bits: what the division leaves uneven nobody can measure
    return next(move for move, below in zip(position.moves, accumulate(odds), strict=True) if number < below)
