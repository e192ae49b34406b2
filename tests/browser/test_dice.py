# SPDX-License-Identifier: GPL-3.0-or-later
"""A match with dice in a real browser."""

import asyncio
import re
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.test_disclosure import visited
from tests.web.door import Door
from tests.web.players import first_move
from tests.web.test_match import get
from tests.web.test_peepers import challenged, seated


def test_dice_are_shown_before_each_move_and_on_the_board(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "einstein", rolled)


async def rolled(page: Page, door: Door) -> None:
    """Replay a match that two bots play to its end."""
    async with seated(door, "one", "other", game="einstein") as bots:
        number = await challenged(bots[0], bots[1], "other", game="einstein")
        await asyncio.gather(*(bot.play(first_move) for bot in bots))
    match = await get(door, f"/matches/{number}", "MatchDetailAnswer")
    assert match["termination"] == "decided"
    await page.goto(f"http://{door.address}/matches/{number}")
    moves = page.locator(".moves button")
    await expect(moves).to_have_count(match["plies"] // 2)
    await expect(page.locator(".moves .roll")).to_have_count(match["plies"] // 2)
    await page.keyboard.press("Home")
    await expect(page.locator(".frame .last")).to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".frame .last")).to_have_count(1)
    await expect(page.locator("[aria-live]")).to_have_text(re.compile("^Dice: [1-6]$"))
    await expect(moves.first).to_have_attribute("aria-current", "true")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".frame .last")).to_have_count(2)
    await expect(page.locator("[aria-live]")).to_have_text(re.compile("^Dark: "))
