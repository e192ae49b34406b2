# SPDX-License-Identifier: GPL-3.0-or-later
"""First paint of a page: heading, board or table as HTML before the page's script runs.

The templates escape names and texts of bots. They reserve the space for parts that the script adds, so nothing moves.
Boards are the same SVG drawing as that of ``static/board.js``, with the shapes of ``static/shapes.js``; a browser test
compares both.
"""

import json
import re
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache, partial

from markupsafe import Markup, escape

from arena.protocol.messages import Player, RatingChange
from arena.protocol.watching import Ending, Lobby, Seen, SeenMove
from web import wording
from web.api.games import BoardAnswer, PieceAnswer
from web.api.matches import MatchDetailAnswer
from web.assets import Assets
from web.ending_words import UNDECIDED, Decided, deciding, how

SIZE = 100
"""Side of a square, in SVG units."""

MARGINS = {"checkered": 0, "grid": 6, "felt": 6, "holes": 20, "lines": 50, "heaps": 80}
"""The space around the squares by the style of the board, in SVG units: for the lines of a grid, for the frame of
holes, for the coordinates beside points, and for the frame of heaps with their sizes.
"""

_KINDS = {"grid": "cell", "felt": "felt"}
"""The squares of the boards that have lines between them."""

DOTTED = 8
"""The least rows and columns of a board of felt with dots."""

HOLE, AROUND = 41, 46
"""Radius of a hole, and of a mark around it."""

NEAREST = 0.4
"""The smallest part of the sides of a board of heaps that fills the drawing."""

_PARTS = re.compile(r"[0-9]+|[^0-9]+")
"""Matches the numbers of a label, and the texts between them."""

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
    first: str | None = None,
    decided: Decided = UNDECIDED,
) -> Markup:
    """Return a board as SVG: ``squares`` are highlighted; ``bare``: without coordinates. Without a title, the label
    lists the pieces. ``first``: for a file of its own, the elements before the squares. ``decided``: marks of what
    decided the match.
    """
    cells, pieces, tinted = list[str](), list[tuple[bool, str]](), set(squares)
    last = squares[-1] if squares else None
    font = min(18, 2.5 * board.columns)
    heaps, holes, lines = (board.style == style for style in ("heaps", "holes", "lines"))
    marked = _hole if holes else _square
    sizes = heap_sizes(board, diagram) if heaps else []
    place = _placing(board, sizes)
    for square, letter in enumerate(diagram):
        row, column = divmod(square, board.columns)
        x, y = place(square)
        dark = board.style == "checkered" and (row + column) % 2 == 1
        if holes:
            cells.append(_hole("hole", x, y))
        elif not heaps and not lines:
            kind = ("dark" if dark else "light") if board.style == "checkered" else _KINDS[board.style]
            cells.append(_square(kind, x, y))
        if square in tinted and not lines:
            cells.append(marked("last", x, y))
        if board.labels and (label := board.labels[square]) and not bare:
            cells += _beside(board, label, x, y) if lines else _label(label, x, y, font, dark, below=holes)
        if (piece := board.pieces.get(letter)) is not None:
            at = {"data-square": str(square), "transform": _to_middle(x, y)}
            # draw the moving piece last, above the others
            pieces.append((square == last, _element("g", at, draw_piece(shapes, piece))))
    pieces.sort(key=lambda each: each[0])
    area = _area(board, sizes)
    parts = [
        *([_tray(*area)] if heaps else [_plate(*area)] if holes else [_wood(*area)] if lines else ()),
        *cells,
        *(_counts(board, sizes, place) if heaps and not bare else ()),
        *(_rules(board) if board.style in _KINDS else ()),
        *(_dots(board) if board.style == "felt" else ()),
        *(_points(board) if lines else ()),
        *(_dot("dots", *place(square), 9) for square in board.dots if lines),
        *(marked("won", *place(square)) for square in decided.won),
        *(marked("lost", *place(square)) for square in decided.lost),
        *(text for _, text in pieces),
        *(_dot("newest", *place(square), 15) for square in squares if lines),
        *(_ghost(shapes, board.pieces[letter], *place(square)) for square, letter in decided.ghosts),
    ]
    about = {
        "class": "board bare" if bare else "board",
        "viewBox": " ".join(f"{number:g}" for number in area),
        "role": "img",
        "aria-label": title or describe(board, diagram),
    }
    if first is not None:
        about = {"xmlns": "http://www.w3.org/2000/svg", **about}
    return Markup(_element("svg", about, (first or "") + "".join(parts)))


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


def heap_sizes(board: BoardAnswer, diagram: str) -> list[int]:
    """Return the sizes of the heaps in a diagram, row by row."""
    rows = (diagram[row * board.columns : (row + 1) * board.columns] for row in range(board.rows))
    return [sum(letter in board.pieces for letter in row) for row in rows]


def _placing(board: BoardAnswer, sizes: Sequence[int]) -> Callable[[int], tuple[int, int]]:
    """Return a function from a square to its top left corner. Heaps, of these ``sizes``, are centred."""
    top = (board.rows - sum(map(bool, sizes))) * SIZE // 2 if sizes else 0

    def place(square: int) -> tuple[int, int]:
        row, column = divmod(square, board.columns)
        left = (board.columns - (sizes[row] or board.columns)) * SIZE // 2 if sizes else 0
        return left + column * SIZE, top + row * SIZE

    return place


def _area(board: BoardAnswer, sizes: Sequence[int]) -> tuple[float, float, int, int]:
    """Return the drawn part of a board, as left, top, width and height: all of it, and of heaps the part around the
    tokens, with the sides of the whole.
    """
    width, height = (side * SIZE + 2 * MARGINS[board.style] for side in (board.columns, board.rows))
    part = 1.0
    if any(sizes):
        part = min(1.0, max(NEAREST, (max(sizes) + 2) / board.columns, (sum(map(bool, sizes)) + 1) / board.rows))
    wide, high = int(part * width + 0.5), int(part * height + 0.5)  # as scripts round
    return (board.columns * SIZE - wide) / 2, (board.rows * SIZE - high) / 2, wide, high


def _tray(x: float, y: float, width: int, height: int) -> str:
    """Return the frame around heaps."""
    about = {"class": "tray", "x": f"{x + 4:g}", "y": f"{y + 4:g}", "width": f"{width - 8}", "height": f"{height - 8}"}
    return _element("rect", about | {"rx": "24"})


def _plate(x: float, y: float, width: int, height: int) -> str:
    """Return the frame of a board with holes."""
    about = {"class": "plate", "x": f"{x:g}", "y": f"{y:g}", "width": str(width), "height": str(height), "rx": "28"}
    return _element("rect", about)


def _label(label: str, x: int, y: int, font: float, dark: bool, below: bool) -> Iterable[str]:
    """Return the coordinates of a square: a letter and a number in opposite corners, where no piece covers them.

    ``below``: in the frame below the square.
    """
    for part in _PARTS.findall(label):
        about = {"class": "label on-dark" if dark else "label", "font-size": f"{font:g}"}
        if below:
            about |= {"x": f"{x + SIZE // 2}", "y": f"{y + SIZE + 13}", "text-anchor": "middle"}
        elif part < ":":
            about |= {"x": f"{x + 4}", "y": f"{y + 3 + 0.75 * font:g}"}
        else:
            # letters are at the nearer edge of the board
            low = f"{y + 95}" if y else f"{3 + 0.75 * font:g}"
            about |= {"x": f"{x + 96}", "y": low, "text-anchor": "end"}
        yield _element("text", about, escape(part))


def _counts(board: BoardAnswer, sizes: Sequence[int], place: Callable[[int], tuple[int, int]]) -> Iterable[str]:
    """Return the sizes of heaps as texts beside them."""
    for row, size in enumerate(sizes):
        x, y = place(row * board.columns)
        about = {"class": "label count", "font-size": "48", "text-anchor": "end", "x": f"{x - 12}", "y": f"{y + 67}"}
        if size:
            yield _element("text", about, str(size))


def _ghost(shapes: Shapes, piece: PieceAnswer, x: int, y: int) -> str:
    """Return a piece that was captured."""
    return _element("g", {"class": "ghost", "transform": _to_middle(x, y)}, draw_piece(shapes, piece))


def _to_middle(x: int, y: int) -> str:
    return f"translate({x + SIZE // 2} {y + SIZE // 2})"


def _square(kind: str, x: int, y: int) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{SIZE}" height="{SIZE}"></rect>'


def _hole(kind: str, x: int, y: int) -> str:
    """Return a hole of a board, or a mark around it."""
    radius = HOLE if kind == "hole" else AROUND
    return f'<circle class="{kind}" cx="{x + SIZE // 2}" cy="{y + SIZE // 2}" r="{radius}"></circle>'


def _rules(board: BoardAnswer) -> Iterable[str]:
    width, height = board.columns * SIZE, board.rows * SIZE
    for column in range(board.columns + 1):
        x = str(column * SIZE)
        yield _element("line", {"class": "rule", "x1": x, "y1": "0", "x2": x, "y2": str(height)})
    for row in range(board.rows + 1):
        y = str(row * SIZE)
        yield _element("line", {"class": "rule", "x1": "0", "y1": y, "x2": str(width), "y2": y})


def _wood(x: float, y: float, width: int, height: int) -> str:
    """Return the ground of a board of lines."""
    about = {"class": "wood", "x": f"{x:g}", "y": f"{y:g}", "width": f"{width}", "height": f"{height}"}
    return _element("rect", about)


def _points(board: BoardAnswer) -> Iterable[str]:
    """Return lines through the middle of all squares."""
    first, right, low = SIZE // 2, board.columns * SIZE - SIZE // 2, board.rows * SIZE - SIZE // 2
    for x in range(first, right + 1, SIZE):
        yield _element("line", {"class": "rule", "x1": f"{x}", "y1": f"{first}", "x2": f"{x}", "y2": f"{low}"})
    for y in range(first, low + 1, SIZE):
        yield _element("line", {"class": "rule", "x1": f"{first}", "y1": f"{y}", "x2": f"{right}", "y2": f"{y}"})


def _dot(kind: str, x: int, y: int, radius: int) -> str:
    """Return a dot in the middle of a square."""
    middle = {"cx": f"{x + SIZE // 2}", "cy": f"{y + SIZE // 2}", "r": f"{radius}"}
    return _element("circle", {"class": kind, **middle})


def _beside(board: BoardAnswer, label: str, x: int, y: int) -> Iterable[str]:
    """Return the coordinates of a point, outside of the board: numbers at the left, letters below."""
    font = min(44, 3 * board.columns)
    for part in _PARTS.findall(label):
        at, middle = (-24, y + SIZE // 2) if part < ":" else (x + SIZE // 2, board.rows * SIZE + 24)
        about = {"class": "label", "font-size": f"{font}", "text-anchor": "middle"}
        yield _element("text", about | {"x": f"{at}", "y": f"{middle + 0.36 * font:g}"}, escape(part))


def _dots(board: BoardAnswer) -> Iterable[str]:
    """Return the four dots of a large board of felt, two squares from the edges."""
    if min(board.rows, board.columns) >= DOTTED:
        for row in (2, board.rows - 2):
            for column in (2, board.columns - 2):
                yield _element("circle", {"class": "dots", "cx": f"{column * SIZE}", "cy": f"{row * SIZE}", "r": "8"})


def _element(tag: str, about: dict[str, str], inner: str = "") -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in about.items())
    return f"<{tag}{attributes}>{inner}</{tag}>"


BOARDS = 4
"""Boards of the lobby that the first paint draws with pieces; it draws only frames for the others."""

FILTERS: dict[str, Callable[..., object]] = {
    "ago": wording.ago,
    "clock": wording.clock,
    "control": wording.control,
    "count": wording.count,
    "half": wording.half,
    "large": wording.large,
    "named": wording.named,
    "points": wording.points,
    "points_text": wording.points_text,
    "rating": wording.rating,
    "score": wording.score,
    "signed": wording.signed,
    "tone": wording.tone,
    "verdict": wording.verdict,
}
"""Template filters that format numbers, times and names."""


def painters(assets: Assets) -> dict[str, object]:
    """Return the functions that templates draw boards with."""
    shapes = read_shapes(assets)
    return {"draw": partial(draw_board, shapes), "mark": partial(draw_mark, shapes), "drawn": BOARDS}


def lobby_values(lobby: Lobby, games: Container[str]) -> dict[str, object]:
    """Return the template values of the lobby: the other boards of ``games``, and the score of the featured pairing."""
    featured = lobby.featured
    bots = {player.bot for player in featured.players} if featured else {None}
    scores = (
        result
        for result in lobby.results
        if featured and result.game == featured.game and {player.bot for player in result.players} == bots
    )
    number = featured.match if featured else None
    others = [seen for seen in lobby.boards if seen.match != number and seen.game in games]
    score = None if None in bots else next(scores, None)
    return {"others": others, "score_of_pairing": score, "how": how, "decided": _decided}


def _decided(seen: Seen, board: BoardAnswer) -> Decided:
    """Return what decided a match of the lobby."""
    if seen.ending is None:
        return UNDECIDED
    return deciding(seen.game, board, seen.ending.result, seen.ending.termination, seen.diagram, seen.squares)


def match_values(
    match: MatchDetailAnswer, board: BoardAnswer, ply: int | None = None, at: SeenMove | None = None
) -> dict[str, object]:
    """Return the template values of a match page: the position after ``ply`` moves, by default the newest.

    ``at``: the move to that position if it is not in the answer.
    """
    last = at or (match.moves[-1] if match.moves else None)
    if ply is not None and at is None:
        last = match.moves[ply - 1] if 0 < ply <= len(match.moves) else None
    reports = [_report(match.moves[:ply], seat) for seat in (0, 1)]
    ending, decided = partial(str), UNDECIDED
    if match.status == "finished":
        end = match.game, board, match.result or "*", match.termination or "", match.diagram
        ending = partial(how, *end, match.payoff)
        if last is not None and last.ply == match.plies:
            diagrams = [match.initial, *(move.diagram for move in match.moves)]
            decided = deciding(*end, last.squares, diagrams[-2] if last is match.moves[-1] else None)
    return {
        "match": match,
        "board": board,
        "seen": _seen(match),
        "diagram": last.diagram if last else match.initial,
        "squares": last.squares if last else [],
        "reports": reports,
        "how": ending,
        "decided": decided,
    }


def _report(moves: list[SeenMove], seat: int) -> SeenMove | None:
    """Return the last move of a seat with search info."""
    return next((move for move in reversed(moves) if move.seat == seat and move.info is not None), None)


def _seen(match: MatchDetailAnswer) -> Seen:
    """Return a match as the spectators' stream describes it."""
    one, other = (Player(side.name, side.version, rating=side.rating, bot=side.bot) for side in match.players)
    return Seen(
        match=match.id,
        game=match.game,
        time_class=match.time_class,
        players=(one, other),
        rated=match.rated,
        time_control=match.time_control,
        started=match.started,
        ply=match.plies,
        diagram=match.diagram,
        squares=[],
        to_move=match.to_move or 0,
        clocks=None,
        clocks_at=0.0,
        ending=_ending(match) if match.status == "finished" else None,
    )


def _ending(match: MatchDetailAnswer) -> Ending:
    changes = [
        RatingChange(side.rating, side.rating + side.rating_change)
        for side in match.players
        if side.rating is not None and side.rating_change is not None
    ]
    ratings = (changes[0], changes[1]) if len(changes) == 2 else None
    return Ending(match.result or "*", match.termination or "", match.detail, ratings, payoff=match.payoff or 1.0)
