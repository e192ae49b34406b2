# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of live matches go on by themselves when the server dies and comes back."""

from pathlib import Path

from tests.browser.restarts import PAGES, killed

KILLS = 2


def test_live_pages_continue_after_a_killed_server_restarts(tmp_path: Path, chromium_path: str | None) -> None:
    seen = killed(tmp_path, chromium_path, KILLS)
    assert (seen.kills, seen.pages) == (KILLS, KILLS * PAGES)
