# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages show their heading, board or table before any script runs, and nothing moves when scripts do."""

import json
import re
import time
import urllib.request
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from arena.protocol.watching import Ending
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.watching.diagrams import aside_of
from engine.games import catalogue
from engine.viewpoint import Viewpoint
from tests.browser.conftest import Site, page_of
from tests.browser.held import held
from tests.web.test_endings import ENDS, end
from web.api.games import describe
from web.application import STATIC
from web.assets import read_assets
from web.drawing import draw_board, read_shapes
from web.wording import how

WIDTHS = (360, 1440)

PLACES = """
(selectors) => Object.fromEntries(selectors.map((selector) => [
  selector,
  [...document.querySelectorAll(selector)].slice(0, 6).map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
  }),
]))
"""

DRAWN = """
async ([folder, board, diagram, squares, markup, end, aside]) => {
  const { Board } = await import(`${folder}/board.js`);
  const { withStyles } = await import(`${folder}/styles.js`);
  await withStyles([board]);
  const { decided, how } = await import(`${folder}/endings.js`);
  const { html } = await import(`${folder}/view.js`);
  const { render } = await import(`${folder}/vendor/preact.js`);
  const [ours, theirs] = [document.createElement("div"), document.createElement("div")];
  const position = { board, diagram, squares, aside };
  render(html`<${Board} ...${position} ...${decided(end)} />`, ours);
  theirs.innerHTML = markup;
  const attributes = (element) => [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort();
  const text = (element) => (element.children.length ? "" : element.textContent);
  const told = (element) => [element.tagName, ...attributes(element), text(element)].join(" ");
  return [...[ours, theirs].map((each) => [...each.querySelectorAll("*")].map(told)), end && how(end)];
}
"""

SHIFTS = """
shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def calm(page: Page) -> None:
    """Let the server report no problem: on a busy disk it does, and its banner moves all that is below."""
    body = json.dumps({"problems": [], "reasons": []})
    page.route("**/api/v1/status", lambda route: route.fulfill(body=body, content_type="application/json"))


def aged(body: str) -> str:
    """Return a page on which all rated matches ended some days ago: an age in seconds changes while a page loads, and
    with its length the width of its column.
    """
    body = re.sub(r"\d+ (s|min|h|d) ago", "3 d ago", body)
    return re.sub(r'"last_played":[0-9.]+', f'"last_played":{time.time() - 3.5 * 86_400}', body)


def standing(
    browser: Browser, url: str, body: str, width: int, selectors: list[str], scripts: bool
) -> tuple[dict[str, Any], str]:
    """Return where elements stand and the text of the heading, with or without the page's scripts.

    ``body``: the page as the server sent it, so that both are of the same moment.
    """
    with page_of(browser, width) as page:
        calm(page)
        if not scripts:
            page.route("**/*.js", lambda route: route.abort())
        page.route(url, lambda route: route.fulfill(body=body, content_type="text/html; charset=utf-8"))
        if "/leaderboard" in url:  # new ratings would move the rows
            page.route_web_socket("**/api/v1/watch", lambda route: None)
        page.goto(url, wait_until="load")
        # scripts draw without the note for browsers without JavaScript, some of them after the load event
        expect(page.locator("main noscript")).to_have_count(0 if scripts else 1)
        found: dict[str, Any] = page.evaluate(PLACES, selectors)
        return found, page.locator("h1").inner_text()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_paint_has_the_layout_of_the_scripts(site: Site, browser: Browser, width: int) -> None:
    match = site.finished("tictactoe")
    site.wait("/leaderboard?game=tictactoe")
    with held(site, "checkers") as bot:
        for path, selectors in (
            ("/?game=checkers", ["h1", ".tabs", ".featured", ".featured .frame", ".featured .player"]),
            (f"/matches/{match['id']}", ["h1", ".player", ".frame", ".replay", ".ending", ".moves", ".plot"]),
            (f"/matches/{bot.match}", ["h1", ".player", ".frame", ".replay", ".moves"]),
            ("/leaderboard?game=tictactoe&system=elo", ["h1", ".tabs", "table", "th", "tbody tr"]),
        ):
            url = site.url + path
            with urllib.request.urlopen(url, timeout=600) as answer:
                body = aged(answer.read().decode())
            before, heading = standing(browser, url, body, width, selectors, scripts=False)
            after, drawn_heading = standing(browser, url, body, width, selectors, scripts=True)
            assert heading == drawn_heading, path
            for selector in selectors:
                assert before[selector], f"{selector} of {path}"
                for one, other in zip(before[selector], after[selector], strict=True):
                    near = [abs(a - b) <= 2 for a, b in zip(one, other, strict=True)]
                    assert all(near), f"{selector} of {path}: {one} becomes {other}"


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_while_a_page_loads(site: Site, browser: Browser, width: int) -> None:
    match = site.finished("tictactoe")
    site.wait("/leaderboard?game=tictactoe")
    with held(site, "checkers"):  # the lobby has a board
        for path in ("/", f"/matches/{match['id']}", "/leaderboard?game=tictactoe"):
            with page_of(browser, width) as page:
                calm(page)
                page.add_init_script(SHIFTS)
                # without news: boards that come and go are no part of loading
                page.route_web_socket("**/api/v1/watch", lambda route: None)
                page.goto(site.url + path, wait_until="networkidle")
                assert page.evaluate("shifted") < 0.1, path


def test_the_server_draws_every_board_as_scripts_do(site: Site, page: Page) -> None:
    assets = read_assets(STATIC)
    page.goto(site.url + "/connect")
    for game in catalogue().values():
        position = game.look(game.start())
        moved = game.play(position, position.moves[0])
        diagram, squares = game.diagram(moved.state), list(game.squares(position.state, position.moves[0]))
        board = describe(GameRegistry(Settings()), game).board
        aside = aside_of(Viewpoint.full(game), moved.state)
        markup = draw_board(read_shapes(assets), board, diagram, squares, aside=aside)
        asked = [assets.url("board.js").rpartition("/")[0], msgspec.to_builtins(board), diagram, squares, str(markup)]
        ours, theirs, _ = page.evaluate(DRAWN, [*asked, None, msgspec.to_builtins(aside)])
        assert len(ours) > 2
        assert ours == theirs, game.name
    for name, start, moves, decision in ENDS:
        board, diagram, squares, _ = end(name, start, moves)
        markup = draw_board(read_shapes(assets), board, diagram, squares, decision=decision)
        asked = [assets.url("board.js").rpartition("/")[0], msgspec.to_builtins(board), diagram, squares, str(markup)]
        ending = Ending("1-0", "decided", decision=decision)
        ours, theirs, words = page.evaluate(DRAWN, [*asked, msgspec.to_builtins(ending)])
        assert ours == theirs, (name, start)
        assert words == how(ending)
