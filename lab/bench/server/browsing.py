# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena with live matches, and a Chromium whose processes are measured, for benchmarks of pages."""

import contextlib
import os
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from lab.bench.measurements import Skipped
from lab.processes import descendants, usage_of
from lab.proofs.clients import playing
from tests.browser.conftest import QUIET
from tests.end_to_end.server import Server
from tools.chromium import installed

OPTIONS = (
    "--no-built-in-bots", "--ladder=no", "--log-level=warning", "--max-connections=5000", "--max-spectators=10000",
    "--spectators-each=10000", "--silent-connections-each=1000", "--silent-rate=100000",
    "--http-connections-each=5000", "--connection-rate=100000", "--info-release=live",
)  # fmt: skip
"""Clients come from this machine, and open all their connections at once."""


@contextlib.asynccontextmanager
async def arena(tables: Mapping[str, int], rate: float) -> AsyncIterator[Server]:
    """Run an arena in which bots play ``matches`` concurrent matches of each game, at ``rate`` moves a second each."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        controls = ",".join(f"{game}=3000+1" for game in tables)
        server = Server(Path(folder), *OPTIONS, f"--games={','.join(tables)}", f"--time-controls={controls}")
        await server.start()
        try:
            await server.ready()
            async with contextlib.AsyncExitStack() as players:
                for game, number in tables.items():
                    await players.enter_async_context(playing(server, number, game, rate, stamped=True))
                yield server
        finally:
            await server.stop()


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a headless Chromium. Raises Skipped where there is none."""
    path = installed()
    if path is None:
        raise Skipped("there is no Chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        await browser.close()


def cpu_by_kind() -> dict[str, float]:
    """Return the seconds of processor time of all Chromium processes that this process started, by their kind."""
    found: dict[str, float] = {}
    for pid in descendants(os.getpid(), "chrom"):
        usage = usage_of(pid)
        if usage is None:
            continue
        with contextlib.suppress(OSError):
            words = (
                Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace(" --", "\0--").split("\0")
            )
            kinds = [word.partition("=")[2] for word in words if word.startswith(("--type=", "--utility-sub-type="))]
            kind = kinds[-1].rpartition(".")[2] if kinds else "browser"
            found[kind] = found.get(kind, 0.0) + usage.cpu
    return found
