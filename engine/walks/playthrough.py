# SPDX-License-Identifier: GPL-3.0-or-later
"""Playthroughs: random games written ply by ply with all facts of each position, for regression tests."""

import random
from collections.abc import Iterator

from engine.game import CHANCE, Game, Position

PLIES = 80
"""Maximum length."""


def playthrough(game: Game, seed: int) -> str:
    """Return the text of the random game of a seed, at most PLIES plies."""
    return "\n".join(_lines(game, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    position = game.look(game.start())
    yield f"game: {game.name}"
    yield f"seed: {seed}"
    for ply in range(PLIES + 1):
        yield ""
        yield f"ply {ply}"
        yield from _board(game, position)
        yield from _facts(game, position)
        if position.over or ply == PLIES:
            return
        move = chance.choice(position.moves)
        squares = " ".join(map(str, game.squares(position.state, move)))
        yield f"move: {game.format_move(position.state, move)} ({move:#x}, squares {squares})"
        position = game.play(position, move)


def _board(game: Game, position: Position) -> Iterator[str]:
    diagram, columns = game.diagram(position.state), game.board.columns
    for begin in range(0, len(diagram), columns):
        row = diagram[begin : begin + columns]
        if game.board.style != "heaps" or row.strip("."):
            yield "  " + " ".join(row)


def _facts(game: Game, position: Position) -> Iterator[str]:
    yield f"position: {game.format_position(position.state)}"
    yield f"key: {position.key:016x}"
    if not position.irreversible:
        yield "reversible"
    if position.over:
        yield "over: " + " ".join(
            f"{seat} {payoff:+g}" for seat, payoff in zip(game.seats, position.payoffs, strict=True)
        )
        return
    seen = game.vector(position.state, next(iter(game.evaluations.values())))
    values = (f"{evaluation.name} {game.score(position.state, evaluation)}" for evaluation in game.evaluations.values())
    yield f"features: {' '.join(map(str, seen))} ({', '.join(values)})"
    yield f"to move: {'dice' if position.to_move == CHANCE else game.seats[position.to_move]}"
    yield f"legal: {' '.join(game.move_texts(position))}"
