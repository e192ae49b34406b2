# SPDX-License-Identifier: GPL-3.0-or-later
"""Perft: number of leaves of the tree of legal moves at a depth, to test move generation.

Only leaves at exactly this depth count, in games with ``Game.ended_leaves`` also games that ended before. The moves of
the last ply are counted without being made.
"""

import numpy as np

from engine.game import Game, Moves, State, continuations, legal_moves, outcome, step
from engine.kernel import compiled
from engine.native.buffers import borrowed


@compiled
def _leaves(state: State, depth: int, ended: int, rows: Moves) -> int:
    """Count the leaves two plies or more below a state.

    ``ended``: number of leaves of a game that is over; ``rows``: a buffer of moves for each ply.
    """
    over, _, _ = outcome(state)
    if over:
        return ended
    rows = borrowed(rows)
    row, scratch = rows[depth - 1], rows[0]
    total = 0
    for index in range(legal_moves(state, row)):
        child = step(state, row[index])
        if depth > 2:
            total += _leaves(child, depth - 1, ended, rows)
        else:
            total += max(continuations(child, scratch), ended)
    return total


def perft(game: Game, state: State, depth: int) -> int:
    """Return the number of leaves ``depth`` plies below a state. Raises ValueError if the depth is negative."""
    if depth < 0:
        raise ValueError(f"the depth must not be negative (got {depth})")
    ended = int(game.ended_leaves)
    if depth < 2:
        return max(len(game.look(state).moves), ended) if depth else 1
    return int(_leaves(game.pack(state), depth, ended, np.empty((depth, game.width), np.int64)))


def divide(game: Game, state: State, depth: int) -> dict[str, int]:
    """Return the number of leaves below each legal move, by text. Raises ValueError if the depth is not positive."""
    if depth < 1:
        raise ValueError(f"divide needs a depth of 1 or more (got {depth})")
    position = game.look(state)
    return {
        text: perft(game, game.play(position, move).state, depth - 1)
        for text, move in game.move_texts(position).items()
    }
