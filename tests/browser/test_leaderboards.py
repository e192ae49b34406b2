# SPDX-License-Identifier: GPL-3.0-or-later
"""The leaderboard: live rows, interval bars, trends, filters in the address, keys, and awkward names."""

import re
from dataclasses import replace
from pathlib import Path

from playwright.async_api import Page, expect

from arena.store.rows import VersionRow
from tests.arena.store.company import CHECKERS, versions
from tests.browser.test_accessibility import sound
from tests.browser.test_awkward_texts import LONG, STRAIGHT, TURNED, fits
from tests.browser.test_disclosure import visited
from tests.web.door import Door

GAME = "tictactoe"


async def won(door: Door, winner: VersionRow, loser: VersionRow, times: int = 1) -> None:
    """Record rated matches, and report their ends as the arena does."""
    time_class = door.arena.registry.time_class(door.arena.registry.games[GAME])
    match = replace(CHECKERS, players=(winner.id, loser.id), game=GAME, time_class=time_class, opening=())
    for _ in range(times):
        number = await door.arena.store.matches.start(match)
        await door.arena.store.matches.finish(number, result="1-0", termination="decided", plies=5)
    door.arena.conductor.on_over()


def test_a_leaderboard_is_live_and_filtered(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, GAME, led)


async def led(page: Page, door: Door) -> None:
    """Watch rows move, and filter them."""
    board = f"http://{door.address}/leaderboard?game={GAME}"
    await page.goto(f"{board}&system=elo")
    await expect(page.get_by_role("heading", name="No rated bots yet")).to_be_visible()
    anna, bert, long = await versions(door.arena.store, "anna", "bert", LONG[0])
    turned = await door.arena.store.bots.version(bert.bot_id, TURNED)
    await won(door, anna, bert)
    links = page.locator(".leaders td.name a")
    await expect(links).to_have_text(["anna", "bert"])  # without a reload
    await page.evaluate("() => { window.stays = true; }")
    await won(door, bert, anna, 3)
    await won(door, long, anna)
    await won(door, anna, turned)
    await expect(links).to_have_count(4)
    await expect(links.nth(0)).to_have_text("bert")
    assert await page.evaluate("window.stays"), "the page was not loaded again"
    await expect(page.locator("bdi", has_text="safe")).to_have_text(STRAIGHT)
    await expect(page.locator(".trend polyline")).to_have_count(4)
    await expect(page.locator("td.trend").first).to_have_attribute("title", re.compile("over the last 4 rated matches"))

    await links.nth(0).focus()
    for key, place in (("ArrowDown", 1), ("End", 3), ("ArrowUp", 2), ("Home", 0)):
        await page.keyboard.press(key)
        await expect(links.nth(place)).to_be_focused()
    name = page.get_by_role("main").get_by_role("searchbox", name="Name of a bot")
    await name.fill("ANN")
    await name.press("Enter")
    await expect(page).to_have_url(re.compile("system=elo&name=ANN$"))
    await expect(links).to_have_text(["anna"])
    rank = await page.locator(".leaders tbody td").first.inner_text()
    assert rank in {"3", "4"}, "the rank of the whole list"
    await page.get_by_label("Kind of bots").select_option("Built-in bots")
    await expect(page).to_have_url(re.compile("kind=built-in&name=ANN$"))
    await expect(page.get_by_role("heading", name="No bot passes the filters")).to_be_visible()
    await sound(page)
    await page.get_by_role("link", name="Remove all filters").click()
    await expect(links).to_have_count(4)

    await page.get_by_role("link", name="Bradley-Terry", exact=True).click()
    await expect(page.locator("td .reach .span")).to_have_count(4)
    await expect(page.locator(".matrix tbody tr")).to_have_count(4)
    await sound(page)
    await fits(page)
    await page.get_by_role("link", name="Top 24").click()
    await expect(page).to_have_url(re.compile("top=24"))
    await expect(page.locator(".matrix tbody tr")).to_have_count(4)
