# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of islands: who is online, claims with their verdicts, and exchanged genomes, without a reload."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.async_api import Page, expect

from arena.features.volunteers.exchange import Exchange
from tests.browser.test_pages import WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.features.volunteers.test_api import SETTINGS, Island, invited, joined, tried
from tests.web.door import Door, opened
from tests.web.test_tournaments import operator


def test_islands_are_followed_without_a_reload(tmp_path: Path, chromium_path: str | None) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path)).result()


async def watch(folder: Path, chromium_path: str | None) -> None:
    """Look at the pages while an honest island, a weak one and a liar report."""
    async with opened(folder, SETTINGS) as door, watching(chromium_path) as page:
        await page.goto(f"http://{door.address}/")
        await page.get_by_role("navigation").get_by_text("Build", exact=True).click()
        await page.get_by_role("navigation").get_by_role("link", name="Islands").click()
        await expect(page.get_by_role("heading", name="No islands yet")).to_be_visible()
        await expect(page.get_by_text("arena evolve --join")).to_be_visible()
        liar = await follow(page, door)
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.wait_for_function(WHOLE_PAGE_FITS)
        await page.goto(f"http://{door.address}/islands/{liar.id}")
        await quarantined(page, door, liar)
        await page.wait_for_function(WHOLE_PAGE_FITS)


async def follow(page: Page, door: Door) -> Island:
    """See islands come, claim, give and lie; return the liar."""
    headers = await operator(door)
    strong, weak, liar = [await joined(door, name) for name in ("strong", "weak", "liar")]
    late = await invited(door, "late")
    row = {name: page.locator(".islands tbody tr").filter(has_text=name) for name in ("strong", "weak", "liar")}
    await expect(row["weak"]).to_contain_text("no report yet")
    await strong.report(0.7, seed=1)
    await strong.report(0.8, seed=2)
    await weak.report(0.2, seed=3)
    await liar.report(0.95, seed=4)
    await expect(row["strong"]).to_contain_text("80 % of 40")
    await expect(page.locator("#live")).to_have_text("3 online")
    await expect(page.locator(".islands tbody tr").filter(has_text="late")).to_contain_text("not joined yet")
    await expect(row["strong"]).to_contain_text("pending")
    # what it claims holds, and goes to the weak one; what the liar claims does not
    worth = {strong.id: 0.78, weak.id: 0.2, liar.id: 0.1}
    for _ in worth:
        assert await tried(door, headers, worth.__getitem__, pairs=96)
    (mate,) = (await weak.report(0.2, seed=3))["mates"]
    await expect(row["liar"]).to_contain_text("quarantined")
    await expect(row["strong"]).to_contain_text("78 % of 192")
    await expect(page.locator("#champion")).to_contain_text("strong: 78 % of 192 games against f-negascout-1")
    await expect(page.locator("#champion .words")).to_be_visible()
    arcs = page.locator(".migrations .arc")
    await expect(arcs).to_have_count(1)
    await expect(page.locator(".migrations .arc.offered")).to_have_count(1)
    await weak.report(0.3, seed=3, received=[mate["number"]])
    await expect(page.locator(".migrations .arc.offered")).to_have_count(0)
    await page.get_by_role("option", name="weak").click()
    await expect(page.locator(".told")).to_contain_text("weak gave 0, received 1")
    await page.keyboard.press("ArrowUp")
    await expect(page.locator(".told")).to_contain_text("strong gave 1, received 0")
    verdicts = page.locator(".verifications .verdict")
    await expect(verdicts).to_have_count(3)
    await expect(verdicts.filter(has_text="refuted")).to_have_count(1)
    # curves of those that are believed: two plots each
    await expect(page.locator(".plot-card [role=img]")).to_have_count(4)
    status, _ = await weak.say(weak.reporting(0.3, sequence=99))
    assert status == 409
    browser = page.context.browser
    assert browser is not None
    beside = await browser.new_page()
    await beside.goto(f"http://{door.address}/islands/{late.id}")
    await expect(beside.get_by_role("heading", name="No report yet")).to_be_visible()
    await beside.close()
    await expect(page.locator("#refusals")).to_contain_text("1 out of order")
    return liar


async def quarantined(page: Page, door: Door, liar: Island) -> None:
    """The page of a liar says why nothing of it spreads, until it is lifted."""
    await expect(page.get_by_role("note")).to_contain_text("claimed a score of 0.950")
    await expect(page.get_by_text("arena islands lift liar")).to_be_visible()
    await expect(page.locator(".verdict")).to_have_text("✗ refuted")
    await expect(page.locator(".formula")).to_be_visible()
    await page.set_extra_http_headers({"Accept-Language": "de"})
    await page.reload()
    await expect(page.get_by_role("note")).to_contain_text("gab für ihr bestes Genom 0,950 in 40 Partien")
    for gene in ("Nullzug: Tiefe", "Dame im Zentrum"):
        await expect(page.get_by_role("cell", name=gene, exact=True)).to_be_visible()
    await page.wait_for_function(WHOLE_PAGE_FITS)
    await page.set_extra_http_headers({})
    await page.reload()
    island = await door.arena.part(Exchange).islands.get(liar.id)
    assert island is not None
    await door.arena.part(Exchange).islands.lift(island)
    await expect(page.get_by_role("note")).to_have_count(0)
