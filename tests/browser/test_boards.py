# SPDX-License-Identifier: GPL-3.0-or-later
"""The board component by real mouse and keyboard: squares that people pick, dragged pieces, arrows and targets."""

import re
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from arena.registry import GameRegistry
from arena.settings import Settings
from engine.drawing import point_labels
from engine.games import find
from tests.browser.axe import AXE, RUN
from tests.browser.conftest import Site
from web.api.games import describe
from web.application import STATIC
from web.assets import read_assets

SHOWN = """
async ([folder, props, flipped]) => {
  const { Board } = await import(`${folder}/board.js`);
  const { html } = await import(`${folder}/view.js`);
  const { render } = await import(`${folder}/vendor/preact.js`);
  await (await import(`${folder}/styles.js`)).withStyles([props.board]);
  const main = document.querySelector("main");
  window.told ??= [];
  const draw = (selected) => {
    const pick = (square) => { told.push(["pick", square]); draw(square); };
    const drop = (from, to) => told.push(["drop", from, to]);
    const targets = new Set(selected === 52 ? [44, 36] : []);
    const all = { ...props, flipped, selected, targets, pick, drop };
    render(html`<h1>A board</h1><div style=${{ width: "480px" }}><${Board} ...${all} /></div>`, main);
  };
  main.replaceChildren();
  draw(null);
}
"""


TOLD = "(wanted) => JSON.stringify(told) === JSON.stringify(wanted)"


def shown(site: Site, page: Page, *, flipped: bool = False, **more: Any) -> None:
    """Show a board of chess that people play on, in the place of a page's contents."""
    page.goto(site.url + "/connect")
    expect(page.locator(".command").first).to_be_visible()
    chess = find("chess")
    board = msgspec.to_builtins(describe(GameRegistry(Settings()), chess).board)
    props = {"board": board, "diagram": chess.diagram(chess.start()), "title": "Your board", **more}
    folder = read_assets(STATIC).url("board.js").rpartition("/")[0]
    page.evaluate(SHOWN, [folder, props, flipped])
    expect(page.get_by_role("grid", name="Your board")).to_be_visible()


def test_squares_are_picked_by_mouse_and_pieces_dragged(site: Site, page: Page) -> None:
    shown(site, page)
    square = page.get_by_role("gridcell", name="e2, white pawn")
    square.click()
    expect(square).to_have_attribute("aria-selected", "true")
    expect(page.locator(".board .targets circle")).to_have_count(2)
    page.get_by_role("gridcell", name="e4, empty, legal target").click()
    page.wait_for_function(TOLD, arg=[["pick", 52], ["pick", 36]])
    start, end = square.bounding_box(), page.get_by_role("gridcell", name="e3, empty").bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 30, start["y"] + 30)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 40, steps=4)
    expect(page.locator('.board [data-square="52"] > .piece')).to_have_attribute("transform", re.compile("translate"))
    page.mouse.up()
    page.wait_for_function(TOLD, arg=[["pick", 52], ["pick", 36], ["drop", 52, 44]])


def test_a_board_has_one_tab_stop_and_arrow_keys(site: Site, page: Page) -> None:
    shown(site, page)
    assert page.locator('.board [role="gridcell"][tabindex="0"]').count() == 1
    page.get_by_role("gridcell", name="a8, black rook").focus()
    for key in ("End", "ArrowDown", "ArrowDown", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("gridcell", name="g6, empty")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    page.wait_for_function(TOLD, arg=[["pick", 22], ["pick", 8]])
    assert page.locator('.board [role="gridcell"][tabindex="0"]').count() == 1
    shown(site, page, flipped=True)
    page.get_by_role("gridcell", name="h1, white rook").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("gridcell", name="g2, white pawn")).to_be_focused()


def test_arrows_and_ghosts_are_drawn_over_the_pieces(site: Site, page: Page) -> None:
    arrows = [{"squares": [52, 36], "kind": "first"}, {"squares": [4], "kind": "hint"}]
    shown(site, page, arrows=arrows, ghosts=[{"square": 36, "letter": "P"}])
    expect(page.locator(".board .arrow.first polygon")).to_have_count(1)
    expect(page.locator(".board .arrow.hint circle")).to_have_count(1)
    expect(page.locator(".board .ghost .piece")).to_have_count(1)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN, {})["violations"] == []


STEPS = """
async ([folder, board, diagram, legal]) => {
  const { stepwise } = await import(`${folder}/people/steps.js`);
  await (await import(`${folder}/styles.js`)).withStyles([board]);
  const at = (done) => {
    const { shown, starts, others, targets } = stepwise(board, diagram, legal, done);
    const found = [...starts].sort((a, b) => a - b).map((from) => [from, [...targets(from)].sort((a, b) => a - b)]);
    return { shown, others: others.map(({ move }) => move), targets: found };
  };
  const first = stepwise(board, diagram, legal, []);
  const [one, chain] = [first.enter(24, 26), first.enter(17, 20)];
  const whole = [first.whole(chain)?.move, (one && first.whole(one)) ?? null];
  const asked = [[17, 20], [24, 26], [17, 18]].map(([from, to]) => first.between(from, to).map(({ move }) => move));
  return { first: at([]), one, after: at(one ?? []), wrong: first.enter(24, 27), chain, whole, asked };
}
"""


def points() -> dict[str, Any]:
    """Return the board of backgammon, with stacks of one to three men."""
    letters = [("A", 0, 1), ("B", 0, 2), ("C", 0, 3), ("a", 1, 1), ("b", 1, 2)]
    pieces = {
        letter: {"name": "man", "shape": "man", "seat": seat, "tone": "dark", "count": count}
        for letter, seat, count in letters
    }
    labels = list(point_labels(2, 14))
    return {"rows": 2, "columns": 14, "style": "points", "pieces": pieces, "labels": labels, "bottom": 0, "dots": []}


def test_a_turn_of_several_steps_is_entered_step_by_step_in_any_order(site: Site, page: Page) -> None:
    page.goto(site.url + "/connect")
    diagram = "." * 17 + "B" + "." * 6 + "A.a."
    assert len(diagram) == 28
    legal = [
        {"move": "4/2* 9/8", "said": "", "squares": [24, 26, 17, 18]},
        {"move": "9/6", "said": "", "squares": [17, 18, 18, 20]},
        {"move": "pass", "said": "", "squares": []},
    ]
    folder = read_assets(STATIC).url("board.js").rpartition("/")[0]
    found = page.evaluate(STEPS, [folder, points(), diagram, legal])
    assert found["first"] == {"shown": diagram, "others": ["pass"], "targets": [[17, [18, 20]], [24, [26]]]}
    assert (found["one"], found["wrong"]) == ([[24, 26]], None)
    # the man that was hit is on the lower bar
    hit = "." * 17 + "B" + ".." + "a" + "." * 5 + "A."
    assert found["after"] == {"shown": hit, "others": [], "targets": [[17, [18]]]}
    assert (found["chain"], found["whole"]) == ([[17, 18], [18, 20]], ["9/6", None])
    assert found["asked"] == [[], [], []]


def test_a_person_chooses_between_two_ways_of_one_click_that_differ_by_a_hit(site: Site, page: Page) -> None:
    page.goto(site.url + "/connect")
    diagram = "." * 17 + "B" + "a" + "." * 9
    legal = [
        {"move": "9/8*/6", "said": "", "squares": [17, 18, 18, 20]},
        {"move": "9/6", "said": "", "squares": [17, 19, 19, 20]},
        {"move": "9/8* 9/7", "said": "", "squares": [17, 18, 17, 19]},
    ]
    folder = read_assets(STATIC).url("board.js").rpartition("/")[0]
    found = page.evaluate(STEPS, [folder, points(), diagram, legal])
    assert found["asked"] == [["9/8*/6", "9/6"], [], []]


def test_the_board_of_backgammon_is_turned_by_exchanging_its_rows(site: Site, page: Page) -> None:
    diagram = "C" + "." * 26 + "b"
    for flipped in (False, True):
        shown(site, page, flipped=flipped, board=points(), diagram=diagram)
        texts = page.locator(".board .label").all_text_contents()
        assert texts == [*map(str, range(13, 25)), *map(str, range(12, 0, -1))]
        page.get_by_role("gridcell", name="point 13, 3 × man").focus()
        page.keyboard.press("ArrowUp" if flipped else "ArrowDown")
        expect(page.get_by_role("gridcell", name="point 12, empty")).to_be_focused()
        page.keyboard.press("End")
        expect(page.get_by_role("gridcell", name="tray, 2 × man")).to_be_focused()
