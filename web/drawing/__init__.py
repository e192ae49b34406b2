# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings of boards as SVG, the same as those of ``static/board.js``; a browser test compares both."""

from web.drawing.boards import STYLES, Shapes, describe, draw_board, draw_mark, draw_piece, read_shapes, scripts_of
from web.drawing.svg import SIZE

__all__ = ["SIZE", "STYLES", "Shapes", "describe", "draw_board", "draw_mark", "draw_piece", "read_shapes", "scripts_of"]
