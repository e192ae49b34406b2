# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a bot that was bred: its program as a formula and a tree, its numbers, and what its search does."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Page, expect

from arena.connections.admission import hash_token, make_token
from arena.features.genomes.records import GenomeRecords
from arena.settings import Settings
from bots.evolution.evochess.bot import label
from bots.evolution.evochess.genome import Genome, Read, champion, write
from bots.evolution.evochess.genome_view import genome_view, search_traces
from engine.search.programs.program import Program, check
from tests.browser.test_accessibility import looked_at
from tests.browser.test_disclosure import visited
from tests.browser.test_pages import WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.web.door import Door, opened

PROGRAM: Program = check(("if", "<", "place", 3.0, "horizon", "-", "horizon", "sigmoid", "moves"))
LINEAGE: dict[str, object] = {
    "dynamics": "evochess",
    "seed": 8,
    "generation": 7,
    "member": 3,
    "refined": [{"what": "search", "pairs": 3_600, "seed": 9}],
    "by hand": ["half of its order", "all of its passing"],
}
FORMULA = "place < 3 ? horizon : horizon - σ(moves)"


def test_a_bot_that_was_bred_is_taken_apart(tmp_path: Path, chromium_path: str | None) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path)).result()


async def bred(door: Door) -> int:
    """Admit a bot whose program is not plain, with its description; return its number."""
    own = champion("chess")
    kept = Read(own.schema, replace(own.genome, program=PROGRAM), 5_000, LINEAGE)
    assert isinstance(kept.genome, Genome)
    shown = genome_view(kept, await asyncio.to_thread(search_traces, kept, "evochess"))
    genome = json.loads(write(kept.schema, kept.genome, kept.nodes, kept.lineage))
    bot = await door.arena.store.bots.admit_built_in("evochess", hash_token(make_token()))
    assert bot is not None
    version = await door.arena.store.bots.version(bot.id, label(kept))
    await door.arena.store.records(GenomeRecords).put(version.id, "chess", genome, shown)
    return bot.id


async def watch(folder: Path, chromium_path: str | None) -> None:
    """Look at the page, on a wide screen and on a phone, with a mouse and with keys."""
    async with opened(folder, Settings(games="chess", ladder=False)) as door, watching(chromium_path) as page:
        number = await bred(door)
        await page.goto(f"http://{door.address}/bots/{number}")
        await expect(page.locator(".formula code")).to_have_text(FORMULA)
        told = "with seed 8, member 3 of generation 7; search parameters tuned by 3,600 pairs of games with seed 9; "
        told += "changed by hand: half of its order, all of its passing"
        await expect(page.get_by_text(told)).to_be_visible()
        await program(page)
        await looks(page)
        await expect(page.locator(".module")).to_have_count(2)
        await expect(page.get_by_role("row").filter(has_text="castled king")).to_have_count(1)
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.wait_for_function(WHOLE_PAGE_FITS)


async def program(page: Page) -> None:
    """Go through the tree: what is chosen is marked in the formula."""
    words = page.get_by_role("treeitem")
    await expect(words).to_have_count(len(PROGRAM))
    await words.nth(1).click()
    await expect(page.locator(".formula mark")).to_have_text("place < 3")
    await expect(words.nth(1)).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".formula mark")).to_have_text("place")
    await page.keyboard.press("End")
    await expect(page.locator(".formula mark")).to_have_text("moves")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".formula mark")).to_have_text("σ(moves)")
    await page.keyboard.press("Home")
    await expect(page.locator(".formula mark")).to_have_text(FORMULA)


async def looks(page: Page) -> None:
    """Go through the branches of a search, and the positions."""
    await expect(page.get_by_role("tab")).to_have_count(3)
    for name in ("evochess", "f-negascout-5", "alpha-beta-5"):
        await expect(page.locator(".searched h3", has_text=name)).to_be_visible()
    await expect(page.locator(".icicle")).to_have_count(1)
    own = page.locator(".icicle").first
    caption = own.locator("p")
    first = await caption.inner_text()
    await own.locator("g[tabindex='0']").focus()
    await page.keyboard.press("ArrowRight")
    await expect(caption).not_to_have_text(first)
    await page.keyboard.press("ArrowLeft")
    await expect(caption).to_have_text(first)
    # late moves are searched less deep than the first ones
    await expect(own.locator("g.less").first).to_be_attached()
    await page.get_by_role("tab", name="Position 2").click()
    await expect(page.get_by_role("tab", name="Position 2")).to_have_attribute("aria-selected", "true")
    await expect(page.locator(".icicle")).to_have_count(1)


def test_the_page_is_accessible(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "chess", page_of_a_bot)


async def page_of_a_bot(page: Page, door: Door) -> None:
    """Look at the page of a bot with a genome view."""
    await looked_at(page, door, f"/bots/{await bred(door)}")
