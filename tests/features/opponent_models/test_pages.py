# SPDX-License-Identifier: GPL-3.0-or-later
"""An adaptive bot meets a bot whose games it has read: what it expects is seen live, and what it learned afterwards."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

from playwright.async_api import expect

from arena.settings import Settings
from bots.bot import Bot, Turn
from bots.built_in.kinds.adaptive import BOTS, AdaptiveBot
from bots.built_in.library import GameLibrary
from bots.built_in.opponents import KnownOpponents
from bots.client import Client
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.web.door import Door, opened

GAME = "checkers"
KNOWN = 12
"""Games that are read before the match that is watched."""
LINGERS = 6
"""Plies after which that match waits until the page shows it."""
PATIENCE = 300.0
"""Seconds."""


class Habitual(Bot):
    """Plays the first legal move; from ``LINGERS`` on, only when it may go on."""

    name = "habitual"
    games = (GAME,)
    capacity = 16

    def __init__(self) -> None:
        self.goes_on = Event()
        self.goes_on.set()

    def move(self, turn: Turn) -> str:
        """Play it."""
        assert turn.legal_moves
        if turn.ply >= LINGERS:
            self.goes_on.wait(PATIENCE)
        return turn.legal_moves[0]


class Last(Bot):
    """Plays the last legal move."""

    name = "last"
    games = (GAME,)
    capacity = 16

    def move(self, turn: Turn) -> str:
        """Play it."""
        assert turn.legal_moves
        return turn.legal_moves[-1]


def test_what_is_expected_is_seen_live_and_what_is_learned_afterwards(
    tmp_path: Path, chromium_path: str | None
) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path)).result()


async def watch(folder: Path, chromium_path: str | None) -> None:
    """Let a bot be read, met and shown."""
    own = replace(BOTS[0], nodes=300, seconds=None)
    AdaptiveBot(own).prepare([GAME])  # no clock shall pay for compiling
    async with (
        opened(folder, Settings(games=GAME, ladder=False, info_release="live", time_controls=f"{GAME}=3000+1")) as door,
        watching(chromium_path) as page,
    ):
        (_, habit), (_, last), (_, token) = [await door.register(name) for name in ("habitual", "last", "adaptive")]
        await ready(door)
        habitual = Habitual()
        async with client(habitual, door, habit) as one:
            async with client(Last(), door, last):
                for _ in range(KNOWN):
                    await one.challenge("last", GAME)
                    await settled(door)
            library = GameLibrary(door.play_url, token)
            known = KnownOpponents(library, waits=True)
            async with client(lambda: AdaptiveBot(own, lambda arena, token: known), door, token) as adaptive:
                habitual.goes_on.clear()
                (match,) = await adaptive.challenge("habitual", GAME)
                await page.goto(f"http://{door.address}/matches/{match}")
                await expect(page.get_by_text("Predicted reply")).to_be_visible(timeout=PATIENCE * MILLISECONDS)
                await expect(page.locator(".moves .hit, .moves .miss").first).to_be_visible()
                habitual.goes_on.set()
                await settled(door)
            bot = await door.arena.store.bots.named("habitual")
            assert bot is not None
            await page.goto(f"http://{door.address}/bots/{bot.id}")
            await expect(page.get_by_role("heading", name="Opponent models of this bot")).to_be_visible()
            await expect(page.get_by_role("img", name="Calibration: predicted probability")).to_be_visible()
            await expect(page.locator(".patterns figure").first).to_be_visible()
            await expect(page.locator(".openings li").first).to_be_visible()
            await page.set_viewport_size({"width": 360, "height": 740})
            await page.wait_for_function(WHOLE_PAGE_FITS)


def client(bot: object, door: Door, token: str) -> Client:
    """Return a client that plays only when it is challenged."""
    return Client(bot, url=door.play_url, token=token, games=[GAME], ladder=False)  # type: ignore[arg-type]  # a bot or what makes one


async def ready(door: Door) -> None:
    """Wait until matches can start."""
    async with asyncio.timeout(840):
        while True:
            async with door.http.get("/healthz") as response:
                if (await response.json())["ready"]:
                    return
            await asyncio.sleep(0.1)


async def settled(door: Door) -> None:
    """Wait until nothing is played."""
    async with asyncio.timeout(600):
        while (await door.arena.store.matches.page("live", limit=1)).items:  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0.05)
