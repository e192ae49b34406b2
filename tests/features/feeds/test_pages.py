# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of webhooks in the browser: add one, send a test, read its outcome, remove it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.async_api import Page, expect

from arena.features.feeds.part import FeedsPart
from arena.settings import Settings
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits
from tests.browser.watching import watching
from tests.features.accounts.people import signed_in, use
from tests.features.feeds.receiver import Receiver, allowing, receiving
from tests.web.door import Door, opened

LONG = "a" * 300


def test_an_owner_adds_tests_and_removes_a_webhook(tmp_path: Path, chromium_path: str | None) -> None:
    async def look() -> None:
        async with receiving() as receiver:
            settings = Settings(games="tictactoe", ladder=False, features=(allowing(receiver),))
            async with (
                opened(tmp_path, settings) as door,
                watching(chromium_path) as page,
                signed_in(door) as (owner, _),
            ):
                await use(page, owner)
                await manage(page, door, receiver)

    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, look()).result()


async def manage(page: Page, door: Door, receiver: Receiver) -> None:
    """Use each control of the page."""
    await page.goto(f"http://{door.address}/account")
    await page.get_by_role("link", name="Webhooks").click()
    await expect(page.get_by_role("heading", name="You have no webhooks yet")).to_be_visible()
    form = page.locator("#new-webhook")
    add = form.get_by_role("button", name="Add webhook")
    await form.get_by_label("Address").fill(f"{receiver.url}?{LONG}")
    await form.get_by_label("bot.quarantined").check()
    await form.get_by_label("Number of a bot").fill("x")
    await add.click()
    await expect(form.get_by_role("alert")).to_contain_text("The bot must be a number")
    await form.get_by_label("Number of a bot").fill("")
    await add.click()
    await expect(page.get_by_role("group", name="Secret of webhook 1")).to_contain_text("whsec_")
    hook = page.get_by_role("region", name="Webhook 1")
    await expect(hook).to_contain_text("match.over, bot.quarantined")

    await hook.get_by_role("button", name="Send a test").click()
    assert (await receiver.next()).json["type"] == "test"
    records = door.arena.part(FeedsPart).records
    while (await records.deliveries(1)).items[0].state != "delivered":  # noqa: ASYNC110  # there is no event for it
        await asyncio.sleep(0.01)
    await hook.get_by_role("button", name="Refresh the deliveries").click()
    await expect(hook.get_by_role("row").filter(has_text="test")).to_contain_text("delivered")
    await sound(page)
    await fits(page)

    await hook.get_by_role("button", name="Disable").click()
    await expect(hook).to_contain_text("disabled")
    await hook.get_by_role("button", name="Enable").click()
    await expect(hook).to_contain_text("enabled")
    await hook.get_by_role("button", name="Remove webhook 1").click()
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("heading", name="You have no webhooks yet")).to_be_visible()
