# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament of house bots on its page: it goes on without a reload, and fits a phone."""

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, Site
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS


def arena(site: Site, *words: str) -> dict[str, object]:
    """Run ``arena tournament`` beside the server."""
    command = [sys.executable, "-m", "arena.cli", "tournament", *words, "--json", "--data", str(site.folder)]
    answer: dict[str, object] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return answer


@pytest.mark.parametrize(("form", "tab"), [(["round-robin"], "Crosstable"), (["knockout", "--third-place"], "Bracket")])
def test_a_tournament_goes_on_before_ones_eyes(site: Site, page: Page, form: list[str], tab: str) -> None:
    site.wait("/leaderboard?game=tictactoe")
    players = [word for name in ("alphabeta-4", "minimax-3", "minimax-2", "random") for word in ("--player", name)]
    made = arena(site, "create", "Cup", "--game", "tictactoe", "--format", *form, *players)
    page.goto(f"{site.url}/tournaments")
    page.get_by_role("link", name="Cup").first.click()
    expect(page.get_by_role("heading", name="Cup", level=1)).to_be_visible()
    expect(page.get_by_text("Not started yet")).to_be_visible()
    arena(site, "start", str(made["id"]))
    expect(page.get_by_role("status")).to_have_text(re.compile("finished"), timeout=PATIENCE * MILLISECONDS)
    expect(page.locator("tbody tr")).to_have_count(4)
    page.get_by_role("tab", name=tab).click()
    expect(page.locator(".crosstable tbody tr" if tab == "Crosstable" else ".bracket .bout")).to_have_count(4)
    page.get_by_role("tab", name="Rounds").click()
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(WHOLE_PAGE_FITS)
    page.locator("details[open] a.game, details[open] td.games a").first.scroll_into_view_if_needed()
    page.locator("details[open] td.games a").first.click()
    expect(page).to_have_url(re.compile(r"/matches/\d+"))
