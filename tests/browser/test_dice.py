# SPDX-License-Identifier: GPL-3.0-or-later
"""A match with dice in a real browser."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import serving


def test_dice_are_shown_before_each_move_and_on_the_board(tmp_path: Path, page: Page) -> None:
    with serving(tmp_path, "einstein") as site:
        match = site.finished("einstein")
        page.goto(f"{site.url}/matches/{match['id']}")
        moves = page.locator(".moves button")
        expect(moves).to_have_count(match["plies"] // 2)
        expect(page.locator(".moves .roll")).to_have_count(match["plies"] // 2)
        page.keyboard.press("Home")
        expect(page.locator(".frame .last")).to_have_count(0)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".frame .last")).to_have_count(1)
        expect(page.locator("[aria-live]")).to_have_text(re.compile("^Dice: [1-6]$"))
        expect(moves.first).to_have_attribute("aria-current", "true")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".frame .last")).to_have_count(2)
        expect(page.locator("[aria-live]")).to_have_text(re.compile("^Dark: "))
