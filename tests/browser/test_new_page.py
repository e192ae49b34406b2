# SPDX-License-Identifier: GPL-3.0-or-later
"""A new page is two files: a handler with its endpoint in ``web/pages.py``, and a script in ``web/static/pages``."""

import shutil
from pathlib import Path

import pytest
from aiohttp import web
from playwright.async_api import Page, expect

from arena.application import Arena
from tests.browser.test_disclosure import visited
from tests.web.door import Door
from web import application, pages
from web.api import bots
from web.api.endpoint import Endpoint
from web.application import STATIC

SCRIPT = """
import "../shell.js";
import { firstData, html, show } from "../view.js";

const { items } = firstData();
show(html`<h1>Owners</h1><ul>${items.map(({ name, owner }) => html`<li>${`${name} belongs to ${owner}`}</li>`)}</ul>`);
"""

NOTHING_CUT = """() => [...document.querySelectorAll("header > *, header summary, .bar > *")].every((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  return !width || (left >= 0 && right <= innerWidth && element.scrollWidth <= element.clientWidth + 1);
})"""
"""Whether all parts of the header and of the bar are whole."""


async def owners(arena: Arena, request: web.Request, query: bots.SomeBots) -> web.Response:
    """The owners of all bots."""
    return pages.show(request, "pages/owners.js", "Owners", await bots.list_bots(arena, query))


def test_a_page_is_a_handler_and_a_script(
    tmp_path: Path, chromium_path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    static = shutil.copytree(STATIC, tmp_path / "static")
    (static / "pages" / "owners.js").write_text(SCRIPT, "utf-8")
    monkeypatch.setattr(application, "STATIC", static)
    monkeypatch.setattr(pages, "PAGES", (*pages.PAGES, Endpoint("GET", "/owners", owners, menu="Owners")))
    visited(tmp_path, chromium_path, "tictactoe", everything)


async def everything(page: Page, door: Door) -> None:
    """Open the page, and use the menu in the other ways."""
    await new_page(page, door)
    await by_keyboard(page)
    await on_every_width(page)
    await without_script(page, door)


async def new_page(page: Page, door: Door) -> None:
    """Open the page by the menu, and see the data that its handler embeds; its parameters are checked."""
    name, _ = await door.register("hers")
    await page.goto(f"http://{door.address}/")
    await page.get_by_role("navigation").get_by_text("Build", exact=True).click()
    await page.get_by_role("link", name="Owners").click()
    await expect(page.get_by_role("listitem").filter(has_text=f"{name} belongs to")).to_be_visible()
    await expect(page).to_have_title("Owners · Bot Arena")
    async with door.http.get("/owners?limit=none") as response:
        assert response.status == 400
        assert "Parameter &#39;limit&#39;" in await response.text()


async def by_keyboard(page: Page) -> None:
    """Open a menu by Enter and close it by Escape, by the focus elsewhere, and by a press elsewhere."""
    watch, build = (page.locator("header summary", has_text=group) for group in ("Watch", "Build"))
    link = page.get_by_role("link", name="Owners")
    await expect(build).to_have_attribute("aria-current", "true")
    await build.press("Enter")
    await expect(link).to_have_attribute("aria-current", "page")
    await link.focus()
    await page.keyboard.press("Escape")
    await expect(link).to_be_hidden()
    await expect(build).to_be_focused()
    await build.press("Enter")
    await expect(link).to_be_visible()
    await watch.focus()
    await expect(link).to_be_hidden()
    await watch.press("Enter")
    await expect(page.get_by_role("link", name="Matches")).to_be_visible()
    await page.get_by_role("heading", name="Owners").click()
    await expect(page.get_by_role("link", name="Matches")).to_be_hidden()


async def on_every_width(page: Page) -> None:
    """See that nothing of the header is cut, and that a phone has a bar with the most used pages."""
    for width in (320, 360, 600, 768, 1024, 1440, 1920):
        await page.set_viewport_size({"width": width, "height": 740})
        await page.wait_for_function(NOTHING_CUT)
        assert await page.locator("nav.bar").is_visible() == (width < 768)
        assert await page.locator("nav.groups").is_visible() == (width >= 768)
    await page.set_viewport_size({"width": 360, "height": 740})
    links = page.get_by_role("navigation", name="Site").get_by_role("link")
    await expect(links).to_have_text(["Lobby", "Matches", "Play", "Leaderboard"])
    await page.locator("nav.bar summary").click()
    await page.get_by_role("link", name="Owners").click()
    await expect(page.get_by_role("heading", name="Owners")).to_be_visible()


async def without_script(page: Page, door: Door) -> None:
    """Open the page by the menu where scripts do not run."""
    assert page.context.browser is not None
    context = await page.context.browser.new_context(java_script_enabled=False)
    plain = await context.new_page()
    await plain.goto(f"http://{door.address}/")
    await plain.locator("header summary", has_text="Build").click()
    await plain.get_by_role("link", name="Owners").click()
    await expect(plain).to_have_title("Owners · Bot Arena")
    await context.close()
