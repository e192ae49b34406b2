# SPDX-License-Identifier: GPL-3.0-or-later
"""Perft: how many leaves the tree of legal moves has at a depth. Correctness and speed in one number.

A game that is over before the depth adds nothing: leaves *at* that depth are counted, and the last ply's moves are
counted without being made.
"""

import numpy as np

from engine.buffers import borrowed
from engine.game import Game, Moves, State, continuations, legal_moves, outcome, step
from engine.kernel import compiled


@compiled
def _leaves(state: State, depth: int, rows: Moves) -> int:
    """Count the leaves two plies or more below a state; ``rows`` is a buffer of moves for each ply."""
    over, _, _ = outcome(state)
    if over:
        return 0
    rows = borrowed(rows)
    row, scratch = rows[depth - 1], rows[0]
    total = 0
    for index in range(legal_moves(state, row)):
        child = step(state, row[index])
        if depth > 2:
            total += _leaves(child, depth - 1, rows)
        else:
            total += continuations(child, scratch)
    return total


def perft(game: Game, state: State, depth: int) -> int:
    """Return how many leaves there are ``depth`` plies below a state. Raises ValueError when the depth is negative."""
    if depth < 0:
        raise ValueError(f"a depth is not negative: {depth}")
    if depth < 2:
        return len(game.look(state).moves) if depth else 1
    return int(_leaves(game.pack(state), depth, np.empty((depth, game.width), np.int64)))


def divide(game: Game, state: State, depth: int) -> dict[str, int]:
    """Return the leaves below each legal move, by its text. Raises ValueError when the depth is not positive."""
    if depth < 1:
        raise ValueError(f"to divide takes a depth of 1 or more: {depth}")
    position = game.look(state)
    return {
        text: perft(game, game.play(position, move).state, depth - 1)
        for text, move in game.move_texts(position).items()
    }
