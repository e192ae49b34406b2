# SPDX-License-Identifier: GPL-3.0-or-later
"""A page beside an arena that runs in the same loop; such a test has a thread of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import ConsoleMessage, Page, async_playwright

from tests.browser.conftest import QUIET


@asynccontextmanager
async def watching(chromium_path: str | None) -> AsyncIterator[Page]:
    """Yield a page of 1440 by 900; an error that it tells its console fails the test."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, args=list(QUIET))
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        complaints: list[str] = []

        def heard(message: ConsoleMessage) -> None:
            if message.type == "error":
                complaints.append(message.text)

        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        assert not complaints, complaints
        await browser.close()
