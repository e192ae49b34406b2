# SPDX-License-Identifier: GPL-3.0-or-later
"""Three volunteers join a running arena; one is killed, one lies: seen on the page of islands, which nobody reloads."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.end_to_end.server import Server
from tests.features.volunteers.people import EXCHANGE, LIAR, Volunteer, invite

PATIENCE = 1200  # compiles the frame for checkers where it is not in the cache
LONG = 840 * MILLISECONDS


@pytest.mark.timeout(PATIENCE)
@pytest.mark.long
def test_volunteers_come_vanish_and_lie_before_ones_eyes(tmp_path: Path, chromium_path: str | None) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path)).result()


async def watch(folder: Path, chromium_path: str | None) -> None:
    """Run a server and three volunteers, and look at the page."""
    server = Server(folder, *EXCHANGE)
    steady, mortal = (Volunteer(folder, name) for name in ("steady", "mortal"))
    every = (steady, mortal, Volunteer(folder, "liar", LIAR))
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE - 20), watching(chromium_path) as page:
            await invite(server, *every)
            await page.goto(f"{server.url}/islands")
            for seed, volunteer in enumerate(every):
                await volunteer.start(server, seed)
            await follow(page, server, mortal)
            await page.get_by_role("link", name="steady").first.click()
            await expect(page.locator(".formula")).to_be_visible(timeout=LONG)
            await expect(page.locator(".searched h3", has_text="f-negascout-5")).to_be_visible(timeout=LONG)
            await page.set_viewport_size({"width": 360, "height": 740})
            await page.wait_for_function(WHOLE_PAGE_FITS, timeout=LONG)
    finally:
        for volunteer in every:
            await volunteer.kill()
        await server.kill()


async def follow(page: Page, server: Server, mortal: Volunteer) -> None:
    """See three come, one caught and one fall silent, and what holds spread all the while."""
    row = {name: page.locator(".islands tbody tr").filter(has_text=name) for name in ("steady", "mortal", "liar")}
    await expect(page.locator("#live")).to_have_text("3 online", timeout=LONG)
    await expect(row["liar"]).to_contain_text("quarantined", timeout=LONG)
    await expect(row["liar"]).to_contain_text("100 % of 80")
    # the page lists the newest verifications only
    verdicts = [(one["name"], one["verdict"]) for one in await server.all("/verifications")]
    assert ("liar", "refuted") in verdicts
    await expect(page.locator("#champion .words")).to_be_visible(timeout=LONG)
    # what came in is an arc; none leads from the liar
    await expect(page.locator(".migrations .arc:not(.offered)").first).to_be_attached(timeout=LONG)
    await mortal.kill()
    await expect(row["mortal"]).to_contain_text("offline", timeout=LONG)
    await expect(page.locator("#live")).to_have_text("2 online", timeout=LONG)
    generation = cell(row["steady"], 3)
    seen = await generation.inner_text()
    await expect(generation).not_to_have_text(seen, timeout=LONG)
    gifts = await page.locator(".gifts tbody tr td:first-child").all_inner_texts()
    assert gifts
    assert set(gifts) <= {"steady", "mortal"}
    await expect(page.locator(".migrations .arc title").filter(has_text=re.compile("^liar"))).to_have_count(0)


def cell(row: Locator, number: int) -> Locator:
    """Return a cell of a row."""
    return row.locator("td").nth(number)
