# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models for people: the JSON that an arena shows, and an HTML page that needs no other file."""

from collections.abc import Iterator
from html import escape
from typing import Any

from bots.modelling.chunks import Chunk
from bots.modelling.file import cell_name
from bots.modelling.frequencies import Node
from bots.modelling.model import Model
from bots.modelling.patterns import CELLS

PATTERNS, LINES, PLIES = 8, 60, 12
"""Of each seat: the most frequent patterns, lines of the opening tree, and their plies, at most."""


def model_view(model: Model, player: str) -> dict[str, Any]:
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
    """Return a letter for each square of the board; squares outside the chunk are empty."""
    board = model.game.board
    squares = ["."] * (board.rows * board.columns)
    for item in chunk.items:
        letter = letter_of(model, item // CELLS - 1, seat)
        cell = item % CELLS
        # cells count from below, seen by the player; squares from above, seen by the seat at the bottom
        row, column = divmod(cell if seat == board.bottom else int(model.templates.across[cell]), 8)
        squares[(7 - row) * board.columns + column] = letter
    return "".join(squares)


def letter_of(model: Model, kind: int, seat: int) -> str:
    """Return the letter of a kind of piece of a seat in the game's diagrams."""
    letters = list(model.game.board.pieces)
    return letters[seat * (len(letters) // 2) + kind]


def _lines(node: Node, before: list[str]) -> Iterator[tuple[list[str], Node]]:
    if len(before) == PLIES:
        return
    for text, following in sorted(node.known().items(), key=lambda one: (-one[1].games, one[0])):
        moves = [*before, text]
        yield moves, following
        yield from _lines(following, moves)


SIGNS = {"P": "♟", "N": "♞", "B": "♝", "R": "♜", "Q": "♛", "K": "♚", "b": "●"}
"""Symbols by the letters of diagrams; kings of checkers are shown by their letter."""

CELL = 22
"""A cell's side in the picture."""

STYLE = """
:root { color-scheme: light dark; --light: #e9dfc9; --dark: #b79a73; --man: #1c1b19; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
.chunks { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; }
figure { margin: 0; }
figcaption { font-size: 13px; }
.light { fill: var(--light); } .dark { fill: var(--dark); } .man { fill: var(--man); text-anchor: middle; }
details { margin-left: 1rem; }
pre { overflow-x: auto; font-size: 13px; }
.frame { fill: none; stroke: currentColor; opacity: 0.4; } .guide, .reach { stroke: currentColor; }
.guide { opacity: 0.4; stroke-dasharray: 4; } .point { fill: #2a6fdb; }
.axis, .side { fill: currentColor; font-size: 12px; } .axis { text-anchor: middle; } .side { text-anchor: end; }
"""


def page(model: Model, top: int) -> str:
    """Return the page; ``top``: number of chunks for each seat, and of moves for each position of the tree."""
    title = escape(f"{model.player.pattern}: {model.game.title}, {model.games:,} games")
    seats = []
    for name, seat in zip(model.game.seats, model.seats, strict=True):
        chunks = "".join(_figure(model, chunk, seat.chunks.games) for chunk in seat.chunks.used()[:top])
        tree = _moves(seat.openings.root, top) or "<p>No opening was played twice.</p>"
        seats.append(
            f"<section><h2>{escape(name)}, {seat.chunks.games:,} games</h2>"
            f"<h3>Chunks, the most frequent first</h3><div class=chunks>{chunks or '<p>None was seen twice.</p>'}</div>"
            f"<h3>Openings</h3>{tree}</section>"
        )
    note = "<p>A chunk and its mirror image are one: either may be drawn. Boards are seen by the player.</p>"
    return html_page(title, (note if model.templates.mirrored else "") + "".join(seats))


def html_page(title: str, body: str) -> str:
    """Return a page that needs no other file."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1>{body}</html>\n"
    )


def board(model: Model, chunk: Chunk) -> str:
    """Return a chunk on a board as SVG, seen by the player."""
    letters = model.templates.letters
    parts = []
    for cell in range(CELLS):
        row, column = divmod(cell, 8)
        shade = "light" if (row + column) % 2 else "dark"
        x, y = column * CELL, (7 - row) * CELL
        parts.append(f"<rect class={shade} x={x} y={y} width={CELL} height={CELL} />")
    for item in chunk.items:
        row, column = divmod(item % CELLS, 8)
        letter = letters[item // CELLS - 1]
        place = f"x={(column + 0.5) * CELL:g} y={(7 - row + 0.8) * CELL:g}"
        parts.append(f"<text class=man {place} font-size={CELL - 3}>{SIGNS.get(letter, letter)}</text>")
    said = " ".join(letters[item // CELLS - 1] + cell_name(item % CELLS) for item in chunk.items)
    size = 8 * CELL
    return f"<svg width={size} height={size} role=img aria-label='{escape(said)}'>{''.join(parts)}</svg>"


def _figure(model: Model, chunk: Chunk, games: int) -> str:
    told = (
        f"in {chunk.games} of {games} games<br>about move {chunk.moves / chunk.games:.0f}, "
        f"scored {chunk.points / chunk.games:.0%}"
    )
    return f"<figure>{board(model, chunk)}<figcaption>{told}</figcaption></figure>"


def _moves(node: Node, top: int) -> str:
    following = sorted(node.known().items(), key=lambda one: -one[1].games)[:top]
    return "".join(
        f"<details><summary>{escape(text)}: {one.games} games, {one.score:.0%}</summary>{_moves(one, top)}</details>"
        for text, one in following
    )
