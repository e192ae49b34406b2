# SPDX-License-Identifier: GPL-3.0-or-later
"""Accessibility violations that axe-core finds on a page: keyboard, screen reader, contrast."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
"""Installed by `make setup`."""
RUN = "(more) => axe.run(document, { resultTypes: ['violations'], ...more })"
STILL = """async () => {
  await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
  // two frames: observers of sizes have seen the new width in the first
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""What fades in has no contrast yet, and what got narrower is not yet marked as one that scrolls."""


async def violations(page: Page) -> list[str]:
    """Return a line for each element of the page that breaks a rule."""
    if not await page.evaluate("() => Boolean(window.axe)"):
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    await page.evaluate(STILL)
    found: dict[str, Any] = await page.evaluate(RUN, {})
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
