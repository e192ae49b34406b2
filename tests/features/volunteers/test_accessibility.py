# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of islands, held against the rules of accessibility."""

from pathlib import Path

from playwright.async_api import Page

from tests.browser.test_accessibility import looked_at
from tests.browser.test_disclosure import visited
from tests.features.volunteers.test_api import HASTY, invited, joined, tried
from tests.web.door import Door
from tests.web.test_tournaments import operator


def test_pages_of_islands(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "checkers,chess", reported, features=(HASTY,))


async def reported(page: Page, door: Door) -> None:
    """Look at islands of all kinds, and at the page without any."""
    await looked_at(page, door, "/islands")
    headers = await operator(door)
    strong, weak, liar = [await joined(door, name) for name in ("strong", "weak", "liar")]
    await invited(door, "late")
    for island, score, seed in ((strong, 0.7, 1), (strong, 0.8, 2), (weak, 0.2, 3), (liar, 0.95, 4)):
        await island.report(score, seed=seed)
    worth = {strong.id: 0.78, weak.id: 0.2, liar.id: 0.1}
    for _ in worth:
        assert await tried(door, headers, worth.__getitem__, pairs=96)
    await weak.report(0.2, seed=3)
    await looked_at(page, door, "/islands", *[f"/islands/{island.id}" for island in (strong, weak, liar)])
