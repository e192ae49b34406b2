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
    visited(tmp_path, chromium_path, "tictactoe", new_page)


async def new_page(page: Page, door: Door) -> None:
    """Open the page by the menu, and see the data that its handler embeds; its parameters are checked."""
    name, _ = await door.register("hers")
    await page.goto(f"http://{door.address}/")
    await page.get_by_role("link", name="Owners").click()
    await expect(page.get_by_role("listitem").filter(has_text=f"{name} belongs to")).to_be_visible()
    await expect(page).to_have_title("Owners · Bot Arena")
    async with door.http.get("/owners?limit=none") as response:
        assert response.status == 400
        assert "Parameter &#39;limit&#39;" in await response.text()
