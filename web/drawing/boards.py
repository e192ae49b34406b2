# SPDX-License-Identifier: GPL-3.0-or-later
"""A board with a position as SVG, with the shapes of the scripts."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial

from markupsafe import Markup, escape

from arena.protocol.watching import Aside, Decision
from engine.drawing import Style, Tone
from web.api.games import BoardAnswer, PieceAnswer
from web.assets import Assets
from web.drawing.cards import Cards
from web.drawing.points import FACES, Points
from web.drawing.styles import Checkered, Drawing, Felt, Grid, Heaps, Holes, Lines, Rounds, Seas, Table
from web.drawing.svg import Label, dot, element

UNDECIDED = Decision()

BLANK = "blank card"
"""The shape of a card without a suit."""

STYLES: Mapping[Style, Drawing] = {
    "checkered": Checkered(),
    "grid": Grid(),
    "felt": Felt(),
    "holes": Holes(),
    "lines": Lines(),
    "heaps": Heaps(),
    "points": Points(),
    "cards": Cards(),
    "table": Table(),
    "seas": Seas(),
    "rounds": Rounds(),
}
"""All styles by name."""

FURTHER_SHAPES = {
    "king": "chessmen.js",
    "splash": "ships.js",
    "spade": "playing_cards.js",
    "blank card": "playing_cards.js",
}
"""The scripts with shapes that few games have, by one or two shapes of each."""

Shapes = dict[str, list[tuple[str, dict[str, str]]]]
"""SVG elements with attributes, by the name of the shape."""


@cache
def read_shapes(assets: Assets) -> Shapes:
    """Return the shapes of pieces from the scripts that hold them as JSON."""
    shapes: Shapes = {}
    for name in ("shapes.js", *dict.fromkeys(FURTHER_SHAPES.values())):
        text = assets.read(name).decode()
        shapes |= json.loads(text[text.index("{", text.index("export")) : text.rindex("}") + 1])
    return shapes


def scripts_of(boards: Sequence[BoardAnswer]) -> list[str]:
    """Return the scripts that draw boards, besides those of each page with a board."""
    scripts = {f"styles/{board.style}.js": None for board in boards}
    shapes = {piece.shape for board in boards for piece in board.pieces.values()}
    scripts |= {script: None for shape, script in FURTHER_SHAPES.items() if shape in shapes}
    return [*scripts]


def draw_board(
    shapes: Shapes,
    board: BoardAnswer,
    diagram: str,
    squares: Sequence[int] = (),
    title: str = "",
    *,
    bare: bool = False,
    first: str | None = None,
    decision: Decision | None = None,
    aside: Aside | None = None,
) -> Markup:
    """Return a board as SVG: ``squares`` are highlighted; ``bare``: without coordinates. Without a title, the label
    lists the pieces. ``first``: for a file of its own, the elements before the squares. ``decision``: what decided the
    match. ``aside``: what lies beside the squares.
    """
    style, decided = STYLES[board.style], decision or UNDECIDED
    corner, middle = style.corner(board, diagram), style.middle(board, diagram)

    def mark(kind: str, square: int) -> str:
        return style.mark(kind, *corner(square), *divmod(square, board.columns))

    def placed(square: int, piece: PieceAnswer, about: dict[str, str], *, stacked: bool = False) -> str:
        x, y = middle(square)
        shape = draw_piece(shapes, piece)
        drawn = style.stack(piece, square, shape) if stacked else shape
        return element("g", about | {"transform": f"translate({x} {y})"}, drawn)

    cells, pieces, tinted = (
        list[str](),
        list[tuple[bool, str]](),
        set(squares[-1:] if style.closes else () if style.newest else squares),
    )
    last = squares[-1] if squares else None
    for square, letter in enumerate(diagram):
        x, y = corner(square)
        cells.append(style.square(x, y, *divmod(square, board.columns)))
        if square in tinted:
            cells.append(mark("last", square))
        if board.labels and (text := board.labels[square]) and not bare:
            cells += style.label(Label(board, text, square, x, y))
        if (piece := board.pieces.get(letter)) is not None:
            # draw the moving piece last, above the others
            pieces.append((square == last, placed(square, piece, {"data-square": str(square)}, stacked=True)))
    pieces.sort(key=lambda each: each[0])
    area = style.area(board, diagram)
    parts = [
        style.below(area),
        *cells,
        style.above(board, diagram, bare=bare),
        *(dot("dots", *middle(square), 9) for square in board.dots),
        *(mark("won", square) for square in decided.won),
        *(mark("lost", square) for square in decided.lost),
        *(text for _, text in pieces),
        style.aside(aside, board, partial(_draw_shape, shapes)) if aside else "",
        *(dot("newest", *middle(square), 15) for square in squares if style.newest),
        *(placed(ghost.square, board.pieces[ghost.letter], {"class": "ghost"}) for ghost in decided.ghosts),
    ]
    about = {
        "class": "board bare" if bare else "board",
        "viewBox": " ".join(f"{number:g}" for number in area),
        "role": "img",
        "aria-label": title or describe(board, diagram),
    }
    if first is not None:
        about = {"xmlns": "http://www.w3.org/2000/svg", **about}
    return Markup(element("svg", about, (first or "") + "".join(parts)))


def draw_mark(shapes: Shapes, board: BoardAnswer, seat: int, face: int = 0) -> Markup:
    """Return a small piece of a seat, for the line with the player's name.

    ``face``: of a die that the seat rolled, instead of the piece; nothing if the board shows the dice.
    """
    if face:
        if STYLES[board.style].dice:
            return Markup()
        seen = {"class": "dot rolled", "viewBox": "-42 -42 84 84", "role": "img", "aria-label": str(face)}
        return Markup(element("svg", seen, _draw_shape(shapes, FACES[face - 1], "light" if seat else "dark")))
    piece = next((piece for piece in board.pieces.values() if piece.seat == seat), None)
    if piece is None:
        return Markup()
    about = {"class": "dot", "viewBox": "-42 -42 84 84", "aria-hidden": "true"}
    return Markup(element("svg", about, draw_piece(shapes, piece)))


def draw_piece(shapes: Shapes, piece: PieceAnswer) -> str:
    """Return a piece in a square of 100 by 100 around the origin."""
    return _draw_shape(shapes, piece.shape, piece.tone, piece.mark)


def _draw_shape(shapes: Shapes, shape: str, tone: Tone, mark: str = "") -> str:
    drawn = "".join(element(tag, about) for tag, about in shapes.get(shape, shapes["token"]))
    # above the suit, or in the middle of a card without one
    about = {"class": "rank", "font-size": "46", "text-anchor": "middle", "y": "16" if shape == BLANK else "-10"}
    text = element("text", about, str(escape(mark))) if mark else ""
    return element("g", {"class": f"piece tone-{tone}"}, drawn + text)


def describe(board: BoardAnswer, diagram: str) -> str:
    """Return a position as text: the number of pieces of each kind."""
    counts = Counter(dict.fromkeys((piece.name for piece in board.pieces.values()), 0))
    for letter in diagram:
        if letter in board.pieces:
            counts[board.pieces[letter].name] += board.pieces[letter].count
    return ", ".join(f"{number} × {name}" for name, number in counts.items() if number)
