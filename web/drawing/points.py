# SPDX-License-Identifier: GPL-3.0-or-later
"""The board of backgammon, as in ``static/styles/points.js``: two rows of 12 points with the bar between them and a
tray at the right, stacks of men, dice and the doubling cube.
"""

from collections.abc import Callable, Iterable

from arena.protocol.watching import Aside
from engine.drawing import Tone
from web.api.games import BoardAnswer, PieceAnswer
from web.drawing.styles import Drawing
from web.drawing.svg import SIZE, Area, Corner, Label, element, ground, parts

COLUMNS, BAR, TRAY = 14, 6, 13
HEIGHT, TIP, HALF = 560, 450, 6 * SIZE
"""The heights of a square and of a triangle, and the width of a half of the board."""
PITCH, FIRST, SLAB = 90, 46, 34
"""From one man of a stack to the next, to the middle of the first; of men in a tray."""
MOST = 5
"""The largest stack that is drawn whole."""
FACES = ("one", "two", "three", "four", "five", "six")


def way_of(row: int, column: int) -> int:
    """Return the way from one man of a stack to the next: down from the upper edge, up from the lower edge, and
    from the middle on the bar.
    """
    return -1 if (column == BAR) == (row == 0) else 1


def height_of(row: int, column: int, index: int) -> int:
    """Return where a man of a stack is; ``index``: from 0 for the first one."""
    way = way_of(row, column)
    if column == BAR:
        return HEIGHT + way * (FIRST + 70 + PITCH * index)
    edge = 2 * HEIGHT if row else 0
    return edge + way * (24 + SLAB * index if column == TRAY else FIRST + PITCH * index)


def numbered(number: int) -> str:
    """Return the number on a man or on the cube."""
    about = {"class": "pip number", "font-size": "44", "text-anchor": "middle", "y": "15"}
    return element("text", about, str(number))


class Points(Drawing):
    """The board of backgammon."""

    margin = 56
    dice = True

    def area(self, board: BoardAnswer, diagram: str) -> Area:
        """Return the board with its frame."""
        return Area(-self.margin, -self.margin, COLUMNS * SIZE + 2 * self.margin, 2 * HEIGHT + 2 * self.margin)

    def corner(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where the squares are."""
        return lambda square: (square % COLUMNS * SIZE, square // COLUMNS * HEIGHT)

    def middle(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where men are, the uppermost ones of stacks."""

        def place(square: int) -> tuple[int, int]:
            row, column = divmod(square, COLUMNS)
            piece = board.pieces.get(diagram[square])
            count = piece.count if piece else 1
            drawn = count if column == TRAY else min(count, MOST)
            return column * SIZE + SIZE // 2, height_of(row, column, drawn - 1)

        return place

    def below(self, area: Area) -> str:
        """Return the frame and the two halves of the board."""
        size = {"width": str(HALF), "height": str(2 * HEIGHT)}
        fields = [{"class": "field", "x": str(column * SIZE), "y": "0", **size} for column in (0, BAR + 1)]
        return ground("rail", area, rounding=16) + "".join(element("rect", about) for about in fields)

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a point or a tray."""
        if column == BAR:
            return ""
        kind = "point" if (row + column + (column > BAR)) % 2 else "pale-point"
        return self.mark("slot" if column == TRAY else kind, x, y, row, column)

    def mark(self, kind: str, x: int, y: int, row: int, column: int) -> str:
        """Return a triangle for a point, or a rectangle for the bar and for a tray."""
        if column in (BAR, TRAY):
            place = {"x": str(x + 6), "y": str(y + 6), "width": str(SIZE - 12), "height": str(HEIGHT - 12)}
            return element("rect", {"class": kind, **place, "rx": "8"})
        edge, tip = (2 * HEIGHT, 2 * HEIGHT - TIP) if row else (0, TIP)
        corners = f"{x + 2},{edge} {x + SIZE // 2},{tip} {x + SIZE - 2},{edge}"
        return element("polygon", {"class": kind, "points": corners})

    def label(self, label: Label) -> Iterable[str]:
        """Return the number of a point, in the frame."""
        y = 2 * HEIGHT + 41 if label.y else -16
        place = {"font-size": "36", "text-anchor": "middle", "x": str(label.x + SIZE // 2), "y": str(y)}
        return parts(label.text, lambda part: place)

    def stack(self, piece: PieceAnswer, square: int, shape: str) -> str:
        """Return a stack of men; a large one has its number on the uppermost man."""
        row, column = divmod(square, COLUMNS)
        back = -way_of(row, column)
        if column == TRAY:
            size = {"width": "72", "height": "30", "rx": "6"}
            slabs = [{"class": "body", "x": "-36", "y": str(back * SLAB * index - 15)} for index in range(piece.count)]
            return element(
                "g", {"class": f"piece tone-{piece.tone}"}, "".join(element("rect", each | size) for each in slabs)
            )
        below = min(piece.count, MOST) - 1
        places = [f"translate(0 {back * PITCH * (below - index)})" for index in range(below)]
        men = [element("g", {"transform": place}, shape) for place in places]
        number = element("g", {"class": f"tone-{piece.tone}"}, numbered(piece.count)) if piece.count > MOST else ""
        return "".join([*men, shape, number])

    def aside(self, aside: Aside, board: BoardAnswer, piece: Callable[[str, Tone], str]) -> str:
        """Return the dice in the half of the seat that rolled, and the cube on the bar."""
        half = BAR + 1 if aside.roller == board.bottom else 0
        middle = half * SIZE + HALF / 2 - 46 * (len(aside.dice) - 1)
        tone: Tone = "light" if aside.roller else "dark"
        drawn = [
            element(
                "g",
                {"class": "die", "transform": f"translate({middle + 92 * index:g} {HEIGHT})"},
                piece(FACES[face - 1], tone),
            )
            for index, face in enumerate(aside.dice)
        ]
        if aside.cube:
            held = HEIGHT if aside.owner is None else 2 * HEIGHT - 50 if aside.owner == board.bottom else 50
            about = {"class": "body", "x": "-38", "y": "-38", "width": "76", "height": "76", "rx": "10"}
            at = {"class": "cube tone-light", "transform": f"translate({BAR * SIZE + SIZE // 2} {held})"}
            drawn.append(element("g", at, element("rect", about) + numbered(64 if aside.cube == 1 else aside.cube)))
        return "".join(drawn)
