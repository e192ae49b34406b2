# SPDX-License-Identifier: GPL-3.0-or-later
"""The leaderboard: live rows, interval bars, trends, filters in the address, keys, and awkward names."""

import re
from dataclasses import replace
from pathlib import Path

from playwright.async_api import Page, expect

from arena.store.rows import VersionRow
from engine.match.events import Moved, encode_event
from tests.arena.store.company import CHECKERS, versions
from tests.browser.test_accessibility import sound
from tests.browser.test_awkward_texts import LONG, STRAIGHT, TURNED, fits
from tests.browser.test_disclosure import visited
from tests.web.door import Door

GAME = "tictactoe"
COLUMN = ("b2", "a1", "b1", "c3", "b3")
"""Moves by which the first player wins."""


async def won(door: Door, winner: VersionRow, loser: VersionRow, times: int = 1) -> None:
    """Record rated matches, and report their ends as the arena does."""
    time_class = door.arena.registry.time_class(door.arena.registry.games[GAME])
    match = replace(CHECKERS, players=(winner.id, loser.id), game=GAME, time_class=time_class, opening=COLUMN[:2])
    moves = [encode_event(Moved(ply, (ply - 1) % 2, move)) for ply, move in enumerate(COLUMN[2:], 3)]
    for _ in range(times):
        number = await door.arena.store.matches.start(match)
        await door.arena.store.matches.append(number, enumerate(moves))
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
    await expect(page.locator(".trend polyline")).to_have_count(1)  # the script has drawn the page
    await page.get_by_label("Kind of bots").select_option("Built-in bots")
    await expect(page).to_have_url(re.compile("kind=built-in&name=ANN$"))
    await expect(page.get_by_role("heading", name="No bot passes the filters")).to_be_visible()
    await page.get_by_role("link", name="Remove all filters").click()
    await expect(links).to_have_count(4)

    await page.get_by_role("link", name="Bradley-Terry", exact=True).click()
    await expect(page.locator("td .reach .span")).to_have_count(4)
    await expect(page.locator(".matrix tbody tr")).to_have_count(4)
    await fits(page)
    await page.get_by_role("link", name="Top 24").click()
    await expect(page).to_have_url(re.compile("top=24"))
    await expect(page.locator(".matrix tbody tr")).to_have_count(4)
    await matrix_to_two_bots(page)
    await bot_page(page, f"http://{door.address}/bots/{bert.bot_id}")


async def matrix_to_two_bots(page: Page) -> None:
    """Go by keys from the matrix to the page of two bots."""
    cells = page.locator(".matrix td.sure a")
    await expect(page.locator('.matrix td.sure a[tabindex="0"]')).to_have_count(1)
    await cells.first.focus()
    await page.keyboard.press("ArrowDown")  # past the diagonal
    focused = page.locator(".matrix td.sure a:focus")
    await expect(focused).to_have_count(1)
    assert await focused.get_attribute("href") != await cells.first.get_attribute("href")
    address = await focused.get_attribute("href")
    assert address is not None
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(re.escape(address)))
    await expect(page.locator("main h1")).to_be_visible()
    await page.goto(re.sub(r"/bots/.*", "/bots/1/versus/2", page.url))
    await expect(page.locator(".versus-score strong")).to_have_text("2 – 3")
    await expect(page.get_by_role("cell", name="b2 a1")).to_be_visible()
    await expect(page.locator(".results tbody tr")).to_have_count(5)
    await sound(page)
    await fits(page)
    box = page.get_by_role("searchbox", name="Another opponent of anna")
    await box.fill(LONG[0].lower())
    await box.press("Enter")
    await expect(page).to_have_url(re.compile(r"/bots/1/versus/3$"))
    await fits(page)
    await page.goto(re.sub(r"/bots/.*", "/bots/2/versus/3", page.url))
    await expect(page.get_by_role("heading", name="No finished matches")).to_be_visible()


async def bot_page(page: Page, address: str) -> None:
    """Open the opening tree by keys, sort a table, and compare two versions."""
    await page.goto(address)
    moves = page.get_by_role("treeitem")
    await expect(moves).to_have_text([re.compile("^▸\\s*b2")])
    await moves.first.focus()
    await page.keyboard.press("ArrowRight")
    await expect(moves).to_have_count(2)
    await expect(moves.first).to_have_attribute("aria-expanded", "true")
    await page.keyboard.press("ArrowRight")
    await expect(moves.nth(1)).to_be_focused()
    board = page.locator(".opening-tree .piece")
    await expect(board).to_have_count(2)
    await page.keyboard.press("ArrowLeft")
    await expect(moves.first).to_be_focused()
    await expect(board).to_have_count(1)
    await page.keyboard.press("ArrowLeft")
    await expect(moves).to_have_count(1)
    await page.get_by_label("Side of the bot").select_option("Moving second")
    await expect(page.get_by_text("The first moves of 2 matches")).to_be_visible()
    await expect(page.locator(".endings")).to_contain_text("three in a row")
    versions = page.locator(".versions")
    await expect(versions).to_contain_text(STRAIGHT)
    await expect(versions.get_by_text(re.compile(r"^0 / 0 / 1$"))).to_have_count(1)
    against = page.locator(".opponents")
    await against.get_by_role("button", name="Games").click()
    await expect(against.get_by_role("columnheader", name="Games")).to_have_attribute("aria-sort", "descending")
    await sound(page)
    await fits(page)
    await against.get_by_role("link", name="anna").click()
    await expect(page).to_have_url(re.compile(r"/bots/2/versus/1\?"))
