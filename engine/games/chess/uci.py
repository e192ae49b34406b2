# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as engines write them: origin, target and the promoted piece, "e2e4", "e7e8q"; the king's move castles."""

from engine.game import State
from engine.games.chess.squares import NAMES, origin, promotion, target


def write(state: State, move: int) -> str:
    """Write a move."""
    return NAMES[origin(state, move)] + NAMES[target(state, move)] + promotion(move).lower()
