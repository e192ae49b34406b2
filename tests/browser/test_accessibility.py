# SPDX-License-Identifier: GPL-3.0-or-later
"""axe-core finds nothing wrong with any page, in light and dark, on a wide screen and on a phone.

Every run looks at each page wide in light and narrow in dark, except the long page of the API; the long tests look at
all of them in all four views.
"""

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page, Route, expect

from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from tests.arena.tournaments.test_manager import NAMES, create, over, playing
from tests.browser.axe import violations
from tests.browser.test_disclosure import visited
from tests.web.door import Door
from tests.web.players import first_move
from tests.web.test_peepers import challenged, report, seated

Views = Sequence[tuple[int, Literal["light", "dark"]]]
"""Widths in pixels, and colour schemes."""

WIDE = 1440
TWO: Views = ((WIDE, "light"), (360, "dark"))
FOUR: Views = ((WIDE, "light"), (WIDE, "dark"), (360, "light"), (360, "dark"))
in_views = pytest.mark.parametrize(
    "views", [pytest.param(TWO, id="two-views"), pytest.param(FOUR, id="four-views", marks=pytest.mark.long)]
)
OPEN_ALL = "document.querySelectorAll('details').forEach((details) => (details.open = true))"

CLOSE_MENUS = "document.querySelectorAll('details.menu').forEach(menu => { menu.open = false; })"
"""They lie over the page."""


async def sound(page: Page, views: Views = TWO) -> None:
    """Hold the page as it stands, with all that can be opened, against the rules."""
    await page.evaluate(OPEN_ALL)
    found: list[str] = []
    for width, scheme in views:
        await page.set_viewport_size({"width": width, "height": 900})
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{page.url}, {width}, {scheme}: {each}" for each in await violations(page)]
    await page.set_viewport_size({"width": WIDE, "height": 900})
    await page.evaluate(CLOSE_MENUS)
    assert not found, "\n".join(dict.fromkeys(found))


async def looked_at(page: Page, door: Door, *paths: str, views: Views = TWO) -> None:
    """Hold pages, with each of their tabs, against the rules."""
    for path in paths:
        await page.goto(f"http://{door.address}{path}")
        await expect(page.locator("main > *").first).to_be_visible()
        await sound(page, views)
        for tab in await page.get_by_role("tab").all():
            if await tab.is_visible():
                await tab.click()
                await sound(page, views)


@in_views
def test_pages_of_matches_and_bots(tmp_path: Path, chromium_path: str | None, views: Views) -> None:
    visited(tmp_path, chromium_path, "tictactoe,checkers,einstein", partial(played, views=views))


async def played(page: Page, door: Door, views: Views) -> None:
    """Look at matches that are played and over, of a game with dice too, and at all that lists them."""
    await looked_at(page, door, "/", "/matches", "/leaderboard", "/tournaments", "/bots", views=views)
    async with seated(door, "one", "other", open_info=True) as bots, seated(door, "a", "b", game="einstein") as rollers:
        match = await challenged(bots[0], bots[1], "other")
        dice = await challenged(rollers[0], rollers[1], "b", game="einstein")
        for _ in range(4):
            turns = {asyncio.create_task(bot.hear("turn")): bot for bot in bots}
            done, waiting = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            turn = done.pop()
            await turns[turn].move(turn.result(), first_move(turn.result()), report(turn.result()["ply"] + 1))
            await turns[turn].hear("accepted")
        await looked_at(page, door, "/", f"/matches/{match}", f"/matches/{dice}", views=views)
        await bots[0].say("resign", match=match, failure="it broke")
        await bots[0].hear("over")
        await rollers[0].say("resign", match=dice)
        await rollers[0].hear("over")
    await looked_at(
        page, door, "/", "/matches", "/matches?name=nobody", f"/matches/{match}", f"/matches/{dice}", views=views
    )
    if views == FOUR:
        await looked_at(page, door, "/api", views=views)  # it has thousands of rows
    await looked_at(page, door, "/games/tictactoe", "/bots", "/bots/1", "/connect", views=views)
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await sound(page, views)
    assert page.context.browser is not None
    beside = await page.context.browser.new_page()  # whose console may complain
    await beside.goto(f"http://{door.address}/nothing-here")
    await sound(beside, views)
    await told_of_trouble(beside, door, views)
    await beside.close()


async def told_of_trouble(page: Page, door: Door, views: Views) -> None:
    """Look at a page with a banner of problems and one of a lost connection."""
    async with door.http.get("/api/v1/status") as response:
        status = await response.json() | {"problems": ["nothing can be written: database or disk is full"]}

    async def trouble(route: Route) -> None:
        await route.fulfill(body=json.dumps(status), content_type="application/json")

    await page.route("**/api/v1/status", trouble)
    await page.route_web_socket("**/api/v1/watch", lambda route: route.close())
    await page.goto(f"http://{door.address}/")
    await expect(page.get_by_role("alert")).to_be_visible()
    await expect(page.locator("#connection p")).to_be_visible()
    await sound(page, views)


def test_overflowing_text_is_scrolled_by_the_keyboard(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "checkers", grown)


async def grown(page: Page, door: Door) -> None:
    """See a command that fits, and then does not, though its box keeps its size."""
    await page.goto(f"http://{door.address}/connect")
    command = page.locator(".command code").first
    await command.evaluate("(code) => (code.firstChild.data = 'arena')")
    await expect(command).not_to_have_attribute("tabindex", "0")
    await command.evaluate("(code) => (code.firstChild.data = 'arena '.repeat(200))")
    await expect(command).to_have_attribute("tabindex", "0")


@in_views
def test_pages_of_tournaments_and_ratings(tmp_path: Path, chromium_path: str | None, views: Views) -> None:
    visited(tmp_path, chromium_path, "tictactoe", partial(held, views=views))


async def held(page: Page, door: Door, views: Views) -> None:
    """Look at tournaments before, while and after they are held, and at the ratings that come of them."""
    numbers = []
    async with playing(door.arena):
        for form in (RoundRobin(), Knockout(third_place=True)):
            numbers.append(await create(door.arena, form, NAMES, rated=True))
            await over(door.arena, numbers[-1])
        numbers.append(await create(door.arena, SprtMatch(elo0=0, elo1=200, pairs=4), NAMES[:2]))
        await over(door.arena, numbers[-1])
    numbers.append(await create(door.arena, RoundRobin(), ("anna", "bert")))  # waits for its bots
    await looked_at(page, door, "/tournaments", *[f"/tournaments/{number}" for number in numbers], views=views)
    for system in ("bradley-terry", "elo", "glicko-2"):
        await looked_at(page, door, f"/leaderboard?game=tictactoe&system={system}", views=views)
    await looked_at(page, door, "/bots/1", f"/matches?tournament={numbers[0]}", views=views)
    await page.goto(f"http://{door.address}/tournaments/{numbers[0]}")
    await page.get_by_role("tab", name="Crosstable").click()
    await page.keyboard.press("h")  # hides results
    await expect(page.get_by_role("tab")).to_have_text(["Rounds"])
    await page.get_by_text("Round 1", exact=False).last.click()
    await expect(page.locator("td.result").first).to_be_hidden()
    await sound(page, views)
