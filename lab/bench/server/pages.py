# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of pages from a cold cache: until the board or the table is painted, on loopback and over a slow network; and
Lighthouse's scores.

Lighthouse comes from npm with the versions of lab/bench/server/lighthouse/package-lock.json, into a folder that git
ignores.
"""

import asyncio
import json
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from lab.bench.measurements import Measurement, Skipped
from lab.bench.processes import FOLDER
from lab.bench.server.browsing import arena, chromium
from tests.browser.conftest import QUIET
from tests.end_to_end.server import Server
from tools.chromium import installed

MATCHES = {"checkers": 20, "chess": 20}
REPEATS = 5

SELECTORS = {"lobby": ".featured svg.board", "match": ".frame svg.board", "leaderboard": "tbody tr"}
"""What must be painted on each page."""

PLIES = 40
"""The match page is that of a live match with at least so many plies."""

SLOW = {"offline": False, "latency": 300, "downloadThroughput": 100_000, "uploadThroughput": 100_000}
"""800 kbit/s and 300 ms."""

WATCHED = """
(() => {
  const selector = SELECTOR;
  const look = () => {
    const found = document.querySelector(selector);
    if (found && found.getBoundingClientRect().width) window.shown = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", () => (window.live ??= performance.now()));
    }
  };
})();
"""
PAINTED = """
() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return paint && window.shown ? Math.max(paint.startTime, window.shown) : null;
}
"""
SIZES = """
() => {
  const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return files.reduce((sum, { transferSize }) => sum + transferSize, 0);
}
"""


async def _paths(server: Server) -> dict[str, str]:
    """Return the paths of the pages, once there are ratings and a live match of some length."""
    while True:
        listed = await server.get("/api/v1/matches?status=live&game=chess&limit=100")
        long = [match["id"] for match in listed["items"] if match["plies"] >= PLIES]
        rated = await server.get("/api/v1/leaderboard?game=checkers&system=elo")
        if long and rated["items"]:
            return {
                "lobby": "/",
                "match": f"/matches/{long[0]}",
                "leaderboard": "/leaderboard?game=checkers&system=elo",
            }
        await asyncio.sleep(1.0)


async def _painted(browser: Browser, url: str, name: str, *, slow: bool) -> tuple[float, float, float]:
    """Return the milliseconds until a page is painted and until its script has news, and the bytes of all its files."""
    async with await browser.new_context(viewport={"width": 1350, "height": 940}) as context:
        page = await context.new_page()
        await page.add_init_script(WATCHED.replace("SELECTOR", json.dumps(SELECTORS[name])))
        if slow:
            session = await context.new_cdp_session(page)
            await session.send("Network.enable")
            await session.send("Network.emulateNetworkConditions", SLOW)
        await page.goto(url, wait_until="load")
        await page.wait_for_function(PAINTED, polling=50)
        live = 0.0
        if name != "leaderboard":
            await page.wait_for_function("() => window.live", polling=50)
            live = await page.evaluate("() => window.live")
        return await page.evaluate(PAINTED), live, await page.evaluate(SIZES)


async def _all() -> list[Measurement]:
    lines = []
    async with arena(MATCHES, 2.0) as server, chromium() as browser:
        paths = await _paths(server)
        for name, slow in (*((name, False) for name in paths), ("match", True), ("lobby", True)):
            url = server.url + paths[name]
            await _painted(browser, url, name, slow=False)
            runs = [await _painted(browser, url, name, slow=slow) for _ in range(REPEATS)]
            paint, live, size = (statistics.median(run[part] for run in runs) for part in range(3))
            note = f"{size / 1000:.0f} kB" + (f"; the stream begins after {live:,.0f} ms" if live else "")
            target = (2000.0 if name == "match" else None) if slow else 1000.0
            lines.append(
                Measurement(
                    what=f"{name} painted, " + ("800 kbit/s and 300 ms" if slow else "on loopback"),
                    unit="ms",
                    ours=paint,
                    target=target,
                    of="figure",
                    bound="at most",
                    note=note,
                )
            )
    return lines


def run_paint() -> Iterator[Measurement]:
    """Measure."""
    yield from asyncio.run(_all())


# ---------------------------------------------------------------- Lighthouse

CATEGORIES = ("performance", "accessibility", "best-practices")
PLACE = Path(__file__).parent / "lighthouse"


def _lighthouse() -> Path:
    """Return Lighthouse's program, installed when needed. Raises Skipped where that is impossible."""
    folder, npm = FOLDER / "lighthouse", shutil.which("npm") or str(Path(sys.executable).parent / "npm")
    lock, stamp = PLACE / "package-lock.json", folder / "installed.lock"
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        folder.mkdir(parents=True, exist_ok=True)
        for file in PLACE.glob("package*.json"):
            shutil.copyfile(file, folder / file.name)
        try:
            subprocess.run([npm, "ci", "--loglevel=error"], cwd=folder, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Skipped(f"Lighthouse cannot be installed: {getattr(error, 'stderr', error)}") from None
        shutil.copyfile(lock, stamp)
    return folder / "node_modules" / ".bin" / "lighthouse"


async def _scores(program: Path, url: str) -> dict[str, Any]:
    """Return the report of one run."""
    command = [
        *(str(program), url, "--preset=desktop", "--quiet", "--output=json", "--output-path=stdout"),
        *(f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={' '.join(('--headless=new', *QUIET))}"),
    ]
    environment = {"CHROME_PATH": installed() or "", "PATH": _path()}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=environment
    )
    printed, errors = await process.communicate()
    if process.returncode:
        raise Skipped(f"Lighthouse failed: {errors.decode()[-300:]}")
    report: dict[str, Any] = json.loads(printed)
    return report


def _path() -> str:
    """Return where programs are found: Node.js may be that of this Python's environment."""
    node = shutil.which("node")
    return ":".join(([str(Path(node).parent)] if node else []) + [str(Path(sys.executable).parent), "/usr/bin", "/bin"])


async def _judged() -> list[Measurement]:
    program, lines = _lighthouse(), []
    async with arena(MATCHES, 2.0) as server:
        for name, path in (await _paths(server)).items():
            reports = [await _scores(program, server.url + path) for _ in range(REPEATS)]
            for category in CATEGORIES:
                scores = [100 * report["categories"][category]["score"] for report in reports]
                lines.append(
                    Measurement(
                        what=f"Lighthouse, {name}: {category}",
                        unit="points",
                        ours=statistics.median(scores),
                        target=95.0,
                        of="figure",
                        note=_lost(reports[0], category),
                    )
                )
    return lines


def _lost(report: dict[str, Any], category: str) -> str:
    """Return the audits that cost points."""
    parts = report["categories"][category]["auditRefs"]
    audits = [(part["weight"], report["audits"][part["id"]]) for part in parts]
    lost = [audit["id"] for weight, audit in audits if weight and audit["score"] is not None and audit["score"] < 0.9]
    return ", ".join(lost)


def run_lighthouse() -> Iterator[Measurement]:
    """Measure."""
    yield from asyncio.run(_judged())


BENCHMARKS = {"paint": run_paint, "lighthouse": run_lighthouse}
