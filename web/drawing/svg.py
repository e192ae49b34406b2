# SPDX-License-Identifier: GPL-3.0-or-later
"""SVG elements that several styles of boards draw."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from markupsafe import escape

from web.api.games import BoardAnswer

SIZE = 100
"""Side of a square, in SVG units."""

_PARTS = re.compile(r"[0-9]+|[^0-9]+")
"""Matches the numbers of a label, and the texts between them."""

Corner = Callable[[int], tuple[int, int]]
"""From a square to its top left corner."""


class Area(NamedTuple):
    """The drawn part of a board."""

    x: float
    y: float
    width: int
    height: int


class Label(NamedTuple):
    """The text of a square, and the square's place."""

    board: BoardAnswer
    text: str
    square: int
    x: int
    y: int


def element(tag: str, about: dict[str, str], inner: str = "") -> str:
    """Return an element with its attributes, which are escaped, and its contents."""
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in about.items())
    return f"<{tag}{attributes}>{inner}</{tag}>"


def ground(kind: str, area: Area, *, rounding: int = 0, inset: int = 0) -> str:
    """Return what is below the squares; ``rounding``: the radius of its corners."""
    sides = {
        "x": area.x + inset,
        "y": area.y + inset,
        "width": area.width - 2 * inset,
        "height": area.height - 2 * inset,
    }
    about = {"class": kind} | {name: f"{value:g}" for name, value in sides.items()}
    return element("rect", about | ({"rx": str(rounding)} if rounding else {}))


def square(kind: str, x: int, y: int) -> str:
    """Return a square of a kind."""
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{SIZE}" height="{SIZE}"></rect>'


def dot(kind: str, x: int, y: int, radius: int) -> str:
    """Return a dot at a point."""
    return element("circle", {"class": kind, "cx": f"{x}", "cy": f"{y}", "r": f"{radius}"})


def rules(board: BoardAnswer, first: int = 0) -> str:
    """Return lines between the squares, or through their middle; ``first``: the place of the first line."""
    right, low = board.columns * SIZE - first, board.rows * SIZE - first
    down = [(x, first, x, low) for x in range(first, right + 1, SIZE)]
    across = [(first, y, right, y) for y in range(first, low + 1, SIZE)]
    names = ("x1", "y1", "x2", "y2")
    lines = (dict(zip(names, map(str, line), strict=True)) for line in (*down, *across))
    return "".join(element("line", {"class": "rule"} | line) for line in lines)


def parts(text: str, place: Callable[[str], dict[str, str]]) -> Iterable[str]:
    """Return the numbers and the other parts of a label, each as a text; ``place``: attributes of a part."""
    return (element("text", {"class": "label"} | place(part), escape(part)) for part in _PARTS.findall(text))


def font_of(board: BoardAnswer) -> str:
    """Return the font size of coordinates: the same on screen for small and large boards."""
    return f"{min(18, 2.5 * board.columns):g}"


def corners(label: Label, kind: str = "label") -> Iterable[str]:
    """Return a letter and a number in opposite corners, where no piece covers them."""
    high = f"{label.y + 3 + 0.75 * float(font_of(label.board)):g}"

    def place(part: str) -> dict[str, str]:
        about = {"class": kind, "font-size": font_of(label.board)}
        if part < ":":
            return about | {"x": f"{label.x + 4}", "y": high}
        # letters are at the nearer edge of the board
        return about | {"x": f"{label.x + 96}", "y": f"{label.y + 95}" if label.y else high, "text-anchor": "end"}

    return parts(label.text, place)
