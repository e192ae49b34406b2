# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that have nothing to show yet say what they wait for, and what the arena is doing meanwhile."""

from asyncio import to_thread
from pathlib import Path

from playwright.async_api import Page, expect

from arena.protocol.orders import HostProgress
from bots.client.rest import RestClient
from bots.evolution.breeder import Breeder
from tests.browser.test_disclosure import visited
from tests.browser.test_populations import BREED
from tests.web.door import Door
from tests.web.test_tournaments import operator

COMPILED = "alphabeta-4 for checkers"


def test_what_is_bred_says_what_it_waits_for(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "checkers", waiting_to_breed)


async def waiting_to_breed(page: Page, door: Door) -> None:
    """See the page of populations before anything is bred, and while the arena is being prepared."""
    empty = page.locator(".empty")
    await page.goto(f"http://{door.address}/populations")
    await expect(empty).to_contain_text("This server evolves no population of its own.")
    await expect(empty).not_to_contain_text("minute after")
    door.arena.breeding = "checkers"
    door.arena.built_in_bots_progress(HostProgress(warming=COMPILED))
    await expect(empty).to_contain_text("when its games and built-in bots are ready")
    await expect(empty).to_contain_text(COMPILED)
    door.arena.built_in_bots_progress(HostProgress(ready=True))
    await expect(empty).to_contain_text("The breeder starts")
    await expect(empty).not_to_contain_text(COMPILED)
    token = (await operator(door))["Authorization"].removeprefix("Bearer ")
    breeder = Breeder(BREED, "Home", RestClient(f"http://{door.address}", token), "evolved")
    await to_thread(breeder.begin)
    await expect(page.get_by_role("link", name="Home")).to_be_visible()


def test_pages_without_matches_say_what_is_prepared(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "checkers", waiting_to_play)


async def waiting_to_play(page: Page, door: Door) -> None:
    """See the pages of an arena in which nobody has played, while its bots are being prepared."""
    door.arena.built_in_bots_progress(HostProgress(warming=COMPILED))
    for path in ("/", "/matches", "/leaderboard?game=checkers"):
        await page.goto(f"http://{door.address}{path}")
        await expect(page.locator(".empty")).to_contain_text(COMPILED)
    door.arena.built_in_bots_progress(HostProgress(ready=True))
    await expect(page.locator(".empty")).not_to_contain_text(COMPILED)
    await page.goto(f"http://{door.address}/")
    await expect(page.locator(".empty")).to_contain_text("two bots that play the same game are connected")
