# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests ask of kernels."""

from typing import Any

import numpy as np

from engine.game import Game, Position
from engine.hints.alphabeta import exchange_reaches, gain, tactical_moves, threatened
from engine.kernel import brief, implemented


@brief
def gained(state: Any, move: int) -> int:
    """Return what a move wins at once."""
    return gain(state, move)


@brief
def holds(state: Any, move: int) -> bool:
    """Return whether a move does not lose by the exchange."""
    return exchange_reaches(state, move, 0)


@brief
def pressed(state: Any) -> bool:
    """Return whether who is to move must answer something at once."""
    return threatened(state)


@brief
def _tactics(state: Any, out: Any) -> int:
    return tactical_moves(state, out)


def tactics(game: Game, position: Position) -> list[int]:
    """Return the moves that quiescence search tries."""
    out = np.zeros(game.width, np.int64)
    return [int(move) for move in out[: _tactics(game.pack(position.state), out)]]


def forced(game: Game, position: Position) -> bool:
    """Return whether all moves win something, in a game that does not say when somebody is threatened."""
    return not implemented(threatened, game.state) and len(tactics(game, position)) == len(position.moves)
