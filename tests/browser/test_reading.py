# SPDX-License-Identifier: GPL-3.0-or-later
"""What a screen reader reads of a match: a whole game move by move, positions in words, the list of moves, the end."""

import re
from typing import Any

import chess
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.test_chess import between_thinkers

SEATS = ("White", "Black")
NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def in_words(board: chess.Board) -> set[str]:
    """Return what the page should say of a position: each kind of piece with its squares."""
    kinds: dict[str, list[str]] = {}
    for square in sorted(chess.SQUARES, key=lambda square: (-chess.square_rank(square), chess.square_file(square))):
        if (piece := board.piece_at(square)) is not None:
            name = f"{'White' if piece.color else 'Black'} {NAMES[piece.symbol().lower()]}"
            kinds.setdefault(name, []).append(chess.square_name(square))
    return {f"{name}: {', '.join(squares)}" for name, squares in kinds.items()}


def said(move: dict[str, Any]) -> str:
    """Return a move as people read it."""
    return str(move.get("text") or move["move"])


def test_a_game_is_read_move_by_move(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    moves = site.get(f"/matches/{match['id']}")["moves"]
    page.goto(f"{site.url}/matches/{match['id']}")
    expect(page.locator(".moves button")).to_have_count(len(moves))
    told = page.locator("main [aria-live=polite]")
    page.keyboard.press("Home")
    expect(told).to_have_text("Start")
    for move in moves:
        page.keyboard.press("ArrowRight")
        expect(told).to_have_text(f"{SEATS[move['seat']]}: {said(move)}")
    listed = page.get_by_role("group", name="Moves", exact=True).aria_snapshot()
    read = re.findall(r'^ *- button "([^\s"]+)', listed, re.MULTILINE)
    assert read == [said(move) for move in moves]
    for player in match["players"]:
        expect(page.get_by_role("main").get_by_role("link", name=player["name"], exact=True).first).to_be_visible()
    ending = {"1-0": f"{match['players'][0]['name']} won", "0-1": f"{match['players'][1]['name']} won"}
    expect(page.locator(".ending")).to_contain_text(ending.get(match["result"], "Draw"))


def test_a_position_is_read_in_words(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    moves = site.get(f"/matches/{match['id']}")["moves"]
    page.goto(f"{site.url}/matches/{match['id']}?ply=5")
    told = page.locator("main [aria-live=polite]")
    expect(told).to_have_text(f"White: {said(moves[4])}")
    page.keyboard.press("r")
    board = chess.Board()
    for move in moves[:5]:
        board.push_uci(move["move"])
    expect(told).to_contain_text("Black to move.")
    assert set(re.split(r"\.\s*", told.inner_text())) == in_words(board) | {"Black to move", ""}
    expect(page.locator(".position-text")).to_have_text(told.inner_text())
    squares = page.locator(".frame").get_by_role("gridcell")
    expect(squares).to_have_count(64)
    king = board.king(chess.WHITE)
    assert king is not None
    place = chess.square_mirror(king)  # the first square of the grid is a8
    expect(squares.nth(place)).to_have_attribute("aria-label", f"{chess.square_name(king)}, white king")
    squares.nth(place).focus()
    page.keyboard.press("ArrowUp")
    expect(squares.nth(place - 8)).to_be_focused()
    page.locator("main").focus()
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text(f"Black: {said(moves[5])}")
    expect(page.locator(".position-text")).to_have_count(0)
    page.get_by_role("button", name="Read position").click()
    expect(told).to_contain_text("White to move.")
    page.get_by_role("button", name="Read position").click()
    expect(told).to_have_text(f"Black: {said(moves[5])}")


def test_the_opening_is_named(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    found = site.get(f"/matches/{match['id']}/opening")
    page.goto(f"{site.url}/matches/{match['id']}")
    expect(page.locator(".opening-name")).to_contain_text(f"Opening: {found['eco']} {found['name']}")
    short = site.finished("tictactoe")
    answer = site.get(f"/matches/{short['id']}/opening")
    page.goto(f"{site.url}/matches/{short['id']}")
    if answer["moves"]:
        expect(page.locator(".opening-name")).to_contain_text(" ".join(answer["moves"]))
