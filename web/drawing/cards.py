# SPDX-License-Identifier: GPL-3.0-or-later
"""A table with cards, as in ``static/styles/cards.js``: rows of seat 1, of the middle and of seat 0."""

from collections.abc import Callable

from arena.protocol.watching import Aside
from engine.drawing import Tone
from web.api.games import BoardAnswer
from web.drawing.styles import Drawing
from web.drawing.svg import SIZE, Area, Corner, element, ground

HEIGHT = 112
"""The height of a row."""
COLUMNS = 5
"""The table has room for so many cards side by side, or for the columns of the board."""
MARGIN, LINE = 30, 24
"""The space around the cards, and for the moves of the hand below them."""
CHIPS = 170
"""From the middle of the table to the chips of a seat."""
CHIP = 0.6


class Cards(Drawing):
    """A table with cards. The cards of a row are side by side in its middle."""

    margin = MARGIN
    closes = True

    def area(self, board: BoardAnswer, diagram: str) -> Area:
        """Return the table."""
        columns = max(board.columns, COLUMNS)
        left = (board.columns - columns) * SIZE / 2 - MARGIN
        return Area(left, -MARGIN, columns * SIZE + 2 * MARGIN, board.rows * HEIGHT + 2 * MARGIN + LINE)

    def corner(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where the cards are."""

        def place(square: int) -> tuple[int, int]:
            row, column = divmod(square, board.columns)
            cards = diagram[row * board.columns : (row + 1) * board.columns]
            size = sum(letter in board.pieces for letter in cards)
            return (board.columns - size) * SIZE // 2 + column * SIZE, row * HEIGHT

        return place

    def middle(self, board: BoardAnswer, diagram: str) -> Corner:
        """Return where the middles of the cards are."""
        corner = self.corner(board, diagram)

        def place(square: int) -> tuple[int, int]:
            x, y = corner(square)
            return x + SIZE // 2, y + HEIGHT // 2

        return place

    def below(self, area: Area) -> str:
        """Return the table."""
        return ground("felt", area, rounding=24)

    def mark(self, kind: str, x: int, y: int, row: int, column: int) -> str:
        """Return a frame around a card."""
        place = {"x": str(x + 4), "y": str(y + 3), "width": str(SIZE - 8), "height": str(HEIGHT - 6), "rx": "14"}
        return element("rect", {"class": kind, **place})

    def aside(self, aside: Aside, board: BoardAnswer, piece: Callable[[str, Tone], str]) -> str:
        """Return the chips of each seat in the pot, beside its cards, and the moves of the hand."""
        middle, drawn = board.columns * SIZE // 2, list[str]()
        for seat, chips in enumerate(aside.bets or ()):
            y = (board.rows - 1 if seat == board.bottom else 0) * HEIGHT + HEIGHT // 2
            at = {"transform": f"translate({middle + CHIPS - 50} {y}) scale({CHIP:g})"}
            about = {"class": "bet", "font-size": "36", "x": str(middle + CHIPS - 18), "y": str(y + 13)}
            drawn += [element("g", at, piece("counter", "yellow")), element("text", about, f"{chips:g}")]
        if aside.history:
            y = board.rows * HEIGHT + LINE
            about = {"class": "label", "font-size": "24", "text-anchor": "middle", "x": str(middle), "y": str(y)}
            drawn.append(element("text", about, aside.history))
        return "".join(drawn)
