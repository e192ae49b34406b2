# SPDX-License-Identifier: GPL-3.0-or-later
"""The built documentation in a browser: it obeys its policy, searches, and looks like the arena in every theme."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from arena.features.docs_site import site as files
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.web.door import Door

PREFIX = "/below"

PAGES = ("how-to/bots/", "reference/sdk/bot/")
MORE = ("", "reference/commands/match/", "reference/rest/matches/")
"""Pages of more kinds, which the browser needs long to look at."""

COLOURS = "() => ['body', 'header'].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor)"


@pytest.mark.parametrize("paths", [PAGES, pytest.param(MORE, marks=pytest.mark.long)])
def test_pages_of_the_documentation(
    tmp_path: Path,
    chromium_path: str | None,
    built_site: Path,
    monkeypatch: pytest.MonkeyPatch,
    paths: tuple[str, ...],
) -> None:
    monkeypatch.setattr(files, "BUILT", built_site)
    visited(tmp_path, chromium_path, "tictactoe", partial(read, paths), path_prefix=PREFIX)


async def read(paths: tuple[str, ...], page: Page, door: Door) -> None:
    """Open the documentation by the menu, search it, change the theme, and look at pages of each kind."""
    home = f"http://{door.address}{PREFIX}"
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    await page.goto(f"{home}/bots")
    await page.get_by_role("navigation").get_by_text("Build", exact=True).click()
    await page.get_by_role("navigation").get_by_role("link", name="Documentation").click()
    await expect(page).to_have_url(f"{home}/docs/")
    await expect(page.get_by_role("heading", name="Documentation", level=1)).to_be_visible()
    await searched(page)
    await themed(page, home)
    for path in paths:
        await page.goto(f"{home}/docs/{path}")
        await page.wait_for_load_state("networkidle")
        await fits(page)
        await sound(page)
    await page.get_by_role("link", name="Bot Arena").first.click()
    await expect(page).to_have_url(f"{home}/")
    assert [url for url in requested if not url.startswith((home, "data:"))] == []


async def searched(page: Page) -> None:
    """Find a word, and follow a result."""
    await page.wait_for_load_state("networkidle")
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox", name="Search").fill("landlock")
    result = page.get_by_role("listbox", name="Search results").get_by_role("option").first
    await expect(result).to_contain_text("andlock")
    await result.click()
    await expect(page.locator("article")).to_contain_text("andlock")


async def themed(page: Page, home: str) -> None:
    """See the arena's colours in both themes, and the theme that was chosen on the other pages."""
    found: dict[tuple[str, str], Any] = {}
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        for path in ("/bots", "/docs/"):
            await page.goto(home + path)
            found[scheme, path] = await page.evaluate(COLOURS)
        assert found[scheme, "/bots"] == found[scheme, "/docs/"]
    assert found["light", "/docs/"] != found["dark", "/docs/"]
    await page.get_by_role("button", name="Switch between light and dark theme").click()
    assert await page.evaluate(COLOURS) == found["light", "/docs/"]
    await page.goto(f"{home}/bots")
    assert await page.evaluate(COLOURS) == found["light", "/docs/"]
    await page.evaluate("() => localStorage.clear()")


def test_the_page_of_an_arena_without_documentation(
    tmp_path: Path, chromium_path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BUILT", tmp_path / "missing")
    visited(tmp_path, chromium_path, "tictactoe", missed)


async def missed(page: Page, door: Door) -> None:
    """Read how to build it."""
    for path in ("/docs/", "/docs"):
        await page.goto(f"http://{door.address}{path}")
        await expect(page.get_by_role("heading", name="Documentation")).to_be_visible()
        await expect(page.get_by_text("make docs", exact=True)).to_be_visible()
    await fits(page)
    await sound(page)
    async with door.http.get("/docs/how-to/") as response:
        assert response.status == 404
        assert "This arena has no documentation" in await response.text()
