# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures show the positions of each game: squares, pieces and colours of SVG, PNG and GIF."""

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from arena.features.pictures.drawing import Position, document, frame, height_of
from arena.features.pictures.process import Job
from arena.features.pictures.rendering import Renderer, spread
from arena.features.pictures.style import THEMES, Theme, read_sheet
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.watching.diagrams import draw_part
from engine.games import catalogue, find
from engine.viewpoint import Viewpoint
from tests.features.pictures.games import first_moves
from web.api.games import BoardAnswer, PieceAnswer, describe
from web.application import STATIC
from web.assets import read_assets
from web.drawing import SIZE

Pixels = NDArray[np.int64]

PLIES = 7
SQUARE = 36
"""Pixels of a square."""

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</title><script>alert(1)</script>\u202e&\"'"


@cache
def board_of(name: str) -> BoardAnswer:
    """Return the board of a game."""
    return describe(GameRegistry(Settings()), find(name)).board


@cache
def positions_of(name: str) -> list[Position]:
    """Return the first positions of a game."""
    drawn = draw_part(Viewpoint.full(find(name)), None, (), first_moves(name, PLIES), 0, PLIES)
    return [Position(drawn.initial, ()), *(Position(move.diagram, move.squares) for move in drawn.moves)]


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    """A renderer in this process."""
    with Renderer() as one:
        yield one


def width_of(board: BoardAnswer) -> int:
    """Return the width of a picture whose squares have SQUARE pixels, the margin aside."""
    return board.columns * SQUARE


def pixels(picture: bytes) -> Pixels:
    """Return the pixels of a picture: rows, columns, red, green and blue."""
    with Image.open(BytesIO(picture)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.int64)


def squares(board: BoardAnswer, drawing: str, drawn: Pixels) -> Iterator[tuple[int, Pixels]]:
    """Yield the number and the pixels of each square, without its edge; of heaps and of points, of each piece."""
    area = re.search(r'viewBox="(\S+) (\S+) (\S+)', drawing)
    assert area is not None
    first, highest, width = map(float, area.groups())
    places = {square: divmod(square, board.columns) for square in range(board.rows * board.columns)}
    corners = {square: (column * SIZE, row * SIZE) for square, (row, column) in places.items()}
    if board.style in ("heaps", "points", "cards"):
        pieces = re.findall(r'data-square="(\d+)" transform="translate\((\d+) (\d+)\)"', drawing)
        corners = {int(square): (int(x) - SIZE // 2, int(y) - SIZE // 2) for square, x, y in pieces}
    if board.style == "seas":
        # nothing is between both seas
        corners = {square: corner for square, corner in corners.items() if places[square][1] != board.columns // 2}
    unit = drawn.shape[1] / width
    side = int((SIZE - 8) * unit)
    for square, (x, y) in corners.items():
        top, left = round((y - highest + 4) * unit), round((x - first + 4) * unit)
        yield square, drawn[top : top + side, left : left + side]


def colour(name: str, theme: Theme) -> list[int]:
    """Return red, green and blue of a colour of the pages."""
    text = read_sheet(read_assets(STATIC)).tokens[name]
    found = re.findall(r"#([0-9a-f]{6})", text)[THEMES.index(theme)]
    return list(bytes.fromhex(found))


def share(part: Pixels, wanted: list[int]) -> float:
    """Return the share of the pixels that have a colour."""
    return float((np.abs(part - wanted).max(axis=2) <= 3).mean())


def colour_of(piece: PieceAnswer) -> str:
    """Return the name of the main colour of a piece."""
    if piece.mark or piece.shape in ("club", "diamond", "heart", "spade"):
        return "--card"
    if piece.shape in ("cross", "nought"):
        return {"dark": "--accent", "light": "--loss"}[piece.tone]
    names = {"dark": "--first", "light": "--second", "neutral": "--token"}
    return names.get(piece.tone, f"--{piece.tone}")


@pytest.mark.parametrize("name", catalogue())
def test_an_svg_picture_shows_the_position_and_needs_no_other_file(name: str) -> None:
    board = board_of(name)
    for position in positions_of(name):
        text = document(read_assets(STATIC), board, position, EVIL)
        root = ElementTree.fromstring(text)
        assert (root.tag, root[0].tag, root[0].text) == (f"{SVG}svg", f"{SVG}title", EVIL)
        assert root[1].tag == f"{SVG}desc"
        assert root[1].text
        pieces = {int(each.get("data-square", "")) for each in root.findall(f"{SVG}g")}
        assert pieces == {square for square, letter in enumerate(position.diagram) if letter in board.pieces}
        mark = "newest" if board.style == "lines" else "last"
        assert len(root.findall(f"*[@class='{mark}']")) == len(set(position.squares))
        assert "prefers-color-scheme: dark" in text
        assert not re.search(r"var\(|light-dark|url\(|href|<script|@import", text)
        for theme in THEMES:
            assert "prefers-color-scheme" not in document(read_assets(STATIC), board, position, "", theme)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", catalogue())
def test_a_png_picture_has_the_pieces_on_their_squares(name: str, theme: Theme, renderer: Renderer) -> None:
    board, position = board_of(name), positions_of(name)[-1]
    drawing = frame(read_assets(STATIC), board, position, theme)
    drawn = pixels(renderer.render(Job("png", width_of(board), [drawing])))
    assert drawn.shape == (height_of(board, width_of(board)), width_of(board), 3)
    for square, part in squares(board, drawing, drawn):
        piece = board.pieces.get(position.diagram[square])
        row, column = divmod(square, board.columns)
        empty = "--square-dark" if (row + column) % 2 else "--square-light"
        grounds = {"checkered": empty, "holes": "--hole", "lines": "--wood", "seas": "--sea"}
        grounds |= dict.fromkeys(("felt", "table"), "--felt")
        ground = colour(grounds.get(board.style, "--surface"), theme)
        if piece is not None:
            assert share(part, colour(colour_of(piece), theme)) > 0.05, (square, piece)
        elif square in position.squares:
            assert share(part, ground) < 0.1, square
        else:
            # the frame is visible around a hole
            assert share(part, ground) > (0.5 if board.style == "holes" else 0.85), square


def test_coordinates_are_drawn_without_fonts_of_the_system(renderer: Renderer) -> None:
    board, position = board_of("chess"), positions_of("chess")[0]
    drawing = frame(read_assets(STATIC), board, position, "light")
    with_labels, without = (
        pixels(renderer.render(Job("png", 600, [text])))
        for text in (drawing, re.sub(r"<text\b.*?</text>", "", drawing))
    )
    differing = np.argwhere(np.abs(with_labels - without).max(axis=2) > 60)
    # the letters of the lowest row and the numbers of the left column
    assert len({tuple(each // 75) for each in differing}) == 8 + 8 - 1


def test_an_animation_shows_each_position(renderer: Renderer) -> None:
    board, positions = board_of("checkers"), positions_of("checkers")
    frames = [frame(read_assets(STATIC), board, position, "light") for position in positions]
    animation = renderer.render(Job("gif", 240, frames, pause=500, end=2000))
    with Image.open(BytesIO(animation)) as image:
        assert (image.size, getattr(image, "n_frames", 1), image.info["loop"]) == ((240, 240), len(positions), 0)
        for number, drawing in enumerate(frames):
            image.seek(number)
            assert image.info["duration"] == (2000 if number == len(frames) - 1 else 500)
            shown = np.asarray(image.convert("RGB"), dtype=np.int64)
            still = pixels(renderer.render(Job("png", 240, [drawing])))
            assert np.abs(shown - still).max(axis=2).mean() < 3


def test_the_colours_of_an_animation_come_from_its_first_and_last_frames_too() -> None:
    assert spread(list("abcdefghij"), 4) == ["a", "d", "g", "j"]
    assert spread(["a", "b"], 4) == ["a", "b"]


def test_what_is_no_drawing_is_refused(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="unknown token"):
        renderer.render(Job("png", 100, ["no drawing"]))
