# SPDX-License-Identifier: GPL-3.0-or-later
"""Textbook minimax, and test positions for it."""

import random
from typing import NamedTuple

from engine.evaluation import Evaluation
from engine.game import CHANCE, Game, Position


class Found(NamedTuple):
    """What the oracle says of a position: its value for the seat to move, and the positions looked at."""

    value: int
    nodes: int


def static(game: Game, evaluation: Evaluation, position: Position) -> int:
    """Return the evaluation's score."""
    return evaluation.score(game.vector(position.state, evaluation))


def final(evaluation: Evaluation, position: Position, depth: int) -> int:
    """Return what a finished game is worth."""
    return round(position.payoffs[position.to_move] * (evaluation.win + evaluation.sooner * depth))


def minimax(game: Game, evaluation: Evaluation, position: Position, depth: int) -> Found:
    """Search every line to the full depth."""
    if position.over:
        return Found(final(evaluation, position, depth), 1)
    if depth == 0:
        return Found(static(game, evaluation, position), 1)
    nodes = 1
    values = []
    for move in position.moves:
        child = game.play(position, move)
        found = minimax(game, evaluation, child, depth - 1)
        values.append(found.value if child.to_move == position.to_move else -found.value)
        nodes += found.nodes
    return Found(max(values), nodes)


def random_position(game: Game, seed: int, plies: int = 40) -> Position:
    """Return a position where a player is to move, after about so many random moves at most."""
    chance = random.Random(seed)
    position = game.look(game.start())
    for _ in range(chance.randrange(plies)):
        after = game.play(position, chance.choice(position.moves))
        if after.over:
            break
        position = after
    while position.to_move == CHANCE:
        position = game.play(position, chance.choice(position.moves))
    return position


def affordable(position: Position, depth: int, nodes: int) -> int:
    """Return the depth, or a smaller one (1 at least) at which minimax visits about so many nodes."""
    while depth > 1 and len(position.moves) ** depth > nodes:
        depth -= 1
    return depth


def follow(game: Game, position: Position, moves: tuple[int, ...]) -> Position:
    """Play moves, which must be legal."""
    for move in moves:
        position = game.play(position, move)
    return position
