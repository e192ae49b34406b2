# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty pages give the reason, and list the running preparations of the server."""

from pathlib import Path

from playwright.async_api import Page, expect

from arena.protocol.orders import HostProgress
from tests.browser.test_disclosure import visited
from tests.web.door import Door

COMPILED = "alphabeta-4 for checkers"


def test_pages_without_matches_list_running_preparations(tmp_path: Path, chromium_path: str | None) -> None:
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
