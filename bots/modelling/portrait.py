# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model has learned, as an arena shows it: patterns drawn on its boards, and the opening tree as lines."""

from collections.abc import Iterator
from typing import Any

from bots.modelling.chunks import Chunk
from bots.modelling.model import Model
from bots.modelling.openings import Node
from bots.modelling.templates import CELLS

PATTERNS, LINES, PLIES = 8, 60, 12
"""Of each seat: the most frequent patterns, lines of the opening tree, and their plies, at most."""


def portrait(model: Model, player: str) -> dict[str, Any]:
    """Return the body of POST /api/v1/opponent-models."""
    patterns: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    for number, seat in enumerate(model.seats):
        used = sorted(seat.chunks.used(), key=lambda one: (-one.games * (len(one.items) - 1), one.items))
        patterns += [
            {
                "seat": number,
                "diagram": diagram(model, chunk, number),
                "games": chunk.games,
                "of": seat.chunks.games,
                "move": chunk.moves / chunk.games,
                "score": chunk.points / chunk.games,
            }
            for chunk in used[:PATTERNS]
        ]
        told = list(_lines(seat.openings.root, []))
        least = sorted((node.games for _, node in told), reverse=True)[:LINES]
        lines += [
            {"seat": number, "moves": moves, "games": node.games, "score": node.score}
            for moves, node in told
            if node.games >= least[-1]
        ][:LINES]
    return {"player": player, "game": model.game.name, "games": model.games, "patterns": patterns, "lines": lines}


def diagram(model: Model, chunk: Chunk, seat: int) -> str:
    """Return a letter for each square of the game's board; squares that are no part of the chunk are empty."""
    board = model.game.board
    squares = ["."] * (board.rows * board.columns)
    for item in chunk.items:
        letter = letter_of(model, item // CELLS - 1, seat)
        cell = item % CELLS
        # cells are seen by the player, and counted from below; squares by who sits at the bottom, from above
        row, column = divmod(cell if seat == board.bottom else int(model.templates.across[cell]), 8)
        squares[(7 - row) * board.columns + column] = letter
    return "".join(squares)


def letter_of(model: Model, kind: int, seat: int) -> str:
    """Return how the game's diagrams write a kind of man of a seat."""
    letters = list(model.game.board.pieces)
    return letters[seat * (len(letters) // 2) + kind]


def _lines(node: Node, before: list[str]) -> Iterator[tuple[list[str], Node]]:
    if len(before) == PLIES:
        return
    for text, following in sorted(node.known().items(), key=lambda one: (-one[1].games, one[0])):
        moves = [*before, text]
        yield moves, following
        yield from _lines(following, moves)
