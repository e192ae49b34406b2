# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament on its page: it goes on without a reload, and fits a phone."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import expect

from arena.settings import Settings
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from tests.arena.conftest import QUICK
from tests.arena.peers import ready
from tests.arena.tournaments.test_manager import NAMES, become, over, playing
from tests.browser.conftest import PATIENCE
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.web.door import opened


@pytest.mark.parametrize(
    ("form", "tab", "parts"),
    [
        (RoundRobin(), "Crosstable", ".crosstable tbody tr"),
        (Knockout(third_place=True, extra=2), "Bracket", ".bracket .bout"),
    ],
)
def test_a_tournament_page_updates_without_a_reload(
    tmp_path: Path, chromium_path: str | None, form: AnyFormat, tab: str, parts: str
) -> None:
    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, watch(tmp_path, chromium_path, form, tab, parts)).result()


async def watch(folder: Path, chromium_path: str | None, form: AnyFormat, tab: str, parts: str) -> None:
    """Follow a tournament's page from before its start to its end."""
    # however long the page takes, no match is decided on time
    entries = tuple(Entry(name) for name in NAMES)
    config = Config(name="Cup", game="tictactoe", format=form, entries=entries, time_control="3000+0")
    async with opened(folder, Settings(**QUICK)) as door, watching(chromium_path) as page:
        await ready(door.arena)
        row = await door.arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.goto(f"http://{door.address}/tournaments")
        await expect(page.get_by_role("cell", name="created")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_text("arena tournament create")).to_be_visible()
        await page.set_viewport_size({"width": 1440, "height": 900})
        await page.get_by_role("link", name="Cup").click()
        await expect(page.get_by_text("Not started")).to_be_visible()
        begin = asyncio.Event()
        async with playing(door.arena, alike=isinstance(form, Knockout), begin=begin):
            await become(door.arena, row.id, "running")
            boards = page.get_by_role("region", name="Live boards").get_by_role("link")
            await expect(boards).to_have_count(4)
            await expect(page.get_by_text("when its 4 matches without a result have ended")).to_be_visible()
            for board in await boards.all():
                await expect(board).to_contain_text("ply ")
            begin.set()
            status = page.locator(".head [role=status]")
            await expect(status).to_have_text(re.compile("finished"), timeout=PATIENCE * MILLISECONDS)
        await expect(page.locator("tbody tr")).to_have_count(4)
        await page.reload()  # these bots came after the page, which real ones do not
        first = page.locator("tbody tr").first.get_by_role("link")
        bot = await door.arena.store.bots.named(await first.inner_text())
        assert bot is not None
        await expect(first).to_have_attribute("href", f"/bots/{bot.id}")
        await page.get_by_role("tab", name=tab).click()
        await expect(page.locator(parts)).to_have_count(4)
        matches = await door.arena.store.tournaments.matches(row.id)
        shown = page.locator(".crosstable a.game, .bracket a.game")
        await expect(shown).to_have_count(len(matches) * (2 if isinstance(form, RoundRobin) else 1))
        linked = {await link.get_attribute("href") for link in await shown.all()}
        assert linked == {f"/matches/{match.id}" for match in matches}
        if isinstance(form, Knockout):  # where two have equal points, too, one of them goes on
            for bout in await page.locator(parts).all():
                await expect(bout.locator(".ahead")).to_have_count(1)
            # the path of the winner of the final, by keyboard
            await page.locator(".bracket section").last.locator(".ahead a").first.focus()
            await expect(page.locator(".bracket .side.traced")).to_have_count(2)
            await expect(page.locator(".bracket .lines .traced")).to_have_count(1)
        await page.set_viewport_size({"width": 360, "height": 740})
        if isinstance(form, RoundRobin):
            await page.get_by_role("tab", name="Shares over time").click()
            for dynamics in ("Replicator equation", "Moran process", "Ecological"):
                await page.get_by_role("tab", name=dynamics).click()
                await expect(page.locator(".shares polygon")).to_have_count(4)
                await expect(page.locator(".share-table tbody tr")).to_have_count(4)
                await page.wait_for_function(WHOLE_PAGE_FITS)
        for name in (tab, "Rounds", "Standings"):
            await page.get_by_role("tab", name=name).click()
            await page.wait_for_function(WHOLE_PAGE_FITS)
        await page.get_by_role("tab", name="Rounds").click()
        await page.locator("details[open] td.games a").first.click()
        await expect(page).to_have_url(re.compile(r"/matches/\d+"))


def test_a_sequential_test_is_drawn_as_a_walk(tmp_path: Path, chromium_path: str | None) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, walk(tmp_path, chromium_path)).result()


async def walk(folder: Path, chromium_path: str | None) -> None:
    """Look at a sequential test before its first game, and at its end without a reload."""
    form = SprtMatch(elo0=0, elo1=200, pairs=4)
    config = Config(name="Test", game="tictactoe", format=form, entries=(Entry("anna"), Entry("bert")))
    async with opened(folder, Settings(**QUICK)) as door, watching(chromium_path) as page:
        await ready(door.arena)
        row = await door.arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        await page.goto(f"http://{door.address}/tournaments/{row.id}")
        test = page.get_by_role("region", name="Sequential test")
        await expect(test).to_contain_text("anna is stronger than bert by 200 normalised Elo")
        await expect(test).to_contain_text("anna and bert are equally strong")
        async with playing(door.arena, NAMES[:2]):
            await become(door.arena, row.id, "running")
            shown = await over(door.arena, row.id)
        assert shown.test is not None
        pairs = test.get_by_role("img", name=f"Log-likelihood ratio after each of {sum(shown.test.pentanomial)} pairs")
        await expect(pairs).to_be_visible()
        points = (await pairs.locator("polyline").get_attribute("points") or "").split()
        assert len(points) == sum(shown.test.pentanomial) + 1
        for count, score in zip(shown.test.pentanomial, ("0", "½", "1", "1½", "2"), strict=True):
            await expect(test.locator(".bars > div").filter(has_text=re.compile(f"^{count}{score}$"))).to_have_count(1)


SENTENCES = {
    "chess is not ready: its rules are being compiled: about 40 s": (
        "chess ist nicht bereit: seine Regeln werden übersetzt: etwa 40 s"
    ),
    "a is ready is not ready for nim: compiling, a few seconds": (
        "a is ready ist für nim nicht bereit: wird übersetzt, einige Sekunden"
    ),
    "$& {0} (x) cannot play with an instruction limit; only WebAssembly bots that this server hosts can": (
        "$& {0} (x) kann nicht mit einem Instruktionslimit spielen; das können nur WebAssembly-Bots, die dieser Server "
        "ausführt"
    ),
    "did not connect within 0.5 s": "hat sich nicht innerhalb von 0,5 s verbunden",
    "sequential probability ratio test, -1.5 against 0 Elo": "sequenzieller Test (SPRT), -1,5 gegen 0 Elo",
    "withdrawn by Ann": "withdrawn by Ann",
}
"""What the server says, in English and as a German page shows it."""

TRANSLATE = """
async (texts) => {
  const url = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/sentences.js")).name;
  const { translatedSentence } = await import(url);
  return texts.map(translatedSentence);
}
"""


def test_a_ladder_tells_a_german_phone_its_ratings_and_its_end(tmp_path: Path, chromium_path: str | None) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, climb(tmp_path, chromium_path)).result()


async def climb(folder: Path, chromium_path: str | None) -> None:
    """Look at a finished ladder on a phone that asks for German."""
    entries = tuple(Entry(name) for name in NAMES)
    config = Config(name="Cup", game="tictactoe", format=Ladder(pairings=2), entries=entries, time_control="3000+0")
    async with opened(folder, Settings(**QUICK)) as door, watching(chromium_path) as page:
        await ready(door.arena)
        row = await door.arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        async with playing(door.arena):
            await become(door.arena, row.id, "running")
            shown = await over(door.arena, row.id)
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.set_extra_http_headers({"Accept-Language": "de"})
        await page.goto(f"http://{door.address}/tournaments/{row.id}")
        await expect(page.locator(".head [role=status]")).to_have_text("beendet: alle Paarungen sind gespielt")
        # the ratings order the players
        await expect(page.get_by_role("columnheader", name="Wertung")).to_be_in_viewport(ratio=1)
        best = page.locator("tbody tr").first
        await expect(best.locator("td").last).to_have_text(f"{shown.standings[0].tiebreaks[0]:,.0f}".replace(",", "."))
        await page.wait_for_function(WHOLE_PAGE_FITS)
        assert await page.evaluate(TRANSLATE, list(SENTENCES)) == list(SENTENCES.values())
