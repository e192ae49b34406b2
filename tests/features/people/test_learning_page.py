# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on which a person allows bots to learn, reads what they learned, and deletes it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.async_api import Page, expect

from arena.settings import Settings
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits
from tests.browser.watching import watching
from tests.features.accounts.people import signed_in, use
from tests.features.people.test_learning import report
from tests.web.door import Door, opened


def test_the_page_shows_what_bots_learned_and_deletes_it(tmp_path: Path, chromium_path: str | None) -> None:
    async def look() -> None:
        async with (
            opened(tmp_path, Settings(games="tictactoe", ladder=False)) as door,
            watching(chromium_path) as page,
            signed_in(door) as (person, name),
        ):
            await use(page, person)
            await manage(page, door, f"@{name}")

    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, look()).result()


async def manage(page: Page, door: Door, name: str) -> None:
    """Allow bots to learn, read what a bot learned, and delete it."""
    _, token = await door.register()
    await page.goto(f"http://{door.address}/account")
    await page.get_by_role("link", name="Learning from your games").click()
    await expect(page.get_by_role("status")).to_have_text("Bots do not learn from your games.")
    await page.get_by_role("button", name="Allow bots to learn from my games").click()
    await expect(page.get_by_role("heading", name="Nothing is learned yet")).to_be_visible()
    await sound(page)
    assert await report(door, token, name) == 200
    await page.reload()
    await expect(page.get_by_text("18 of 40")).to_be_visible()
    await expect(page.get_by_text("11-15")).to_be_visible()
    await sound(page)
    await fits(page)
    await page.get_by_role("button", name="Stop and forget").click()
    await page.get_by_role("dialog").get_by_role("button", name="Stop and forget").click()
    await expect(page.get_by_role("status")).to_have_text("Bots do not learn from your games.")
    await expect(page.get_by_text("18 of 40")).to_have_count(0)
