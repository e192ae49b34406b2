# SPDX-License-Identifier: GPL-3.0-or-later
"""Styles of boards with squares and of heaps, as those of ``static/styles``. The default is a grid of squares."""

from collections.abc import Callable, Iterable, Sequence

from arena.protocol.watching import Aside
from engine.drawing import Tone
from web.api.games import BoardAnswer, PieceAnswer
from web.drawing.svg import SIZE, Area, Corner, Label, corners, dot, element, font_of, ground, parts, rules, square

SEA = 10
"""The columns of a sea, and the number of the empty column between two seas."""


class Drawing:
    """How boards of a style are drawn."""

    margin = 0
    """The space around the squares, in SVG units."""
    newest = False
    """Whether dots on the pieces mark the last move, instead of coloured squares."""
    closes = False
    """Whether hands close up when a card is played: only the last square of a move has its colour."""
    dice = False
    """Whether the board shows the dice of a roll; else they are beside the player's name."""

    def area(self, board: BoardAnswer, diagram: str) -> Area:
        """Return the drawn part of a board."""
        width, height = (side * SIZE + 2 * self.margin for side in (board.columns, board.rows))
        return Area(-self.margin, -self.margin, width, height)

    def corner(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where the squares are."""
        return lambda square: (square % board.columns * SIZE, square // board.columns * SIZE)

    def middle(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where pieces are, or the uppermost ones of stacks."""
        corner = self.corner(board, diagram)

        def place(square: int) -> tuple[int, int]:
            x, y = corner(square)
            return x + SIZE // 2, y + SIZE // 2

        return place

    def below(self, area: Area) -> str:
        """Return what is below the squares."""
        return ""

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a square without its pieces."""
        return ""

    def mark(self, kind: str, x: int, y: int, row: int, column: int) -> str:
        """Return a coloured square."""
        return square(kind, x, y)

    def label(self, label: Label) -> Iterable[str]:
        """Return the text of a square."""
        return corners(label)

    def above(self, board: BoardAnswer, diagram: str, *, bare: bool) -> str:
        """Return what is over the squares and below the pieces; ``bare``: without texts."""
        return ""

    def stack(self, piece: PieceAnswer, square: int, shape: str) -> str:
        """Return the pieces of a square; ``shape``: one of them."""
        return shape

    def aside(self, aside: Aside, board: BoardAnswer, piece: Callable[[str, Tone], str]) -> str:
        """Return what lies beside the squares. ``piece`` draws a shape in a tone."""
        return ""


class Checkered(Drawing):
    """Squares in two colours."""

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a light or a dark square."""
        return square("dark" if (row + column) % 2 else "light", x, y)

    def label(self, label: Label) -> Iterable[str]:
        """Return the text of a square, which a dark square would hide."""
        return corners(label, "label on-dark" if sum(divmod(label.square, label.board.columns)) % 2 else "label")


class Grid(Drawing):
    """Lines between the squares."""

    margin = 6
    kind = "cell"

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a square in the colour of the board."""
        return square(self.kind, x, y)

    def above(self, board: BoardAnswer, diagram: str, *, bare: bool) -> str:
        """Return the lines."""
        return rules(board)


class Felt(Grid):
    """Felt with lines between the squares, and with four dots if the board is large."""

    kind = "felt"
    DOTTED = 8
    """The least rows and columns of a board with dots."""

    def above(self, board: BoardAnswer, diagram: str, *, bare: bool) -> str:
        """Return the lines, and the dots two squares from the edges."""
        rows, columns = board.rows, board.columns
        dots = [dot("dots", x * SIZE, y * SIZE, 8) for y in (2, rows - 2) for x in (2, columns - 2)]
        return rules(board) + ("".join(dots) if min(rows, columns) >= self.DOTTED else "")


class Table(Drawing):
    """A table of felt without lines, for the cards of four players."""

    margin = 24
    closes = True
    FONT = 40
    """The size of the letters of the sides."""

    def below(self, area: Area) -> str:
        """Return the felt."""
        return ground("felt", area, rounding=40)

    def label(self, label: Label) -> Iterable[str]:
        """Return the letter of a side, in the middle of its square."""
        place = {"x": f"{label.x + SIZE // 2}", "y": f"{label.y + SIZE // 2 + 14}", "text-anchor": "middle"}
        return parts(label.text, lambda part: {"font-size": f"{self.FONT}"} | place)


class Holes(Drawing):
    """An upright frame with a hole for each square."""

    margin = 20
    HOLE, AROUND = 41, 46
    """Radius of a hole, and of a mark around it."""

    def below(self, area: Area) -> str:
        """Return the frame."""
        return ground("plate", area, rounding=28)

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a hole."""
        return dot("hole", x + SIZE // 2, y + SIZE // 2, self.HOLE)

    def mark(self, kind: str, x: int, y: int, row: int, column: int) -> str:
        """Return a mark around a hole."""
        return dot(kind, x + SIZE // 2, y + SIZE // 2, self.AROUND)

    def label(self, label: Label) -> Iterable[str]:
        """Return the text of a hole, in the frame below it."""
        place = {"x": f"{label.x + SIZE // 2}", "y": f"{label.y + SIZE + 13}", "text-anchor": "middle"}
        return parts(label.text, lambda part: {"font-size": font_of(label.board)} | place)


class Rounds(Drawing):
    """Strips of two rows: a column for each round."""

    margin = 20
    GAP, FONT = 56, 36
    """The space between two strips, and the size of their numbers."""

    def area(self, board: BoardAnswer, diagram: str) -> Area:
        """Return the drawn part of a board."""
        high = self.top(board.rows - 1) + SIZE + self.GAP + self.margin
        return Area(-self.margin, -self.margin, board.columns * SIZE + 2 * self.margin, high)

    def top(self, row: int) -> int:
        """Return the upper edge of a row."""
        return row * SIZE + row // 2 * self.GAP

    def corner(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where the squares are."""
        return lambda square: (square % board.columns * SIZE, self.top(square // board.columns))

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a square in the colour of the board."""
        return square("cell", x, y)

    def label(self, label: Label) -> Iterable[str]:
        """Return the number of a round, in the space below the strip."""
        place = {"x": f"{label.x + SIZE // 2}", "y": f"{label.y + SIZE + 40}", "text-anchor": "middle"}
        return parts(label.text, lambda part: {"font-size": f"{self.FONT}"} | place)


class Lines(Drawing):
    """Wood with lines through the middle of the squares, which are points."""

    margin = 50
    newest = True

    def below(self, area: Area) -> str:
        """Return the wood."""
        return ground("wood", area)

    def above(self, board: BoardAnswer, diagram: str, *, bare: bool) -> str:
        """Return the lines."""
        return rules(board, SIZE // 2)

    def label(self, label: Label) -> Iterable[str]:
        """Return the coordinates of a point, outside of the board: numbers at the left, letters below."""
        # two digits fit between the edge and the stones
        font = min(36, 3 * label.board.columns)

        def place(part: str) -> dict[str, str]:
            low = label.board.rows * SIZE + 24
            x, y = (-25, label.y + SIZE // 2) if part < ":" else (label.x + SIZE // 2, low)
            return {"font-size": f"{font}", "text-anchor": "middle", "x": f"{x}", "y": f"{y + 0.36 * font:g}"}

        return parts(label.text, place)


class Heaps(Drawing):
    """Each row is a heap of tokens, without squares. Heaps are centred."""

    margin = 80
    NEAREST = 0.4
    """The smallest part of the sides of a board that fills the drawing."""

    def sizes(self, board: BoardAnswer, diagram: str) -> Sequence[int]:
        """Return the sizes of the heaps in a diagram, row by row."""
        rows = (diagram[row * board.columns : (row + 1) * board.columns] for row in range(board.rows))
        return [sum(letter in board.pieces for letter in row) for row in rows]

    def area(self, board: BoardAnswer, diagram: str) -> Area:
        """Return the part around the tokens, with the sides of the whole."""
        sizes = [size for size in self.sizes(board, diagram) if size]
        whole = super().area(board, diagram)
        part = 1.0
        if sizes:
            part = min(1.0, max(self.NEAREST, (max(sizes) + 2) / board.columns, (len(sizes) + 1) / board.rows))
        wide, high = int(part * whole.width + 0.5), int(part * whole.height + 0.5)  # as scripts round
        return Area((board.columns * SIZE - wide) / 2, (board.rows * SIZE - high) / 2, wide, high)

    def corner(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where the tokens are."""
        sizes = self.sizes(board, diagram)
        top = (board.rows - sum(map(bool, sizes))) * SIZE // 2

        def place(square: int) -> tuple[int, int]:
            row, column = divmod(square, board.columns)
            left = (board.columns - (sizes[row] or board.columns)) * SIZE // 2
            return left + column * SIZE, top + row * SIZE

        return place

    def below(self, area: Area) -> str:
        """Return the frame around the heaps."""
        return ground("tray", area, rounding=24, inset=4)

    def above(self, board: BoardAnswer, diagram: str, *, bare: bool) -> str:
        """Return the sizes of the heaps as texts beside them."""
        if bare:
            return ""
        place, texts = self.corner(board, diagram), list[str]()
        for row, size in enumerate(self.sizes(board, diagram)):
            x, y = place(row * board.columns)
            about = {
                "class": "label count",
                "font-size": "48",
                "text-anchor": "end",
                "x": f"{x - 12}",
                "y": f"{y + 67}",
            }
            if size:
                texts.append(element("text", about, str(size)))
        return "".join(texts)


class Seas(Drawing):
    """Two seas side by side, with an empty column between them."""

    margin = 60
    FONT = 44

    def square(self, x: int, y: int, row: int, column: int) -> str:
        """Return a square of water."""
        return "" if column == SEA else square("sea", x, y)

    def label(self, label: Label) -> Iterable[str]:
        """Return the coordinates of a square, outside of its sea: numbers at the left, letters above."""

        def place(part: str) -> dict[str, str]:
            font = {"font-size": str(self.FONT)}
            if part < ":":
                return font | {"x": str(label.x - 10), "y": str(label.y + SIZE // 2 + 16), "text-anchor": "end"}
            return font | {"x": str(label.x + SIZE // 2), "y": "-14", "text-anchor": "middle"}

        return parts(label.text, place)
