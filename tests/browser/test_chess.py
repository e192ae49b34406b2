# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess matches of two bots that search in a real browser: what the engines think, move by move, and the PGN."""

import re
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.held import held_searches
from tests.browser.test_pages import WHOLE_PAGE_FITS

SCORE = re.compile(r"^([+−±]\d+\.\d\d|wins|loses)$")
SCORED = """
(number) => {
  const scores = [...document.querySelectorAll(".reports > div")].map((side) => side.querySelector("dd").textContent);
  return document.querySelector(".replay .number").textContent === number && scores.length === 2
    && !scores.includes("–");
}
"""


def between_thinkers(site: Site) -> dict[str, Any]:
    """A chess match of two bots that search: it is over, and on a slow machine perhaps on time."""
    return site.finished("chess", without="random", plies=20)


def value(page: Page, seat: int, name: str) -> Locator:
    """A figure that a side reported."""
    side = page.locator(".reports > div").nth(seat)
    return side.locator("dt", has_text=re.compile(f"^{name}$")).locator("xpath=following-sibling::dd[1]")


def test_search_info_of_both_engines_is_shown_live(site: Site, page: Page) -> None:
    with held_searches(site, "chess") as bots:
        page.goto(f"{site.url}/matches/{bots[0].match}")
        begun = int(page.locator(".replay .number").inner_text().split("/")[1])
        for bot in bots:
            bot.goes_on(2)
        page.wait_for_function(SCORED, arg=f"{begun + 4} / {begun + 4}")
        for seat in (0, 1):
            expect(value(page, seat, "Score")).to_have_text(SCORE)
            expect(value(page, seat, "Depth")).to_have_text(re.compile(r"^\d+$"))
            expect(page.locator(".reports .line").nth(seat)).to_have_text(re.compile(r"^\S+( \S+)*$"))
        expect(page.locator(".plot canvas")).to_be_visible()
        expect(page.locator(".moves .report").last).to_have_text(re.compile(r"^(\S+/\d+)?$"))


def test_moves_and_variations_are_in_standard_notation(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    record = site.get(f"/matches/{match['id']}")
    board = chess.Board()
    thoughts = 0
    for made in record["moves"]:
        move = chess.Move.from_uci(made["move"])
        assert made["text"] == board.san(move)
        if line := made.get("line"):
            thoughts += 1
            after = board.copy()
            assert line == [after.san_and_push(chess.Move.from_uci(text)) for text in made["info"]["pv"][: len(line)]]
        board.push(move)
    assert thoughts > 2
    page.goto(f"{site.url}/matches/{match['id']}")
    written = page.locator(".moves button > span:first-child")
    expect(written).to_have_text([made["text"] for made in record["moves"]])


def test_a_match_is_downloaded_as_pgn(site: Site, page: Page, tmp_path: Path) -> None:
    match = between_thinkers(site)
    page.goto(f"{site.url}/matches/{match['id']}")
    with page.expect_download() as download:
        page.get_by_role("link", name="PGN").click()
    path = tmp_path / "match.pgn"
    download.value.save_as(path)
    with path.open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
        assert chess.pgn.read_game(file) is None
    assert game is not None
    assert not game.errors
    record = site.get(f"/matches/{match['id']}")
    assert [move.uci() for move in game.mainline_moves()] == [made["move"] for made in record["moves"]]
    assert [game.headers[side] for side in ("White", "Black")] == [one["name"] for one in record["players"]]
    assert game.headers["Result"] == record["result"]
    reported = [made for made in record["moves"] if made.get("info")]
    assert len([node for node in game.mainline() if re.match(r"[+-]\d+\.\d\d/\d+\b", node.comment)]) == len(reported)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chess_match_fits_a_phone(site: Site, page: Page, scheme: str) -> None:
    match = between_thinkers(site)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{site.url}/matches/{match['id']}")
    expect(page.locator(".moves .report").last).to_be_visible()
    expect(page.locator(".moves .took").last).to_be_hidden()
    assert page.evaluate(WHOLE_PAGE_FITS)
