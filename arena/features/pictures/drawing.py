# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings of positions: SVG documents that need no other file."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from arena.features.pictures.style import BACKGROUND, Theme, read_sheet
from web.api.games import BoardAnswer
from web.assets import Assets
from web.drawing import SIZE, STYLES, describe, draw_board, read_shapes

LABELS = "Aileron, system-ui, sans-serif"
"""Fonts of coordinates. The process that renders pictures brings the first one."""


class Position(NamedTuple):
    """A position to draw."""

    diagram: str
    squares: Sequence[int]
    """The squares of the last move."""


def document(assets: Assets, board: BoardAnswer, position: Position, title: str, theme: Theme | None = None) -> str:
    """Return a position as an SVG document with its own colours. Without a theme, the viewer's preference chooses
    the light or the dark colours.
    """
    first = [
        Markup("<title>{}</title>").format(title),
        Markup("<desc>{}</desc>").format(describe(board, position.diagram) or "The board is empty."),
    ]
    return _drawn(assets, board, position, title, theme, first)


def frame(assets: Assets, board: BoardAnswer, position: Position, theme: Theme) -> str:
    """Return a position as SVG for the renderer, without texts for people."""
    return _drawn(assets, board, position, "-", theme, [])


def _drawn(
    assets: Assets, board: BoardAnswer, position: Position, title: str, theme: Theme | None, first: Sequence[str]
) -> str:
    shapes = read_shapes(assets)
    # wider than any margin around a board
    area = {"x": -SIZE, "y": -SIZE, "width": (board.columns + 2) * SIZE, "height": (board.rows + 2) * SIZE}
    sides = " ".join(f'{name}="{value}"' for name, value in area.items())
    background = f'<rect class="{BACKGROUND}" {sides}></rect>'
    drawing = str(draw_board(shapes, board, position.diagram, position.squares, title, first=background))
    fonts = f"text{{font-family: {LABELS}}}" if "<text" in drawing else ""
    style = f"<style>{read_sheet(assets).text(drawing, theme)}{fonts}</style>"
    return drawing.replace(background, "".join([*first, style, background]), 1)


def height_of(board: BoardAnswer, width: int) -> int:
    """Return the height of a picture of a board, in pixels, for its width."""
    # heaps: of the whole board, not of the part that a position fills
    area = STYLES[board.style].area(board, "." * (board.rows * board.columns))
    # the renderer rounds up
    return -(-width * area.height // area.width)
