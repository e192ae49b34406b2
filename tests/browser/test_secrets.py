# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a match with hidden information: what needs the whole position is offered once the match is over."""

from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.test_disclosure import visited
from tests.web.door import Door
from tests.web.test_peepers import challenged, seated


def test_other_moves_can_be_tried_after_the_end(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "kuhn", seen)


async def seen(page: Page, door: Door) -> None:
    """See a match live, and at its end."""
    refused: list[str] = []
    page.on("response", lambda response: refused.append(response.url) if response.status >= 400 else None)
    async with seated(door, "one", "other", game="kuhn") as bots:
        match = await challenged(bots[0], bots[1], "other", "kuhn")
        state = await bots[1].hear("match")
        first = bots[1] if state["seat"] == 0 else bots[0]
        await first.move(await first.hear("turn"), "bet")
        await first.hear("accepted")
        await page.goto(f"http://{door.address}/matches/{match}")
        trying = page.get_by_role("button", name="Try other moves")
        copying = page.get_by_role("button", name="Copy position")
        await expect(page.get_by_role("button", name="Read position")).to_be_visible()
        await expect(trying).to_have_count(0)
        await expect(copying).to_have_count(0)
        await first.say("resign", match=match)
        await first.hear("over")
        await expect(copying).to_be_visible()
        await trying.click()
        await expect(page.get_by_role("button", name="fold")).to_be_visible()
        assert refused == []
