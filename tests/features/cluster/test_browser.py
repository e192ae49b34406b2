# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot at one node plays one at another, a third node referees, and browsers watch at all three."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.async_api import Page, async_playwright, expect

from tests.browser.conftest import QUIET, SOON
from tests.browser.restarts import BEYOND, PLIES
from tests.features.cluster.playing import cluster
from tests.features.cluster.test_play import OPTIONS, challenge, go_on, hold
from tests.nats import Nats

LOST = "The connection to the arena is lost"


def test_pages_at_all_nodes_while_the_referee_is_killed(
    tmp_path: Path, database: str, nats: Nats, chromium_path: str | None
) -> None:
    # in a thread of its own: a loop of another browser may run in this one
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _watched(tmp_path, database, nats.url, chromium_path)).result()


async def _watched(folder: Path, database: str, bus: str, chromium_path: str | None) -> None:
    async with (
        async_playwright() as playwright,
        await playwright.chromium.launch(executable_path=chromium_path, args=list(QUIET)) as browser,
        cluster(folder, database, bus, "abc", *OPTIONS, doors="ab") as nodes,
        challenge(nodes, "a", "b") as (one, other, match),
    ):
        await hold(one, other, match=match)
        pages: dict[str, Page] = {}
        for name, node in nodes.items():
            pages[name] = await browser.new_page()
            await pages[name].goto(f"{node.url}/matches/{match}")
        for page in pages.values():
            await page.wait_for_function(BEYOND, arg=0, timeout=SOON)
        await nodes["c"].kill()
        await expect(pages["c"].get_by_text(LOST)).to_be_visible()
        shown = max([await pages[name].evaluate(PLIES) for name in "ab"])
        go_on(one, other)
        for name in "ab":
            await pages[name].wait_for_function(BEYOND, arg=shown, timeout=SOON)
            await expect(pages[name].get_by_text(LOST)).to_have_count(0)
            await pages[name].screenshot(path=folder / f"{name}.png")
