# SPDX-License-Identifier: GPL-3.0-or-later
"""What a live match keeps back, on its page: search info comes a move late or after the end, and so do hidden names."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from tests.arena.peers import until
from tests.browser.conftest import PATIENCE
from tests.browser.test_pages import MILLISECONDS, WHOLE_PAGE_FITS
from tests.browser.watching import watching
from tests.web.door import Door, opened, unhurried
from tests.web.players import RawBot, first_move
from tests.web.test_peepers import challenged, report, seated
from tests.web.test_tournaments import cup, operator, post

Visit = Callable[[Page, Door], Awaitable[None]]

SECONDS = re.compile(r"^\d+(\.\d\d)? s$")
SPEED = re.compile(r"^[\d,.]+( [kMG])?/s$")


def visited(folder: Path, chromium_path: str | None, games: str, visit: Visit, **more: Any) -> None:
    """Show a page of an arena in this process; ``more`` are settings."""

    async def look() -> None:
        # however long a page takes, no match is decided on time
        clocks = ",".join(f"{game}=3000+0" for game in games.split(","))
        settings = unhurried(games, ladder=False, lobby_interval=0.05, time_controls=clocks, **more)
        async with opened(folder, settings) as door, watching(chromium_path) as page:
            async with asyncio.timeout(PATIENCE):
                await until(lambda: door.arena.ready)
            await visit(page, door)

    # in a thread of its own: in this one the loop of the other tests' browser runs
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, look()).result()


async def moved(bot: RawBot) -> None:
    """Let a bot play its next move, with a report."""
    turn = await bot.hear("turn")
    await bot.move(turn, first_move(turn), report(turn["ply"] + 1))
    await bot.hear("accepted")


async def fits(page: Page) -> None:
    """See that the page fits a wide and a narrow screen."""
    for width, height in ((1440, 900), (360, 740)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(WHOLE_PAGE_FITS)
    await page.set_viewport_size({"width": 1440, "height": 900})


def test_search_info_appears_a_move_late_without_a_reload(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", late)


async def late(page: Page, door: Door) -> None:
    """Follow a match whose players report of their searches."""
    async with seated(door, "early", "late") as bots:
        match = await challenged(bots[0], bots[1], "late")
        state = await bots[1].hear("match")
        first, second = bots if state["to_move"] != state["seat"] else bots[::-1]
        reports = page.locator(".moves .report")
        await page.goto(f"http://{door.address}/matches/{match}")
        await expect(page.get_by_text("line) appears with the same side's next move")).to_be_visible()
        await moved(first)
        await moved(second)
        await expect(reports).to_have_count(2, timeout=PATIENCE * MILLISECONDS)
        await expect(reports).to_have_text(["", ""])
        await moved(first)
        await expect(reports).to_have_text(["+1.13/1", "", ""])
        await page.reload()
        await expect(reports).to_have_text(["+1.13/1", "", ""])
        await moved(second)
        await expect(reports).to_have_text(["+1.13/1", "+2.13/2", "", ""])
        await fits(page)
        await first.say("resign", match=match)
        await expect(reports).to_have_text(["+1.13/1", "+2.13/2", "+3.13/3", "+4.13/4"])
        await expect(page.get_by_text("with the same side's next move")).to_have_count(0)


def test_a_running_search_is_shown_until_its_move(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", running)


async def running(page: Page, door: Door) -> None:
    """Follow a match whose players agree to show their search info at once."""
    async with seated(door, "thinker", "player", open_info=True) as bots:
        match = await challenged(bots[0], bots[1], "player")
        state = await bots[1].hear("match")
        first, second = bots if state["to_move"] != state["seat"] else bots[::-1]
        await page.goto(f"http://{door.address}/matches/{match}")
        await moved(first)
        # the page has got this move by its socket, so it follows the match
        await expect(page.locator(".moves .report")).to_have_text(["+1.13/1"])
        turn = await second.hear("turn")
        line = turn["legal_moves"][:3]
        side = page.locator(".reports > div").nth(turn["seat"])
        # the clock runs, and the bot has told nothing yet
        await expect(side.locator(".running")).to_have_text(SECONDS)
        info = {"score": -2.5, "depth": 7, "nodes": 5_000_000, "pv": line}
        await second.say("thinking", match=match, ply=turn["ply"], info=info)
        panel = page.locator(".reports .thinking")
        await expect(panel.get_by_text("thinking")).to_be_visible()
        await expect(panel.locator("dd").first).to_have_text("−2.50")
        await expect(panel.locator("dd").nth(2)).to_have_text("5.0 M")
        await expect(panel.locator("dd").nth(3)).to_have_text(SPEED)
        await expect(panel.locator(".running")).to_have_text(SECONDS)
        await expect(page.locator("svg.board .arrows polygon, svg.board .arrows circle")).to_have_count(1)
        # pointing at the line makes chips of it, which show the move on the board
        await panel.locator(".line").hover()
        await expect(panel.locator(".chip")).to_have_text(line)
        await panel.locator(".chip").nth(2).hover()
        await expect(page.locator("svg.board .ghost")).to_have_count(1)
        await second.move(turn, line[0], report(2))
        await expect(panel).to_have_count(0)
        await expect(side.locator(".running")).to_have_count(0)
        await expect(page.locator(".moves .report")).to_have_text(["+1.13/1", "+2.13/2"])
        await fits(page)


def test_hidden_players_and_all_search_info_appear_at_the_end(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "einstein", hidden)


async def hidden(page: Page, door: Door) -> None:
    """Follow a match of an anonymous tournament of a game with dice, and the tournament."""
    headers = await operator(door)
    async with seated(door, "hypatia", "isidore", game="einstein") as bots:
        order = cup("hypatia", "isidore", games=1, anonymous=True) | {"game": "einstein"}
        number = (await post(door, "/tournaments", order, headers))[1]["id"]
        await post(door, f"/tournaments/{number}/status", {"status": "running"}, headers)
        states = [await bot.hear("match") for bot in bots]
        match, first = states[0]["match"], bots[[state["seat"] for state in states].index(0)]
        await page.goto(f"http://{door.address}/tournaments/{number}")
        await expect(page.get_by_text("Player names are hidden until a match ends")).to_be_visible()
        await page.get_by_role("tab", name="Rounds").click()
        await expect(page.locator("details.round td.name")).to_have_count(0)
        await fits(page)
        await page.goto(f"http://{door.address}/")
        await expect(page.get_by_text("Hidden player")).to_have_count(2)
        await page.goto(f"http://{door.address}/matches")
        await expect(page.get_by_text("Hidden player")).to_have_count(2)
        await page.goto(f"http://{door.address}/matches/{match}")
        await expect(page).to_have_title(re.compile(f"Match {match}"))
        await expect(page.get_by_text("Search info (score, depth, line) appears after the match")).to_be_visible()
        await moved(first)
        await expect(page.locator(".moves .report")).to_have_text([""])
        await page.get_by_text("Dice", exact=True).click()
        await expect(page.get_by_text(states[0]["dice_commitment"])).to_be_visible()
        await expect(page.get_by_text("hypatia")).to_have_count(0)
        await fits(page)
        await first.say("resign", match=match)
        over = await first.hear("over")
        for name in ("hypatia", "isidore"):
            await expect(page.locator(".player").get_by_text(name)).to_be_visible()
        await expect(page.get_by_text(over["dice_secret"])).to_be_visible()
        await expect(page.locator(".moves .report").first).to_have_text("+2.13/2")
        await fits(page)
