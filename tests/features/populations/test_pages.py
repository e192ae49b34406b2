# SPDX-License-Identifier: GPL-3.0-or-later
"""A population on its page: generations come in without a reload, and it fits a phone."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from arena.features.populations.breeding import Breeding
from arena.protocol.orders import HostProgress
from arena.settings import Settings
from bots.client.rest import RestClient
from bots.evolution.breeding import VERSION, Arenas, Breed, arenas_of
from bots.evolution.hosted_population import Breeder
from tests.browser.test_accessibility import looked_at
from tests.browser.test_disclosure import visited
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.end_to_end.server import Server
from tests.web.door import Door, opened
from tests.web.test_tournaments import operator

FAST = ("--games=checkers", "--breeding=checkers", "--breeding-pace=0.1", "--breeding-every=3", "--breeding-size=8")
"""Settings by which minutes become seconds."""
COMPILED = "alphabeta-4 for checkers"
PATIENCE = 840
"""Seconds: on a busy machine without a cache of kernels it compiles for minutes."""
CHAMPION = re.compile(r"^evolved g")
"""A bot is named with its version."""
FIRST = re.compile(r"generation [1-9]\d*")

BREED = Breed(VERSION, "checkers/lecture", "kendall-whitwell", 8, 1, plies=30)


def test_a_population_is_bred_before_ones_eyes(tmp_path: Path, chromium_path: str | None) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path)).result()


async def watch(folder: Path, chromium_path: str | None) -> None:
    """Follow a population's page while it is bred."""
    async with opened(folder, Settings(games="checkers", ladder=False)) as door, watching(chromium_path) as page:
        token = (await operator(door))["Authorization"].removeprefix("Bearer ")
        await door.register("evolved")
        breeder = Breeder(
            BREED, "Home", RestClient(f"http://{door.address}", token, timeout=PATIENCE), "evolved", every=2
        )
        await page.goto(f"http://{door.address}/populations")
        await expect(page.get_by_role("heading", name="No populations yet")).to_be_visible()
        await asyncio.to_thread(breeder.begin)
        await page.reload()
        await page.get_by_role("link", name="Home", exact=True).click()
        await expect(page.locator("#generations")).to_have_text("generation 0")
        with Arenas("checkers", 1, plies=30) as arenas:
            for _ in range(3):
                await asyncio.to_thread(breeder.step, arenas)
        await expect(page.locator("#generations")).to_have_text("generation 3")
        # two plots a gene, what selection would make of them, and the family tree
        await expect(page.get_by_role("img")).to_have_count(10)
        await expect(page.get_by_role("heading", name="Strength of the members")).to_be_visible()
        await expect(page.locator(".reading tbody tr")).to_have_count(10)
        await expect(page.get_by_role("cell", name="standard weights")).to_be_visible()
        living = page.locator(".family .lives")
        await expect(living).to_have_count(8)
        await expect(page.locator(".lineage li")).not_to_have_count(0)
        await expect(page.get_by_role("link", name="evolved")).to_be_visible()
        await page.set_viewport_size({"width": 360, "height": 740})
        # plots follow the width a moment later
        await page.wait_for_function(WHOLE_PAGE_FITS)
        await page.goto(f"http://{door.address}/?game=checkers")
        bred = page.locator(".bred tr")
        await expect(bred).to_have_count(1)
        await expect(bred).to_contain_text("generation 3")
        await page.wait_for_function(WHOLE_PAGE_FITS)
        await bred.get_by_role("link").click()
        await expect(page.get_by_role("heading", name="Home", exact=True)).to_be_visible()
        # names of players and origins come from the process that evolves the population, in English
        await page.set_extra_http_headers({"Accept-Language": "de"})
        await page.reload()
        await expect(page.get_by_role("cell", name="Standardgewichte")).to_be_visible()
        await expect(page.get_by_role("heading", name="Dame im Zentrum", exact=True)).to_be_visible()
        await expect(page.get_by_role("cell", name=re.compile(r"^Mitglied \d+$"))).not_to_have_count(0)
        await expect(page.locator(".lineage li").first).to_contain_text(re.compile("Mutant|Kreuzung"))
        await page.wait_for_function(WHOLE_PAGE_FITS)


def test_the_empty_page_says_why_it_is_empty(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "checkers", waiting_to_breed)


async def waiting_to_breed(page: Page, door: Door) -> None:
    """See the page of populations before anything is bred, and while the arena is being prepared."""
    empty = page.locator(".empty")
    await page.goto(f"http://{door.address}/populations")
    await expect(empty).to_contain_text("This server evolves no population of its own.")
    await expect(empty).not_to_contain_text("minute after")
    door.arena.part(Breeding).game = "checkers"
    door.arena.built_in_bots_progress(HostProgress(warming=COMPILED))
    await expect(empty).to_contain_text("when its games and built-in bots are ready")
    await expect(empty).to_contain_text(COMPILED)
    door.arena.built_in_bots_progress(HostProgress(ready=True))
    await expect(empty).to_contain_text("The breeder starts")
    await expect(empty).not_to_contain_text(COMPILED)
    token = (await operator(door))["Authorization"].removeprefix("Bearer ")
    breeder = Breeder(BREED, "Home", RestClient(f"http://{door.address}", token, timeout=PATIENCE), "evolved")
    await asyncio.to_thread(breeder.begin)
    await expect(page.get_by_role("link", name="Home")).to_be_visible()


def test_the_pages_are_accessible(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "checkers,chess", bred_here)


async def bred_here(page: Page, door: Door) -> None:
    """Look at a population, and at a bot that was bred."""
    headers = await operator(door)
    await door.register("evolved")
    population = RestClient(
        f"http://{door.address}", headers["Authorization"].removeprefix("Bearer "), timeout=PATIENCE
    )
    breeder = Breeder(BREED, "Home", population, "evolved", every=2)
    await asyncio.to_thread(breeder.begin)
    with Arenas("checkers", 1, plies=30) as arenas:
        for _ in range(3):
            await asyncio.to_thread(breeder.step, arenas)
    await looked_at(page, door, "/populations", "/populations/1")


@pytest.mark.long  # test_end_to_end.py breeds such a champion too, without the pages
def test_an_arena_that_was_only_started_breeds_a_champion_with_a_rating(
    tmp_path: Path, chromium_path: str | None
) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, wait_for_champion(tmp_path, chromium_path)).result()


async def wait_for_champion(folder: Path, chromium_path: str | None) -> None:
    """Start ``arena serve``, look at its populations, and then at the leaderboard."""
    server = Server(folder, *FAST, environment={"ARENA_LADDER_PAUSE": "0"})
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE - 10), watching(chromium_path) as page:
            await page.goto(f"{server.url}/populations")
            link = page.get_by_role("link", name="built-in, checkers/lecture")
            while not await link.count():
                await asyncio.sleep(1)
                await page.reload()
            assert (await server.get("/api/v1/populations"))["own"] == "checkers"
            await link.click()
            generations = page.locator("#generations")
            await expect(generations).to_have_text(FIRST, timeout=PATIENCE * MILLISECONDS)
            seen = await generations.inner_text()
            await expect(generations).not_to_have_text(seen, timeout=PATIENCE * MILLISECONDS)
            await page.goto(f"{server.url}/leaderboard?game=checkers")
            champion = page.get_by_role("row").filter(has=page.get_by_role("link", name=CHAMPION))
            while not await champion.count():
                await asyncio.sleep(1)
                await page.reload()
            await expect(champion.first).to_contain_text(re.compile(r"\d,?\d{3}"))
            # its page names its genome, its population and its games
            await champion.first.get_by_role("link", name=CHAMPION).click()
            await expect(page.get_by_role("heading", name=re.compile("Genome of version g"))).to_be_visible()
            await expect(page.get_by_role("columnheader", name="king in the centre")).to_be_visible()
            await expect(page.locator("a[href^='/matches/']")).not_to_have_count(0)
            await page.get_by_role("link", name="built-in, checkers/lecture").click()
            await expect(generations).to_have_text(FIRST)
    finally:
        await server.stop()


def test_a_population_of_strategies_shows_shares_over_time(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "dilemma", strategies_here)


async def strategies_here(page: Page, door: Door) -> None:
    """Look at a population of memory-one strategies, whose members do not play."""
    token = (await operator(door))["Authorization"].removeprefix("Bearer ")
    rest = RestClient(f"http://{door.address}", token, timeout=PATIENCE)
    breed = Breed(VERSION, "dilemma/memory-one", "moran", 8, 4)
    breeder = Breeder(breed, "Dilemma", rest, "unused")
    await asyncio.to_thread(breeder.begin)
    await page.goto(f"http://{door.address}/populations/1")
    await expect(page.locator("#generations")).to_have_text("generation 0")
    await expect(page.get_by_role("heading", name="Strategies over the generations")).to_have_count(0)
    with arenas_of(breed, 1) as arenas:
        for _ in range(20):
            await asyncio.to_thread(breeder.step, arenas)
    await page.reload()
    part = page.locator("section").filter(has=page.get_by_role("heading", name="Strategies over the generations"))
    answer = await asyncio.to_thread(rest.get, "/populations/1")
    shares = answer["shares"]
    assert shares["numbers"] == list(range(21))
    await expect(part.get_by_role("img", name="Shares of the strategies from generation 0 to 20")).to_be_visible()
    await expect(part.locator(".share-table tbody tr")).to_have_count(len(shares["names"]))
    await expect(part.locator("polygon")).to_have_count(min(9, len(shares["names"])))
    most = max(zip(shares["shares"][-1], shares["names"], strict=True))[1]
    cells = part.get_by_role("row").filter(has=page.get_by_role("rowheader", name=most, exact=True)).locator("td")
    await expect(cells.nth(4)).to_have_text(f"{100 * max(shares['shares'][-1]):.1f} %")
    await expect(page.get_by_role("heading", name="Champions and other genomes")).to_have_count(0)
    await looked_at(page, door, "/populations/1")
