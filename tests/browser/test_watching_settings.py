# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings that a browser keeps: hidden results, from the first paint on, and sounds."""

from collections.abc import Sequence

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, page_of

LISTEN = """
(() => {
  window.heard = [];
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function (...at) {
    window.heard.push(this.frequency.value);
    start.apply(this, at);
  };
  let now = 0;
  performance.now = () => (now += 1000); // no two sounds come too soon after each other
})();
"""
"""Notes the tones that a page plays."""

SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done))))"
"""Waits for the effects of what the page has drawn: they follow the next frame."""


def switch(page: Page, name: str) -> None:
    """Turn a setting on or off in the dialog."""
    page.get_by_role("button", name="Settings and keyboard shortcuts").click()
    dialog = page.get_by_role("dialog", name="Settings and keyboard shortcuts")
    dialog.get_by_label(name).click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_results_are_hidden_until_the_viewer_asks(site: Site, page: Page) -> None:
    match = site.finished("tictactoe")
    page.goto(f"{site.url}/matches?status=finished")
    results = page.locator("td.result")
    expect(results.first).to_be_visible()
    switch(page, "Hide results")
    expect(results.first).to_be_hidden()
    page.reload()
    expect(results.first).to_be_hidden()
    page.get_by_role("button", name="Results are hidden. Show them").click()
    expect(results.first).to_be_visible()

    page.goto(f"{site.url}/matches/{match['id']}")
    slider, end = page.get_by_role("slider", name="Ply", exact=True), page.locator(".ending strong")
    expect(page.get_by_text("The result appears after the last move.")).to_be_visible()
    expect(slider).to_have_value("0")
    for ply in range(1, match["plies"]):
        page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(str(ply))
        expect(page.locator(".moves").get_by_role("button")).to_have_count(ply)
        expect(end).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(end).to_be_visible()

    page.goto(f"{site.url}/matches/{match['id']}")
    page.get_by_role("button", name="Show it now").click()
    expect(end).to_be_visible()
    page.keyboard.press("h")
    page.goto(f"{site.url}/matches?status=finished")
    expect(results.first).to_be_visible()


def test_the_first_paint_shows_no_result(site: Site, browser: Browser) -> None:
    match = site.finished("tictactoe")
    with page_of(browser, 1440) as page:
        page.route("**/pages/*.js", lambda route: route.abort())
        page.goto(f"{site.url}/matches/{match['id']}")
        end, board = page.locator(".ending strong"), page.locator(".match svg.board")
        expect(end).to_be_visible()
        page.evaluate("() => localStorage.setItem('arena-results', 'hidden')")
        page.reload()
        expect(end).to_have_count(1)
        expect(end).to_be_hidden()
        expect(board).to_be_hidden()
        page.goto(site.url)
        expect(page.locator("td.result")).not_to_have_count(0)
        expect(page.locator("td.result").first).to_be_hidden()


def heard(page: Page, tones: Sequence[int]) -> None:
    """Wait until the page has played these tones, and no others before them."""
    page.wait_for_function("(count) => window.heard.length >= count", arg=len(tones))
    assert page.evaluate("() => window.heard") == tones


def test_sounds_are_off_until_they_are_wanted_and_in_background_tabs(site: Site, page: Page) -> None:
    match = site.finished("tictactoe", plies=range(5, 10))
    page.add_init_script(LISTEN)
    page.goto(f"{site.url}/matches/{match['id']}?ply=0")
    slider = page.get_by_role("slider", name="Ply", exact=True)

    def step(ply: int) -> None:
        page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(str(ply))
        page.evaluate(SETTLED)

    expect(slider).to_have_value("0")
    step(1)
    switch(page, "Sounds")
    heard(page, [330])
    page.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    step(2)
    page.evaluate("() => delete document.hidden")
    step(3)
    heard(page, [330, 330])
    switch(page, "Sounds")
    step(4)
    switch(page, "Sounds")
    heard(page, [330, 330, 330])


SOUNDS = """
async () => {
  const { soundOf } = await import(document.querySelector('link[href$="/sounds.js"]').href.replace("sounds", "tones"));
  const before = { match: 1, ply: 1, diagram: "ab.", over: false };
  const sound = (now) => soundOf({ a: { count: 1 }, b: { count: 1 } }, before, { ...before, ...now });
  return [
    sound({ ply: 2, diagram: ".ba" }), sound({ ply: 2, diagram: "..a" }), sound({ over: true }),
    sound({}), sound({ ply: 0, diagram: "ab." }), sound({ match: 2, ply: 5, over: true }),
  ];
}
"""


def test_the_sound_of_a_change(site: Site, page: Page) -> None:
    page.goto(site.url)
    assert page.evaluate(SOUNDS) == ["move", "capture", "end", None, None, None]
