# SPDX-License-Identifier: GPL-3.0-or-later
"""Long names, versions and crash texts, huge numbers, and characters that turn the direction of writing, on the pages.

Swipes too: what goes sideways over a board must not leave the page.
"""

from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.test_disclosure import visited
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.web.door import Door
from tests.web.players import first_move
from tests.web.test_peepers import challenged, seated

LONG = ("W" * 40, "w-" + 37 * "m" + "1")
VERSION = "v" * 64
CRASH = "RuntimeError:" + 180 * "x"
TURNED = "safe \u202eesrever\u202c and \u2067more\u2069 of it"
STRAIGHT = "safe esrever and more of it"
NODES = 2**53

OUTSIDE = """
() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.textContent.trim() || text.parentElement.closest(".visually-hidden")) continue;
    let shown = text.parentElement;
    while (shown && getComputedStyle(shown).overflowX === "visible") shown = shown.parentElement;
    const card = text.parentElement.closest(".surface");
    if (!card || (shown && card.contains(shown))) continue; // cut off or scrolled within the card
    const range = document.createRange();
    range.selectNodeContents(text);
    const end = card.getBoundingClientRect().right;
    if ([...range.getClientRects()].some(({ right }) => right > end + 1)) found.push(text.textContent);
  }
  return found;
}
"""
"""Returns the texts that stand out of their cards."""


SHOWN = """
(name) => {
  const [own, cell] = [name.getBoundingClientRect(), name.closest("td").getBoundingClientRect()];
  return own.width > 40 && own.right <= cell.right;
}
"""
"""Whether a name has its share of a cell."""


async def fits(page: Page) -> None:
    """Hold a page against a wide screen and a phone."""
    for width in (1440, 360):
        await page.set_viewport_size({"width": width, "height": 900})
        await page.wait_for_function(WHOLE_PAGE_FITS)
        for tab in await page.locator(".tabs.narrow [role=tab]").all() if width < 600 else [None]:
            if tab is not None:
                await tab.click()
            await page.wait_for_function(f"() => ({OUTSIDE})().length === 0")
    await page.set_viewport_size({"width": 1440, "height": 900})


def test_long_texts_and_huge_numbers_do_not_overflow(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", long_texts)


async def long_texts(page: Page, door: Door) -> None:
    """Look at a match between two bots with the longest names, before and after one of them crashes."""
    async with seated(door, *LONG, version=VERSION, open_info=True) as bots:
        match = await challenged(bots[0], bots[1], LONG[1])
        state = await bots[1].hear("match")
        first, second = bots if state["to_move"] != state["seat"] else bots[::-1]
        await page.goto(f"http://{door.address}/matches/{match}")
        for bot in (first, second, first):
            turn = await bot.hear("turn")
            info: dict[str, Any] = {"score": 1.5, "depth": 9, "nodes": NODES, "pv": [first_move(turn)]}
            await bot.move(turn, first_move(turn), info)
            await bot.hear("accepted")
        await expect(page.get_by_text("9.0 P", exact=True)).to_have_count(2)
        await expect(page.locator(".legend")).to_be_visible(timeout=PATIENCE * MILLISECONDS)
        await fits(page)
        await second.hear("turn")
        await second.say("resign", match=match, failure=CRASH)
        await expect(page.locator(".ending")).to_contain_text(CRASH)
        await fits(page)
        await page.goto(f"http://{door.address}/")
        for player in await page.locator("td a.pair > span:not(.muted)").all():
            await expect(player).to_be_visible()
            assert await player.evaluate(SHOWN), await player.inner_text()
        for path in ("/", "/matches", "/bots", "/bots/1", "/leaderboard?system=elo"):
            await page.goto(f"http://{door.address}{path}")
            await expect(page.locator("main h1")).to_be_visible()
            if path == "/bots":
                await expect(page.locator("td").get_by_text("● connected")).to_have_count(2)
            await fits(page)


def test_right_to_left_text_does_not_affect_other_text(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", turned)


async def turned(page: Page, door: Door) -> None:
    """Look at what a bot says of itself in characters that turn the direction of writing."""
    bot = await door.arena.store.bots.add("turner", "hash", description=TURNED)
    await door.arena.store.bots.version(bot.id, f"1\u202e{STRAIGHT}")
    assert [version.label for version in await door.arena.store.bots.versions(bot.id)] == [f"1{STRAIGHT}"]
    await page.goto(f"http://{door.address}/bots/{bot.id}")
    await expect(page.locator("main bdi", has_text="safe")).to_have_text(STRAIGHT)
    await page.goto(f"http://{door.address}/bots")
    await expect(page.locator("main td bdi", has_text="safe")).to_have_text(STRAIGHT)


def test_a_swipe_over_a_board_does_not_go_back(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", swiped)


async def swiped(page: Page, door: Door) -> None:
    """Read the style that controls swipes over a board."""
    async with seated(door, "one", "other") as bots:
        match = await challenged(bots[0], bots[1], "other")
        await page.goto(f"http://{door.address}/matches/{match}")
        board = page.locator(".match .board")
        await expect(board).to_have_css("touch-action", "pan-y pinch-zoom")
        await expect(page.locator("html")).to_have_css("overscroll-behavior-x", "none")
