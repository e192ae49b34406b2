# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of live matches while their server is killed with -9 and started again."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright, expect
from websockets.exceptions import WebSocketException

from tests.browser.conftest import QUIET, SOON
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, until
from tests.web.players import Message, RawBot

OPTIONS = (
    "--no-built-in-bots", "--games", "checkers", "--time-controls", "checkers=3000+1", "--ladder-interval", "0.05",
    "--ladder-pause", "0", "--log-level", "warning",
)  # fmt: skip
BEGINNING = 10
"""Plies that are played before anybody looks. No match of checkers ends within these and the few that follow."""

PAGES = 2
"""Matches watched at once."""

STAND = 1500
"""Milliseconds in which a clock that runs shows another second."""

PLIES = "Number(document.querySelector('.replay .number').textContent.split('/')[1])"
CLOCKS = "[...document.querySelectorAll('.table .clock')].map((clock) => clock.textContent).join()"
STOOD = f"""
async (stand) => {{
  const before = {CLOCKS};
  await new Promise((resolve) => setTimeout(resolve, stand));
  return before === {CLOCKS};
}}
"""
BEYOND = f"(ply) => {PLIES} > ply"


@dataclass
class Seen:
    """What the pages went through."""

    kills: int = 0
    pages: int = 0
    """That showed a live match when its server was killed, and went on afterwards."""


class Leave:
    """How many plies each match may have: the matches that pages show are live for as long as the test needs them."""

    def __init__(self) -> None:
        self.plies: defaultdict[int, float] = defaultdict(lambda: BEGINNING)
        self.used: set[int] = set()
        """Matches that were shown already."""
        self.bots: list[Paced] = []

    async def go_on(self, matches: Iterable[int], plies: float = 1) -> None:
        """Let matches go on by this number of plies."""
        for match in matches:
            self.plies[match] += plies
        for bot in self.bots:
            await bot.go_on()


class Paced(Witness):
    """A bot that moves when it has leave."""

    def __init__(self, name: str, token: str, leave: Leave) -> None:
        super().__init__(name, token)
        self._leave = leave
        self._waiting: list[tuple[RawBot, Message]] = []
        leave.bots.append(self)

    async def answer(self, bot: RawBot, turn: Message) -> None:
        """Move, or keep the turn until the match may go on."""
        if turn["ply"] < self._leave.plies[turn["match"]]:
            await super().answer(bot, turn)
        else:
            self._waiting.append((bot, turn))

    async def go_on(self) -> None:
        """Answer the turns that have leave by now."""
        waiting, self._waiting = self._waiting, []
        for bot, turn in waiting:
            # the turn of a lost connection comes again
            with suppress(WebSocketException):
                await self.answer(bot, turn)


async def kill(folder: Path, chromium_path: str | None, kills: int) -> Seen:
    """Kill a server with -9 so many times, each time while pages show its live matches, and start it again.

    Every page says that the connection is lost and stops its clocks; then it goes on, with the moves of the record.
    """
    server, seen = Server(folder, *OPTIONS), Seen()
    await server.start()
    tokens = await server.register("anna", "bert", "cleo", "dora")
    leave = Leave()
    witnesses = [Paced(name, token, leave) for name, token in tokens.items()]
    players = [asyncio.create_task(witness.play(lambda: server.play_url)) for witness in witnesses]
    try:
        async with _browser(chromium_path) as browser:
            for _ in range(kills):
                await _killed_once(server, browser, lambda done: until(players, done), leave, seen)
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await server.kill()
    assert "Traceback" not in server.log, server.log[-3000:]
    return seen


def killed(folder: Path, chromium_path: str | None, kills: int) -> Seen:
    """Do what ``kill`` does in a thread of its own, where no other loop runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, kill(folder, chromium_path, kills)).result()


@asynccontextmanager
async def _browser(chromium_path: str | None) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, args=list(QUIET))
        yield browser
        await browser.close()


async def _killed_once(
    server: Server, browser: Browser, wait: Callable[[Callable[[], bool]], Any], leave: Leave, seen: Seen
) -> None:
    """Kill the server while pages show its live matches."""

    def live() -> list[int]:
        """Return the matches that are played and were not shown yet, the oldest first."""
        over = {match for each in leave.bots for match in each.over}
        return sorted({match for each in leave.bots for match, _ in each.acknowledged} - over - leave.used)

    await wait(lambda: len(live()) >= PAGES)
    matches = live()[:PAGES]
    leave.used.update(matches)
    async with await browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        pages = {match: await _shown(await context.new_page(), server, match, leave) for match in matches}
        await server.kill()
        seen.kills += 1
        plies = {}
        for match, page in pages.items():
            await expect(page.get_by_text("The connection to the arena is lost")).to_be_visible()
            plies[match] = await page.evaluate(PLIES)
            # clocks stand while the connection is lost: some time after it was lost, they show the same twice
            async with asyncio.timeout(2 * SOON / 1000):
                while not await page.evaluate(STOOD, STAND):
                    pass
        await server.start()
        await leave.go_on(matches)
        for match, page in pages.items():
            await page.wait_for_function(BEYOND, arg=plies[match])
            await expect(page.locator("#connection p")).to_have_count(0)
            seen.pages += 1
            await _agrees(page, server, match)
    await leave.go_on(matches, inf)


async def _shown(page: Page, server: Server, match: int, leave: Leave) -> Page:
    """Show a live match, and wait until its page has taken a move from the stream."""
    await page.goto(f"{server.url}/matches/{match}")
    # the scripts draw it after the page has loaded
    await page.wait_for_selector(".replay .number")
    before = await page.evaluate(PLIES)
    await leave.go_on([match])
    await page.wait_for_function(BEYOND, arg=before)
    return page


async def _agrees(page: Page, server: Server, match: int) -> None:
    """Hold the moves of a page against those of the record."""
    shown = json.loads(await page.evaluate(f"JSON.stringify({SHOWN})"))
    record = await server.match(match)
    written = [move.get("text") or move["move"] for move in record["moves"]]
    assert shown == written[: len(shown)], (match, shown, written)


SHOWN = "[...document.querySelectorAll('.moves button')].map((move) => move.querySelector('.ellipsis').textContent)"
