# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty pages give the reason, and list the running preparations of the server."""

import time
from pathlib import Path

from playwright.async_api import Page, expect

from arena.protocol.orders import HostProgress
from tests.browser.test_disclosure import moved, visited
from tests.web.door import Door
from tests.web.test_peepers import challenged, seated

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


def test_a_match_without_its_moves_shows_its_result_and_no_board(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", without_moves)


async def without_moves(page: Page, door: Door) -> None:
    """Delete the moves of a match that ended, and look at its page and at the one for an iframe."""
    async with seated(door, "first", "second") as (first, second):
        match = await challenged(first, second, "second")
        state = await second.hear("match")
        await moved(second if state["seat"] == state["to_move"] else first)
        await first.say("resign", match=match)
        await second.hear("over")
    assert await door.arena.store.prune(time.time() + 1) == 1
    await page.goto(f"http://{door.address}/matches/{match}")
    await expect(page.locator(".empty")).to_contain_text("deleted the moves of this match because of their age")
    await expect(page.locator(".ending")).to_contain_text("second won")
    await expect(page.locator(".board, .replay, .moves")).to_have_count(0)
    async with door.http.get(f"/embed/matches/{match}") as response:
        assert response.status == 404
        assert f"The moves of match {match} were deleted because of their age" in await response.text()
