# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a sealed match: without a reload it shows the cards as soon as the server does."""

import asyncio
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.test_disclosure import visited
from tests.web.door import Door
from tests.web.players import connected
from tests.web.test_duplicate_deals import BOTS, playing
from tests.web.test_own_play import built_in, started
from tests.web.test_tournaments import cup


def test_an_open_page_shows_the_cards_when_the_pair_is_over(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "kuhn", seen, built_in_move_time=0.0)


async def seen(page: Page, door: Door) -> None:
    """Open the first match of a pair, and let the second one end."""
    tokens = [await built_in(door, name) for name in BOTS]
    ended, go = asyncio.Event(), asyncio.Event()
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        for bot, token in zip((one, other), tokens, strict=True):
            await bot.hello(token, ["kuhn"], ladder=False, capacity=1)
        await started(door, cup(*BOTS, game="kuhn", games=2, mirrored_dice=True, concurrency=1, seed=1))
        tasks = [asyncio.create_task(playing(bot, ended, go)) for bot in (one, other)]
        await ended.wait()
        await page.goto(f"http://{door.address}/matches/1")
        await page.evaluate("window.opened = true")
        sealed = page.get_by_text("This page shows the secret and all hidden cards when game 1.1.2 is over")
        hidden = page.locator(".moves .roll").filter(has_text="?")
        await expect(sealed).to_be_visible()
        await expect(hidden.first).to_be_visible()
        await expect(page.get_by_role("button", name="Try other moves")).to_have_count(0)
        go.set()
        await expect(sealed).to_have_count(0)
        await expect(hidden).to_have_count(0)
        await expect(page.get_by_role("button", name="Try other moves")).to_be_visible()
        assert await page.evaluate("window.opened"), "the page was not loaded again"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
