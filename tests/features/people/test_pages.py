# SPDX-License-Identifier: GPL-3.0-or-later
"""People play in a browser: whole games by mouse and by keyboard, promotions, multiple captures, drags and premoves."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.features.people.conftest import SLOW
from tests.web.door import Door
from tests.web.players import RawBot, connected


def test_a_person_plays_in_a_browser(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe,checkers,chess,nim", games, features=(SLOW,))


async def games(page: Page, door: Door) -> None:
    """Play one match after the other."""
    await by_mouse(page, door)
    await by_keyboard(page, door)
    await promotion(page, door)
    await captures(page, door)
    await heaps(page, door)


@asynccontextmanager
async def scripted(door: Door, game: str) -> AsyncIterator[tuple[str, RawBot]]:
    """Connect a bot whose moves the test makes; return its name and the bot."""
    name, token = await door.register()
    async with connected(door.play_url) as bot:
        await bot.hello(token, [game], people=True)
        yield name, bot


async def answer(bot: RawBot, move: str) -> None:
    """Let the bot play a move as soon as it is its turn."""
    await bot.move(await bot.hear("turn"), move)
    await bot.hear("accepted", "over")


def square(page: Page, name: str) -> Locator:
    """Return a square of the board by the start of its name."""
    return page.locator(f'[data-cell][aria-label^="{name}"]')


def status(page: Page) -> Locator:
    """Return the line that says whose turn it is."""
    return page.locator(".seat [role=status]")


async def start(page: Page, door: Door, game: str, opponent: str, side: str = "0") -> None:
    """Fill in the form and start the match."""
    await page.goto(f"http://{door.address}/play?game={game}&opponent={opponent}")
    await expect(page.get_by_label("Opponent")).to_have_value(opponent)
    await page.get_by_label("Your side").select_option(side)
    await page.get_by_role("button", name="Play", exact=True).click()
    await page.wait_for_url("**/matches/*")


async def turn(page: Page) -> None:
    """Wait until the person may move."""
    await expect(page.locator(".seat.turn")).to_be_visible()


async def resigned(page: Page) -> None:
    """Resign, after a second question."""
    await page.get_by_role("button", name="Resign", exact=True).click()
    await page.get_by_role("button", name="Resign the match").click()
    await expect(page.get_by_role("button", name="Rematch")).to_be_visible()


async def by_mouse(page: Page, door: Door) -> None:
    """Win tic-tac-toe by clicks; reload in the middle; play a rematch with the other side, and resign it."""
    async with scripted(door, "tictactoe") as (name, bot):
        await page.goto(f"http://{door.address}/play?game=tictactoe")
        await expect(page.get_by_label("Opponent")).to_have_value(name)
        await sound(page)
        await fits(page)
        await start(page, door, "tictactoe", name)
        for mine, theirs in (("a1", "a2"), ("b1", "b2")):
            await turn(page)
            await expect(square(page, mine)).to_have_attribute("aria-label", f"{mine}, empty, legal target")
            await square(page, mine).click()
            await answer(bot, theirs)
        await turn(page)
        await page.reload()
        await turn(page)
        await sound(page)
        await fits(page)
        # the page of a player does not change to another match: the player may want a rematch
        await page.evaluate("localStorage.setItem('arena-watch-next', 'yes')")
        requested = list[str]()
        page.on("request", lambda request: requested.append(request.url))
        await square(page, "c1").click()
        await bot.hear("over")
        await expect(page.get_by_text("Guest 1 won")).to_be_visible()
        await expect(page.get_by_role("button", name="Rematch")).to_be_visible()
        assert [url for url in requested if "status=live" in url] == []
        await page.get_by_role("button", name="Rematch").click()
        await expect(page.locator(".player").last).to_contain_text("Guest 1")
        await answer(bot, "b2")
        await turn(page)
        await page.get_by_role("button", name="Offer a draw").click()
        await bot.hear("draw-offered")
        await bot.say("answer-draw", match=int(page.url.rpartition("/")[2].partition("?")[0]), accept=False)
        await expect(page.get_by_text("The opponent declines the draw.")).to_be_visible()
        await resigned(page)


async def by_keyboard(page: Page, door: Door) -> None:
    """Win tic-tac-toe with the arrow keys and Enter, from the form to the end; a second page takes the seat away."""
    async with scripted(door, "tictactoe") as (name, bot):
        await page.goto(f"http://{door.address}/play?game=tictactoe&opponent={name}")
        await expect(page.get_by_label("Opponent")).to_have_value(name)
        await page.get_by_label("Your side").focus()
        await page.keyboard.press("X")
        await expect(page.get_by_label("Your side")).to_have_value("0")
        await page.get_by_role("button", name="Play", exact=True).focus()
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/matches/*")
        await turn(page)
        seat = await (await page.request.post(f"http://{door.address}/api/v1/people/seat", data={})).json()
        async with connected(door.play_url) as other:
            await other.hello(seat["token"], ["tictactoe"])
            await expect(status(page)).to_have_text("You play this match on another page.")
            await page.get_by_role("button", name="Play here").focus()
            await page.keyboard.press("Enter")
            await turn(page)
        await page.locator('[data-cell][tabindex="0"]').focus()
        await page.keyboard.press("Enter")  # a3, where the focus is at first
        await answer(bot, "b1")
        await turn(page)
        for key, mine, theirs in (("ArrowRight", "b3", "c1"), ("ArrowRight", "c3", "")):
            await turn(page)
            await page.locator('[data-cell]:focus, [data-cell][tabindex="0"]').first.focus()
            while await page.locator("[data-cell]:focus").get_attribute("aria-label") != f"{mine}, empty, legal target":
                await page.keyboard.press(key)
            await page.keyboard.press("Space")
            if theirs:
                await answer(bot, theirs)
        await bot.hear("over")
        await expect(page.get_by_text("Guest 1 won")).to_be_visible()


async def promotion(page: Page, door: Door) -> None:
    """Promote a pawn of chess: the page asks for the piece. Pieces are dragged; a premove follows the bot's move."""
    async with scripted(door, "chess") as (name, bot):
        await start(page, door, "chess", name)
        await turn(page)
        await square(page, "a2").drag_to(square(page, "a4"))
        asked = await bot.hear("turn")
        await expect(status(page)).to_have_text("The opponent thinks.")
        await expect(square(page, "a4, white pawn")).to_be_visible()
        await square(page, "a4").click()
        await square(page, "b5").click()
        await expect(status(page)).to_have_text("The opponent thinks; your premove follows.")
        await bot.move(asked, "b7b5")
        for theirs, mine in (("a7a6", ("b5", "a6")), ("c7c6", ("a6", "a7"))):
            await answer(bot, theirs)
            await turn(page)
            for each in mine:
                await square(page, each).click()
        await answer(bot, "c6c5")
        await turn(page)
        await square(page, "a7").click()
        await expect(square(page, "b8")).to_have_attribute("aria-label", "b8, black knight, legal target")
        await square(page, "b8").click()
        await page.get_by_role("group", name="Choose a move").get_by_role("button", name="axb8=N").click()
        state = await bot.hear("turn")
        assert state["last_move"] == "a7b8n"
        await resigned(page)


async def captures(page: Page, door: Door) -> None:
    """Type moves of checkers, and make a double jump by its first and last square."""
    async with scripted(door, "checkers") as (name, bot):
        await start(page, door, "checkers", name)
        moves: Sequence[tuple[str, str]] = (("9-13", "24-20"), ("10-15", "27-24"), ("15-19", "24x15"))
        for mine, theirs in moves:
            await turn(page)
            field = page.get_by_label("Move", exact=True)
            await field.fill("1-1")
            await page.keyboard.press("Enter")
            await expect(page.get_by_text("No legal move is written 1-1.")).to_be_visible()
            await field.fill(mine)
            await page.keyboard.press("Enter")
            await answer(bot, theirs)
        await turn(page)
        await square(page, "11,").click()
        await square(page, "27,").click()
        state = await bot.hear("turn")
        assert state["last_move"] == "11x18x27"
        await resigned(page)


async def heaps(page: Page, door: Door) -> None:
    """Split a heap of Nim by a click between its tokens; the bot goes away and comes back."""
    async with scripted(door, "nim") as (name, bot):
        await start(page, door, "nim", name)
        await turn(page)
        await square(page, "heap 1, token 3 of 20: split into 3 and 17").click()
        state = await asyncio.wait_for(bot.hear("turn"), None)
        assert state["last_move"] == "20=3+17"
        await resigned(page)
