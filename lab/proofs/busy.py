# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots on a busy machine

Four endless loops keep the processors busy while the ladder lets built-in bots play, with its own settings. No match is
lost on time: a bot's clock starts when there is a processor for its search, and where it was kept waiting for one by as
much as it overstepped its time, the match is void and played again. At most 2 % of the matches are void, and at least
half as many are played in an hour as where all clocks start at once, however few processors there are.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import Sequence
from typing import Any

from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server

MATCHES = 400
AT_ONCE = 100
"""Matches that are played to compare with, where all clocks start at once."""
LEAST = 20
ENOUGH = 50
"""Matches from which on shares and paces say something."""

LOOPS = 4
LOOP = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True:
    pass
"""
"""It ends with who started it."""

READY = "the built-in bots are ready"
"""What the server logs when no built-in bot compiles any more; only then matches count."""
MOST_VOID = 0.02
LEAST_PACE = 0.5
LOOK = 1.0
"""Seconds between two looks at how many matches have ended."""
PATIENCE = 1800.0
"""Seconds for compiling, and for the matches."""

OPTIONS = (
    "--games", "tictactoe,nim", "--ladder-wrong", "0.01", "--ladder-busy", "0.75", "--log-level", "info",
)  # fmt: skip


async def prove(ledger: Ledger) -> None:
    """Play beside endless loops; to compare, first with as many clocks at once as there are matches."""
    compared, count = ledger.times(AT_ONCE), ledger.times(MATCHES, LEAST)
    before = None
    if compared >= ENOUGH:
        played, before = await _play(ledger, "at once", compared, "--searches", "1000")
        ledger.note("matches an hour where all clocks start at once", before)
        ledger.note_counts("how these ended", _endings(played))
    played, pace = await _play(ledger, "in turn", count)
    endings = _endings(played)
    ledger.note("endless loops beside", LOOPS)
    ledger.note("matches of built-in bots", len(played))
    ledger.note("matches an hour", pace)
    ledger.note_counts("how they ended", endings)
    assert not endings["time"], [match["detail"] for match in played if match["termination"] == "time"]
    if len(played) >= ENOUGH:
        assert endings["void"] <= MOST_VOID * len(played), endings
    if before is not None:
        assert pace >= LEAST_PACE * before, (pace, before)


async def _play(ledger: Ledger, name: str, count: int, *options: str) -> tuple[list[Any], float]:
    """Let an arena play so many matches beside loops; returns them, and how many it plays in an hour."""
    server = Server(ledger.place(name), *OPTIONS, *options)
    await server.start()
    loops: list[Process] = []
    clock = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(PATIENCE):
            while READY not in server.log:  # noqa: ASYNC110  # it happens in another process
                await asyncio.sleep(LOOK)
            before = {match["id"] for match in await _ended(server)}
            loops = [await _loop() for _ in range(LOOPS)]
            began = clock()
            played: list[Any] = []
            while len(played) < count:
                await asyncio.sleep(LOOK)
                played = [match for match in await _ended(server) if match["id"] not in before]
            passed = clock() - began
    finally:
        for loop in loops:
            loop.kill()
        await asyncio.gather(*(loop.wait() for loop in loops))
        await server.stop()
    assert "Traceback" not in server.log, server.log[-3000:]
    await ledger.verify(server.database, f"the records, clocks {name}")
    return played, len(played) / passed * 3600


async def _loop() -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LOOP), stdin=PIPE, stdout=DEVNULL, start_new_session=True
    )


async def _ended(server: Server) -> list[Any]:
    return await server.all("/matches?status=finished&limit=500")


def _endings(matches: Sequence[Any]) -> Counter[str]:
    return Counter(match["termination"] for match in matches)
