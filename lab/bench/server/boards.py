# SPDX-License-Identifier: GPL-3.0-or-later
"""Live boards: the processor time of a browser that shows many, and the time from a bot's move to the painted board."""

import asyncio
import statistics
import time
from collections.abc import Iterator

from playwright.async_api import Browser, Page

from lab.bench.measurements import Measurement
from lab.bench.server.browsing import arena, chromium, cpu_by_kind
from tests.end_to_end.server import Server

BOARDS = 64
EVERY = 4.0
"""Seconds between two moves of a match."""
SETTLING = 8.0
SECONDS = 20.0
REPEATS = 3
WINDOWS = {"a window of 1440 by 900": False, "a window in which all boards are in view": True}
WIDTH, HEIGHT = 1440, 900

HIGHER = "() => document.documentElement.scrollHeight > innerHeight && document.documentElement.scrollHeight"
CARDS = "(number) => document.querySelectorAll('.card svg.board, .featured svg.board').length >= number"


async def _boards() -> dict[str, tuple[float, str]]:
    """Return the share of a processor that the browser uses, and the shares of its processes, by window."""
    found: dict[str, tuple[float, str]] = {}
    half = BOARDS // 2
    async with arena({"checkers": half, "chess": half}, 1 / EVERY) as server, chromium() as browser:
        for name, whole in WINDOWS.items():
            shares = [await _shares(browser, server, whole=whole) for _ in range(REPEATS)]
            shares.sort(key=lambda share: sum(share.values()))
            middle = shares[len(shares) // 2]
            parts = ", ".join(f"{kind} {100 * share:.1f} %" for kind, share in sorted(middle.items()))
            found[name] = sum(middle.values()), parts
    return found


async def _shares(browser: Browser, server: Server, *, whole: bool) -> dict[str, float]:
    """Return the processors that each kind of process keeps busy; ``whole``: in a window as high as the page."""
    async with await browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}) as context:
        page = await context.new_page()
        await page.goto(server.url)
        await page.wait_for_function(CARDS, arg=BOARDS, polling=500)
        while whole and (height := await page.evaluate(HIGHER)):
            await page.set_viewport_size({"width": WIDTH, "height": height})
        await asyncio.sleep(SETTLING)
        before, began = cpu_by_kind(), time.monotonic()
        await asyncio.sleep(SECONDS)
        after, passed = cpu_by_kind(), time.monotonic() - began
        return {kind: (used - before.get(kind, 0.0)) / passed for kind, used in after.items()}


def run_boards() -> Iterator[Measurement]:
    """Measure."""
    for name, (share, parts) in asyncio.run(_boards()).items():
        yield Measurement(
            what=f"{BOARDS} live boards, each with a move every {EVERY:g} s, in {name}",
            unit="% of a core",
            ours=100 * share,
            target=20.0,
            of="figure",
            bound="at most",
            note=parts,
        )


# ---------------------------------------------------------------- from the move to the painted board

MATCHES = 200
RATE = 1.0
"""Moves a second of each match."""
MOVES = 60

PAINTED = """
() => {
  const number = document.querySelector(".replay .number");
  window.painted = [];
  let known = number.textContent;
  new MutationObserver(() => {
    if (number.textContent === known) return;
    known = number.textContent;
    const ply = Number(known.split("/")[1]);
    // a task that a frame posts runs after the frame is painted
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.painted.push([ply, performance.timeOrigin + performance.now()]);
      channel.port2.postMessage(null);
    });
  }).observe(number, { characterData: true, childList: true, subtree: true });
}
"""
COUNT = "(count) => window.painted.length >= count || document.querySelector('.panels .ending') != null"
STAMPS = """
async () => {
  const { moves } = await (await fetch(`/api/v1${location.pathname}?limit=500`)).json();
  return moves.map(({ ply, info }) => [ply, info?.nodes ?? null]);
}
"""


async def _delays() -> list[float]:
    """Return the milliseconds from moves to their painted boards."""
    found: list[float] = []
    async with arena({"checkers": MATCHES}, RATE) as server, chromium() as browser:
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        while len(found) < MOVES:
            live = (await server.get("/api/v1/matches?status=live&limit=1"))["items"]
            if live:
                found += await _followed(page, f"{server.url}/matches/{live[0]['id']}", MOVES - len(found))
    return found


async def _followed(page: Page, url: str, moves: int) -> list[float]:
    """Follow a live match for this many moves, or to its end."""
    await page.goto(url)
    await page.wait_for_selector(".replay .number")
    await page.evaluate(PAINTED)
    await page.wait_for_function(COUNT, arg=moves, polling=500, timeout=120_000)
    # moves carry the time at which they were sent as their number of nodes, in microseconds of the monotonic clock
    offset = time.time() - time.monotonic()
    stamps = {ply: stamp for ply, stamp in await page.evaluate(STAMPS) if stamp is not None}
    painted = await page.evaluate("window.painted")
    return [1000 * (at / 1000 - offset - stamps[ply] / 1e6) for ply, at in painted if ply in stamps]


def run_delays() -> Iterator[Measurement]:
    """Measure."""
    delays = asyncio.run(_delays())
    slowest = statistics.quantiles(delays, n=20)[-1]
    yield Measurement(
        what=f"from a bot's move sent to the board painted, with {MATCHES} live matches",
        unit="ms",
        ours=statistics.median(delays),
        target=100.0,
        of="figure",
        bound="at most",
        note=f"{len(delays)} moves; 95 % within {slowest:.0f} ms",
    )


BENCHMARKS = {"boards": run_boards, "delays": run_delays}
