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
    """A chess match of two bots that search: it is over, and on a slow machine perhaps on time.

    One answer has all its moves, and its graphs have room for each.
    """
    return site.finished("chess", without="random", plies=range(20, 201))


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


def test_a_line_is_shown_on_the_board_and_played_beside_it(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    record = site.get(f"/matches/{match['id']}")
    move = next(made for made in record["moves"] if len(made.get("line", [])) > 1)
    page.goto(f"{site.url}/matches/{match['id']}?ply={move['ply']}")
    side = page.locator(".reports > div").nth(move["seat"])
    chips = side.locator(".chip")
    expect(chips).to_have_text(move["line"])
    chips.nth(1).hover()
    own, other = ("first", "second") if move["seat"] == 0 else ("second", "first")
    expect(page.locator(f".frame .arrow.{own}.pale")).to_have_count(1)
    expect(page.locator(f".frame .arrow.{other}:not(.pale)")).to_have_count(1)
    page.get_by_role("heading", level=1).hover()
    expect(page.locator(".frame .arrow")).to_have_count(0)
    chips.nth(1).focus()
    expect(page.locator(".frame .arrow")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(side.get_by_role("img", name=f"After {move['line'][1]}")).to_be_visible()
    chips.nth(0).click()
    expect(side.get_by_role("img", name=f"After {move['line'][0]}")).to_be_visible()
    side.get_by_role("button", name="Play the line").click()
    expect(side.get_by_role("img", name=f"After {move['line'][-1]}")).to_be_visible()
    expect(side.get_by_role("button", name="Play the line")).to_be_visible()


def test_graphs_are_linked_and_move_the_board(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    record = site.get(f"/matches/{match['id']}")
    page.goto(f"{site.url}/matches/{match['id']}")
    expect(page.get_by_role("img", name=re.compile("^Winning chance of "))).to_be_visible()
    expect(page.locator(".plot canvas")).to_have_count(1)
    expect(page.locator(".agreement")).to_have_text(
        re.compile(r"^Agreement of the scores: \d+ % on average, \d+ % at this move$")
    )
    page.get_by_text("Depth, speed, time and clock").click()
    expect(page.locator(".plot canvas")).to_have_count(5)
    page.locator(".plot .u-over").nth(1).hover(position={"x": 1, "y": 20})
    squares = sorted(record["moves"][0]["squares"])
    tinted = page.locator(".frame rect.last")
    for rect, square in zip((tinted.first, tinted.last), squares, strict=True):
        expect(rect).to_have_attribute("x", str(100 * (square % 8)))
        expect(rect).to_have_attribute("y", str(100 * (square // 8)))
    expect(page.locator(".replay .number")).to_have_text(f"{match['plies']} / {match['plies']}")
    page.get_by_role("heading", level=1).hover()
    expect(tinted.last).to_have_attribute("y", str(100 * (max(record["moves"][-1]["squares"]) // 8)))


def test_unplayed_moves_are_tried_on_the_board_and_kept_in_the_address(site: Site, page: Page) -> None:
    match = between_thinkers(site)
    page.goto(f"{site.url}/matches/{match['id']}?ply=0")
    expect(page.locator(".replay .number")).to_have_text(f"0 / {match['plies']}")
    page.get_by_role("button", name="Try other moves").click()
    page.get_by_role("gridcell", name="e2, white pawn").click()
    page.get_by_role("gridcell", name="e4, empty, legal target").click()
    expect(page.get_by_role("gridcell", name="e4, white pawn")).to_be_visible()
    expect(page.locator(".branch .foreign")).to_have_text("e4")
    page.get_by_role("gridcell", name="e7, black pawn").focus()
    page.keyboard.press("Enter")
    for key in ("ArrowDown", "ArrowDown", " "):
        page.keyboard.press(key)
    expect(page.get_by_role("gridcell", name="e5, black pawn")).to_be_visible()
    page.get_by_role("group", name="Legal moves").get_by_role("button", name="Nf3", exact=True).click()
    expect(page.get_by_role("gridcell", name="f3, white knight")).to_be_visible()
    expect(page).to_have_url(f"{site.url}/matches/{match['id']}?ply=0&line=e2e4,e7e5,g1f3")
    page.reload()
    expect(page.get_by_role("gridcell", name="f3, white knight")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("gridcell", name="f3, empty")).to_be_visible()
    page.get_by_role("button", name="Back to the match").click()
    expect(page).to_have_url(f"{site.url}/matches/{match['id']}?ply=0")
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.written = text; }; }")
    page.get_by_role("button", name="Copy FEN").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("written") == chess.STARTING_FEN


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
