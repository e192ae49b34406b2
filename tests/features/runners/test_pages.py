# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of runners in the browser: nothing at first, a new runner with its token, bots on it, and its removal."""

from pathlib import Path

from playwright.async_api import Page, expect

from arena.protocol.runner_messages import Host
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.features.accounts.people import signed_in, use
from tests.features.runners.company import NAMES, Hosting, runner
from tests.web.door import Door


def test_runners_are_added_seen_and_removed(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", look)


async def look(page: Page, door: Door) -> None:
    """Add a runner, connect it, look at it, and remove it."""
    await Hosting(door).start()
    async with signed_in(door, role="administrator") as (administrator, _):
        await use(page, administrator)
        await page.goto(f"http://{door.address}/administration/runners")
        await expect(page.get_by_role("heading", name="No runners")).to_be_visible()
        await page.get_by_role("textbox", name="Name", exact=True).fill("cellar")
        await page.get_by_role("button", name="Add runner").click()
        command = page.get_by_role("group", name="New runner: cellar").locator("code")
        await expect(command).to_contain_text("arena runner --url ")
        token = (await command.inner_text()).split("--token ")[1].strip()
        await expect(page.get_by_role("row", name="cellar")).to_contain_text("Never connected")
        async with runner(door, "cellar", token) as cellar:
            await cellar.join()
            await cellar.play((await cellar.hear(Host)).bots)
            await page.reload()
            row = page.get_by_role("row", name="cellar")
            await expect(row).to_contain_text("Playing")
            await expect(row).to_contain_text("4 of 4 free")
            await expect(row).to_contain_text(f"{len(NAMES)} bots")
            await expect(page.get_by_text(f"{len(NAMES)} bots play on them.")).to_be_visible()
            await sound(page)
            await fits(page)
            one, other = (door.arena.roster.named(name) for name in NAMES[:2])
            assert one is not None
            assert other is not None
            game = door.arena.registry.games["tictactoe"]
            match = await door.arena.conductor.meet(game, (one, other), kind="challenge", rated=False)
            await page.goto(f"http://{door.address}/matches/{match}")
            await page.get_by_text("Runners", exact=True).click()
            hosted = page.get_by_role("row", name=NAMES[0])
            await expect(hosted).to_contain_text("cellar")
            await expect(hosted).to_contain_text("5.0")
            await fits(page)
            await page.goto(f"http://{door.address}/administration/runners")
            await page.get_by_role("button", name="Remove cellar").click()
            await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
            await expect(page.get_by_role("heading", name="No runners")).to_be_visible()
            await cellar.closed()
        # the page asks nothing more when the session has ended
        await page.goto("about:blank")
