# SPDX-License-Identifier: GPL-3.0-or-later
"""Superko: the legal moves of a position in a game that forbids repetition (``Draws.repetition``)."""

from collections.abc import Collection, Container, Iterable

import numpy as np

from engine.game import Game, Position, State, repetition_key, step
from engine.kernel import brief
from engine.rules import FORBIDDEN


@brief
def _following(state, moves, out):  # type: ignore[no-untyped-def]  # numba infers the types
    for index in range(len(moves)):
        out[index] = repetition_key(step(state, moves[index]))


def following_keys(game: Game, position: Position) -> tuple[int, ...]:
    """Return the repetition key after each legal move of a position."""
    moves = np.array(position.moves, np.int64)
    keys = np.empty(len(moves), np.uint64)
    _following(game.pack(position.state), moves, keys)
    return tuple(keys.tolist())


def look(game: Game, state: State, history: Iterable[int]) -> Position:
    """Return the position of a state in a match; ``history``: repetition keys of the positions before it."""
    position = game.look(state)
    if game.draws.repetition != FORBIDDEN:
        return position
    return without_repetitions(game, position, {key % 2**64 for key in history})


def repeated_keys(game: Game, position: Position, legal: Collection[str]) -> tuple[int, ...]:
    """Return keys of earlier positions that the moves of a position would repeat, from its ``legal`` moves in a match.

    For a match whose earlier positions are not known. ``position``: as ``Game.look`` returns it.
    """
    if game.draws.repetition != FORBIDDEN or position.over:
        return ()
    return tuple(
        key
        for move, key in zip(position.moves, following_keys(game, position), strict=True)
        if game.format_move(position.state, move) not in legal
    )


def without_repetitions(game: Game, position: Position, earlier: Container[int]) -> Position:
    """Return the position without the moves that lead to one of these repetition keys.

    Moves that do not change the key stay. ``earlier``: the keys of the game so far; may contain the position's own.
    """
    keys = following_keys(game, position)
    allowed = tuple(
        move
        for move, key in zip(position.moves, keys, strict=True)
        if key == position.repetition_key or key not in earlier
    )
    return position if len(allowed) == len(position.moves) else position._replace(moves=allowed)
