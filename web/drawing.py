# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards as SVG for the first paint of a page; the same drawing as ``static/board.js``.

The shapes of pieces come from ``static/shapes.js``. A browser test compares both drawings.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache

from markupsafe import Markup, escape

from web.api.games import BoardAnswer, PieceAnswer
from web.assets import Assets

SIZE = 100
"""Side of a square, in SVG units."""

Shapes = dict[str, list[tuple[str, dict[str, str]]]]
"""SVG elements with attributes, by the name of the shape."""


@cache
def read_shapes(assets: Assets) -> Shapes:
    """Return the shapes of pieces from ``shapes.js``."""
    text = assets.read("shapes.js").decode()
    shapes: Shapes = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return shapes


def draw_board(
    shapes: Shapes,
    board: BoardAnswer,
    diagram: str,
    squares: Sequence[int] = (),
    title: str = "",
    *,
    bare: bool = False,
) -> Markup:
    """Return a board as SVG: ``squares`` are highlighted; ``bare``: without coordinates. Without a title, the label
    lists the pieces.
    """
    cells, pieces, tinted = list[str](), list[tuple[bool, str]](), set(squares)
    last = squares[-1] if squares else None
    font = min(20, 2.5 * board.columns)
    for square, letter in enumerate(diagram):
        row, column = divmod(square, board.columns)
        x, y = column * SIZE, row * SIZE
        dark = board.style == "checkered" and (row + column) % 2 == 1
        if board.style != "heaps":
            kind = ("dark" if dark else "light") if board.style == "checkered" else "cell"
            cells.append(_square(kind, x, y))
        if square in tinted:
            cells.append(_square("last", x, y))
        if board.labels and board.labels[square] and not bare:
            at = {"class": "label on-dark" if dark else "label", "font-size": f"{font:g}"}
            at |= {"x": f"{x + 5}", "y": f"{y + 1 + font:g}"}
            cells.append(_element("text", at, escape(board.labels[square])))
        if (piece := board.pieces.get(letter)) is not None:
            at = {"data-square": str(square), "transform": f"translate({x + SIZE // 2} {y + SIZE // 2})"}
            # draw the moving piece last, above the others
            pieces.append((square == last, _element("g", at, draw_piece(shapes, piece))))
    pieces.sort(key=lambda each: each[0])
    margin = 6 if board.style == "grid" else 0
    size = f"{-margin} {-margin} {board.columns * SIZE + 2 * margin} {board.rows * SIZE + 2 * margin}"
    inner = "".join([*cells, *(_rules(board) if board.style == "grid" else ()), *(text for _, text in pieces)])
    return Markup(
        _element(
            "svg",
            {
                "class": "board bare" if bare else "board",
                "viewBox": size,
                "role": "img",
                "aria-label": title or describe(board, diagram),
            },
            inner,
        )
    )


def draw_mark(shapes: Shapes, board: BoardAnswer, seat: int) -> Markup:
    """Return a small piece of a seat, for the line with the player's name."""
    piece = next((piece for piece in board.pieces.values() if piece.seat == seat), None)
    if piece is None:
        return Markup()
    about = {"class": "dot", "viewBox": "-42 -42 84 84", "aria-hidden": "true"}
    return Markup(_element("svg", about, draw_piece(shapes, piece)))


def draw_piece(shapes: Shapes, piece: PieceAnswer) -> str:
    """Return a piece in a square of 100 by 100 around the origin."""
    drawn = shapes.get(piece.shape, shapes["token"])
    return _element("g", {"class": f"piece tone-{piece.tone}"}, "".join(_element(tag, about) for tag, about in drawn))


def describe(board: BoardAnswer, diagram: str) -> str:
    """Return a position as text: the number of pieces of each kind."""
    counts = ((diagram.count(letter), piece.name) for letter, piece in board.pieces.items())
    return ", ".join(f"{number} × {name}" for number, name in counts if number)


def _square(kind: str, x: int, y: int) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{SIZE}" height="{SIZE}"></rect>'


def _rules(board: BoardAnswer) -> Iterable[str]:
    width, height = board.columns * SIZE, board.rows * SIZE
    for column in range(board.columns + 1):
        x = str(column * SIZE)
        yield _element("line", {"class": "rule", "x1": x, "y1": "0", "x2": x, "y2": str(height)})
    for row in range(board.rows + 1):
        y = str(row * SIZE)
        yield _element("line", {"class": "rule", "x1": "0", "y1": y, "x2": str(width), "y2": y})


def _element(tag: str, about: dict[str, str], inner: str = "") -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in about.items())
    return f"<{tag}{attributes}>{inner}</{tag}>"
