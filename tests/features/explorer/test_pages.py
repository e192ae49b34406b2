# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the search explorer: choosing a search, stepping through its tree, by mouse, keys and address."""

import asyncio
import re
from pathlib import Path

from playwright.async_api import Page, Route, expect

from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import visited
from tests.browser.test_pages import WHOLE_PAGE_FITS
from tests.web.door import Door
from tests.web.test_peepers import challenged, seated


def test_the_tree_of_a_search_and_analysis_of_a_match(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", seen)


async def seen(page: Page, door: Door) -> None:
    """See the page of the explorer, then that of a match."""
    await explored(page, door)
    await analysed(page, door)


async def analysed(page: Page, door: Door) -> None:
    """Analyse a replayed position and an unplayed one, and open the explorer."""
    await page.set_viewport_size({"width": 1440, "height": 900})
    async with seated(door, "one", "other") as bots:
        match = await challenged(bots[0], bots[1], "other")
        state = await bots[1].hear("match")
        first, second = bots if state["to_move"] != state["seat"] else bots[::-1]
        for bot, move in ((first, "b2"), (second, "a2"), (first, "a3")):
            await bot.move(await bot.hear("turn"), move)
            await bot.hear("accepted")
        await second.say("resign", match=match)
        await second.hear("over")
    await page.goto(f"http://{door.address}/matches/{match}?ply=3")
    analysis = page.locator(".analysis")
    await analysis.get_by_role("button", name="Analyse this position").click()
    # the second player has lost by its first move
    best = analysis.locator(".chip")
    await expect(best.first).to_be_visible()
    await expect(analysis.locator("dd").first).to_contain_text("loses")
    await best.first.hover()
    await expect(page.locator("svg.board .ghost")).to_have_count(1)
    await page.get_by_role("button", name="Analyse all moves").click()
    summary = page.locator(".summary")
    await expect(summary.get_by_role("heading", name="Accuracy")).to_be_visible()
    await summary.get_by_role("link").first.click()
    await expect(page).to_have_url(re.compile("ply=2"))
    await page.get_by_role("button", name="Next position").click()
    await page.get_by_role("button", name="Try other moves").click()
    asked = asyncio.Event()

    async def late(route: Route) -> None:
        await asked.wait()
        await route.continue_()

    # the analysis is of the shown moves, also when their position is still on its way
    await page.route("**/position?*moves=c1", late)
    await page.get_by_role("group", name="Legal moves").get_by_role("button", name="c1", exact=True).click()
    await expect(best).to_have_count(0)
    await analysis.get_by_role("button", name="Analyse this position").click()
    asked.set()
    await expect(best.first).to_be_visible()
    await expect(analysis.locator("dd").first).to_contain_text("wins")
    await sound(page)
    await analysis.get_by_role("link", name="Open in the explorer").click()
    await expect(page.get_by_label("Position", exact=True)).to_have_value("x../ox./..o")


async def explored(page: Page, door: Door) -> None:
    """Search, walk through the tree, compare algorithms, and share the address."""
    await page.goto(f"http://{door.address}/explore")
    await expect(page.get_by_role("heading", name="No search yet")).to_be_visible()
    # play two moves: by the list of moves, and on the board
    await page.get_by_role("button", name="b2", exact=True).click()
    await expect(page.get_by_label("Position", exact=True)).to_have_value(".../.x./...")
    await page.get_by_role("gridcell").first.click()
    await expect(page.get_by_label("Position", exact=True)).to_have_value("o../.x./...")
    await page.get_by_role("button", name="Start position").click()
    await expect(page.get_by_label("Position", exact=True)).to_have_value("")
    await page.get_by_label("Algorithm").select_option("alphabeta")
    await page.get_by_label("Depth").fill("2")
    await page.get_by_role("button", name="Search", exact=True).click()
    await expect(page.get_by_text("36 nodes")).to_be_visible()
    await expect(page.get_by_text("step 36 of 36")).to_be_visible()
    await walked(page)
    # the list has the same nodes for screen readers
    await page.get_by_role("tab", name="List").click()
    await expect(page.locator(".tree-item[aria-current=step]")).to_contain_text("It cuts here: −1 ≤ alpha −1.")
    await page.get_by_role("button", name="Compare algorithms").click()
    await expect(page.get_by_role("row").filter(has_text="3,610")).to_have_count(1)
    await sound(page)
    # the address holds the state
    await page.goto(page.url)
    await expect(page.get_by_text("step 11 of 36")).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="3,610")).to_have_count(1)
    await page.set_viewport_size({"width": 360, "height": 740})
    await page.wait_for_function(WHOLE_PAGE_FITS)
    await sound(page)


async def walked(page: Page) -> None:
    """Step by keys and by mouse, open and close nodes, and zoom."""
    says = page.locator(".explorer-says")
    await page.locator("h1").click()
    await page.keyboard.press("Home")
    await expect(says).to_contain_text("The search begins, to a depth of 2 plies.")
    await page.keyboard.press("ArrowDown")
    await expect(says).to_contain_text("The search tries a3, with 1 ply left.")
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_text("step 3 of 36")).to_be_visible()
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_text("step 2 of 36")).to_be_visible()
    await page.keyboard.press("Enter")  # closes the first move
    await expect(page.locator("[data-node='1'] .tree-more")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-node='1'] .tree-more")).to_have_count(0)
    tree = page.locator("svg.tree")
    before = await tree.get_attribute("viewBox")
    assert before is not None
    await page.keyboard.press("+")
    await expect(tree).not_to_have_attribute("viewBox", before)
    await page.get_by_role("button", name="Fit").click()
    await page.locator("[data-node='10']").click()
    await expect(says).to_contain_text("It cuts here: −1 ≤ alpha −1. 7 moves are not searched, because of the cut.")
    await expect(page).to_have_url(re.compile("step=10"))
