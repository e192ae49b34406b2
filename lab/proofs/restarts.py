# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of live matches while the server is killed

When the server of a live match is killed with -9 and started again, the page of the match goes on by itself. It says
that the connection is lost, and its clocks stand meanwhile; then it shows the moves of the record and those that
follow. Proved with a real browser that shows two live matches at each kill.
"""

import asyncio

from lab.proofs.ledger import Ledger
from tests.browser.restarts import PAGES, killed
from tools.chromium import installed

KILLS = 20


async def prove(ledger: Ledger) -> None:
    """Kill the server while pages show its live matches."""
    folder, kills = ledger.place("server"), ledger.times(KILLS)
    # in a thread of its own, since a test may have the loop of another browser in this one
    seen = await asyncio.to_thread(killed, folder, installed(), kills)
    assert seen.pages, "every match was over before its server was killed"
    ledger.note("kills", seen.kills)
    ledger.note("pages of live matches when the server was killed", f"{seen.pages:,} of {seen.kills * PAGES:,}")
    ledger.note("pages that went on with the moves of the record", seen.pages)
    ledger.note("of these, pages whose match ended before they were looked at again", seen.ended)
    await ledger.verify(f"sqlite:///{folder / 'arena.db'}")
