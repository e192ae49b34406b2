# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament on its page: it goes on without a reload, and fits a phone."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import expect

from arena.settings import Settings
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.round_robin import RoundRobin
from tests.arena.conftest import QUICK
from tests.arena.peers import ready
from tests.arena.tournaments.test_manager import NAMES, become, playing
from tests.browser.conftest import PATIENCE
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.web.door import opened


@pytest.mark.parametrize(
    ("form", "tab", "parts"),
    [(RoundRobin(), "Crosstable", ".crosstable tbody tr"), (Knockout(third_place=True), "Bracket", ".bracket .bout")],
)
def test_a_tournament_page_updates_without_a_reload(
    tmp_path: Path, chromium_path: str | None, form: AnyFormat, tab: str, parts: str
) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path, form, tab, parts)).result()


async def watch(folder: Path, chromium_path: str | None, form: AnyFormat, tab: str, parts: str) -> None:
    """Follow a tournament's page from before its start to its end."""
    config = Config(name="Cup", game="tictactoe", format=form, entries=tuple(Entry(name) for name in NAMES))
    async with opened(folder, Settings(**QUICK)) as door, watching(chromium_path) as page:
        await ready(door.arena)
        row = await door.arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.goto(f"http://{door.address}/tournaments")
        await expect(page.get_by_role("cell", name="created")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_text("arena tournament create")).to_be_visible()
        await page.set_viewport_size({"width": 1440, "height": 900})
        await page.get_by_role("link", name="Cup").click()
        await expect(page.get_by_text("Not started")).to_be_visible()
        async with playing(door.arena, alike=isinstance(form, Knockout)):
            await become(door.arena, row.id, "running")
            status = page.locator(".head [role=status]")
            await expect(status).to_have_text(re.compile("finished"), timeout=PATIENCE * MILLISECONDS)
        await expect(page.locator("tbody tr")).to_have_count(4)
        await page.reload()  # these bots came after the page, which real ones do not
        first = page.locator("tbody tr").first.get_by_role("link")
        bot = await door.arena.store.bots.named(await first.inner_text())
        assert bot is not None
        await expect(first).to_have_attribute("href", f"/bots/{bot.id}")
        await page.get_by_role("tab", name=tab).click()
        await expect(page.locator(parts)).to_have_count(4)
        if isinstance(form, Knockout):  # where two have equal points, too, one of them goes on
            for bout in await page.locator(parts).all():
                await expect(bout.locator(".ahead")).to_have_count(1)
        await page.set_viewport_size({"width": 360, "height": 740})
        for name in (tab, "Rounds", "Standings"):
            await page.get_by_role("tab", name=name).click()
            await page.wait_for_function(WHOLE_PAGE_FITS)
        await page.get_by_role("tab", name="Rounds").click()
        await page.locator("details[open] td.games a").first.click()
        await expect(page).to_have_url(re.compile(r"/matches/\d+"))
