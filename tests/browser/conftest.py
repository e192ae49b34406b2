# SPDX-License-Identifier: GPL-3.0-or-later
"""A real arena with its built-in bots in a process of its own, and a real browser that looks at it."""

import asyncio
import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright._impl import timeout_settings
from playwright.async_api import expect as expect_soon
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from engine.native import child
from tests.end_to_end import built_in
from tests.forked import starts

# Debian's Chromium calls home unless told not to, and root has no sandbox.
QUIET = (
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)

PATIENCE = 840.0
"""Seconds for the first move on an empty kernel cache and a busy machine."""

SOON = 120_000
"""Milliseconds for what a page shows or does at once: five seconds, as Playwright has it, pass on a machine that has no
time for the page. They are waited for in vain by tests that fail, and by no others.
"""

RULES = ("decided", "repetition", "no-progress rule", "ply limit")
"""Terminations by the rules of a game."""

for each in (expect, expect_soon):
    each.set_options(timeout=SOON)
# of all pages, also those that a test opens itself, and of their requests
timeout_settings.DEFAULT_PLAYWRIGHT_TIMEOUT = 2 * SOON  # type: ignore[attr-defined]  # it has no other setting for all


class Site:
    """The arena under test."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder

    def get(self, path: str) -> Any:
        """Ask the API."""
        with urllib.request.urlopen(self.url + "/api/v1" + path, timeout=600) as answer:
            return json.load(answer)

    def wait(self, path: str) -> dict[str, Any]:
        """Return the first item of a list as soon as there is one."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if items := self.get(path)["items"]:
                first: dict[str, Any] = items[0]
                return first
            time.sleep(0.2)
        raise TimeoutError(f"{path} stays empty")

    def finished(self, game: str, without: str = "", plies: range | None = None) -> dict[str, Any]:
        """Wait for a match that ended by the rules of its game, and return it.

        `plies`: the match has so many plies and a result, by any termination. `without`: a bot that did not play it.
        """
        path = f"/matches?status=finished&game={game}&limit=100"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for match in self.get(path)["items"]:
                by_rules = match["termination"] in RULES
                fits = by_rules if plies is None else match["plies"] in plies and match["result"] != "*"
                if fits and without not in [player["name"] for player in match["players"]]:
                    found: dict[str, Any] = match
                    return found
            time.sleep(0.2)
        raise TimeoutError(f"no such match of {game} ends")


QUICK = ("random", "minimax-2", "minimax-3", "alphabeta-4", "play-1k")
"""Built-in bots that need some milliseconds for a move. With those that think for a second, matches that no page shows
would use every processor while the tests run.
"""

OPTIONS = (
    "--built-in-move-time", "0.15", "--built-in-matches", "3", "--log-level", "warning",
    # the ladder goes on, however well the ratings of the few bots are known
    "--ladder-misordered", "0",
    # a match that waits for its page is not to be decided on time
    "--built-in-seconds", "7200", "--hello-timeout", "600", "--challenge-expiry", "600",
    "--time-controls", "chess=5+0.1,tictactoe=600+0",
)  # fmt: skip


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An arena that plays checkers, tic-tac-toe and chess, fast enough that matches end while a test waits."""
    folder = tmp_path_factory.mktemp("arena")
    # in a thread of its own: in this one the loop of Playwright may run
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, built_in.keep(f"sqlite:///{folder / 'arena.db'}", QUICK)).result()
    command = child.command("arena.cli", "serve", "--port", "0", "--no-browser", "--json", "--data", str(folder))
    command += ["--games", "checkers,tictactoe,chess", *OPTIONS]
    with starts():
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, pass_fds=child.pass_fds())
    with process:
        try:
            assert process.stdout is not None
            yield Site(json.loads(process.stdout.readline())["url"].rstrip("/"), folder)
        finally:
            process.terminate()
            process.wait(600)


@pytest.fixture(scope="package")
def browser(chromium_path: str | None) -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=QUIET)
        yield browser
        browser.close()


@contextmanager
def page_of(browser: Browser, width: int) -> Iterator[Page]:
    """A page of a width in a context of its own, for as long as the context lasts."""
    with browser.new_context(viewport={"width": width, "height": 900}) as context:
        yield context.new_page()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1440 by 900; whatever it complains of in its console fails the test."""
    with page_of(browser, 1440) as page:
        complaints: list[str] = []

        def heard(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                complaints.append(message.text)

        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        assert not complaints
