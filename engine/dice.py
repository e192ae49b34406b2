# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice rolls from a seed and a ply: after a restart a match rolls the same numbers.

Each roll is the SHA-256 of seed and ply, so without the seed nobody can predict it from earlier rolls.
"""

from hashlib import sha256
from itertools import accumulate

from engine.game import Game, Position


def roll(game: Game, position: Position, seed: int, ply: int) -> int:
    """Roll the dice at a chance node, ``ply`` moves into a match with this seed; return the move.

    The kernel ``odds`` gives the relative frequencies of the moves.
    """
    odds = game.odds(position)
    number = int.from_bytes(sha256(f"dice {seed} {ply}".encode()).digest()) % sum(odds)
    # with 256 bits the bias of the remainder is negligible
    return next(move for move, below in zip(position.moves, accumulate(odds), strict=True) if number < below)
