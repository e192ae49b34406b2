# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a finished match shows what each side saw. Its address keeps the view; that side sits at the bottom."""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from playwright.async_api import Page, expect

from arena.registry import GameRegistry
from arena.settings import Settings
from engine.games import find
from engine.games.bridge.drawing import COLUMNS, MIDDLE, place_of, sorted_hand
from engine.match.machine import Match
from tests.browser.test_disclosure import fits, visited
from tests.web.door import Door
from tests.web.players import RawBot
from tests.web.test_peepers import challenged, seated
from web.api.games import describe
from web.application import STATIC
from web.assets import read_assets

TURNS = 9
"""Turns after which a bot resigns."""

PLACES = """
async ([folder, board, diagram]) => {
  const { placesOf } = await import(`${folder}/squares.js`);
  await (await import(`${folder}/styles.js`)).withStyles([board]);
  const places = placesOf(board, true, diagram);
  const at = (by, square) => {
    const [row, column] = by(Math.floor(square / board.columns), square % board.columns);
    return row * board.columns + column;
  };
  const all = Array.from(diagram, (_, square) => square);
  return [all.map((square) => at(places.seen, square)), all.map((square) => at(places.under, at(places.seen, square)))];
}
"""
"""By square of a turned board: the square where it is seen, and the way back."""


async def finished(page: Page, door: Door, bots: list[RawBot], name: str, game: str) -> int:
    """Start a match, open its page with the address of a view, and play it to its end; return its number."""
    match = await challenged(bots[0], bots[1], name, game)
    await page.goto(f"http://{door.address}/matches/{match}?seat=1")
    await expect(page.get_by_role("button", name="Read position")).to_be_visible()
    await expect(page.get_by_role("combobox", name="View")).to_have_count(0)
    chance, turns = Random(1), 0

    async def play(bot: RawBot) -> None:
        nonlocal turns
        while (message := await bot.hear("turn", "over"))["type"] == "turn":
            turns += 1
            if turns > TURNS:
                await bot.say("resign", match=match)
            else:
                await bot.move(message, chance.choice(message["legal_moves"]), {"score": 0.25, "depth": 2})

    await asyncio.gather(*map(play, bots))
    await expect(page.locator(".ending")).to_be_visible()
    return match


def test_the_page_shows_what_each_side_saw(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "dark-chess,tictactoe", seen)


async def seen(page: Page, door: Door) -> None:
    """Choose views by mouse and keys, and open their addresses."""
    async with seated(door, "one", "other", game="dark-chess") as bots:
        match = await finished(page, door, bots, "other", "dark-chess")
    async with door.http.get(f"http://{door.address}/api/v1/matches/{match}") as response:
        first, second = [player["name"] for player in (await response.json())["players"]]
    views, moves = page.get_by_role("combobox", name="View"), page.locator(".moves.surface")
    at_bottom, pieces = page.locator(".match .player .name").last, page.locator(".board [data-square]")
    trying, slider = page.get_by_role("button", name="Try other moves"), page.get_by_role("slider", name="Ply")
    await expect(views).to_have_value("")
    texts = await views.locator("option").all_text_contents()
    assert texts == ["everything", f"what {first} saw", f"what {second} saw"]
    await expect(at_bottom).to_have_text(first)
    await expect(moves).not_to_contain_text("?")
    men = await pieces.count()

    await views.select_option(texts[2])
    await expect(at_bottom).to_have_text(second)
    await expect(moves).to_contain_text("?")
    await expect(page).to_have_url(re.compile(r"\?seat=1$"))
    await expect(trying).to_have_count(0)
    assert await pieces.count() > men, "fog"
    await page.get_by_role("button", name="Previous position").click()
    await expect(page).to_have_url(re.compile(r"\?ply=\d+&seat=1$"))
    ply = await slider.input_value()
    await fits(page)

    await page.reload()
    await expect(views).to_have_value("1")
    await expect(at_bottom).to_have_text(second)
    await expect(slider).to_have_value(ply)
    await page.keyboard.press("v")
    await expect(views).to_have_value("")
    await expect(at_bottom).to_have_text(first)
    await expect(moves).not_to_contain_text("?")
    await expect(page).to_have_url(re.compile(r"\?ply=\d+$"))
    await expect(trying).to_be_visible()
    await page.keyboard.press("v")
    await expect(views).to_have_value("0")
    await expect(moves).to_contain_text("?")
    await views.focus()
    await page.keyboard.press("ArrowDown")
    await expect(page).to_have_url(re.compile(r"&seat=1$"))
    await expect(slider).to_have_value(ply)
    await page.keyboard.press("Escape")

    await page.context.add_cookies([{"name": "arena-language", "value": "de", "url": f"http://{door.address}"}])
    await page.reload()
    await expect(page.get_by_role("combobox", name="Ansicht")).to_have_value("1")
    texts = await page.get_by_role("combobox", name="Ansicht").locator("option").all_text_contents()
    assert texts == ["alles", f"was {first} sah", f"was {second} sah"]
    await page.context.clear_cookies()

    async with seated(door, "third", "fourth") as bots:
        await finished(page, door, bots, "fourth", "tictactoe")
    await expect(trying).to_be_visible()
    await expect(views).to_have_count(0)


def test_the_table_of_bridge_is_turned_by_a_quarter(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", turned)


async def turned(page: Page, door: Door) -> None:
    """Compare the squares of a turned table with those of a table at which each player sits one place further."""
    await page.goto(f"http://{door.address}/connect")
    game = find("bridge/double-dummy")
    board = msgspec.to_builtins(describe(GameRegistry(Settings()), game).board)
    folder = read_assets(STATIC).url("board.js").rpartition("/")[0]
    chance, match = Random(3), Match(game, seed=3)
    while match.ending is None:
        state = match.position.state
        places: tuple[list[Any], list[Any]] = await page.evaluate(PLACES, [folder, board, game.diagram(state)])
        squares, back = places
        everywhere = list(range(len(squares)))
        assert (sorted(squares), back) == (everywhere, everywhere)
        assert squares[MIDDLE] == MIDDLE
        for player, hand in enumerate(state[:4]):
            cards = len(sorted_hand(int(hand)))
            for index in range(cards):
                wanted = place_of((player + 3) % 4, index, cards)
                assert squares[place_of(player, index, cards)] == wanted, "West sits at the bottom"
        letters = {board["labels"][square]: divmod(squares[square], COLUMNS) for square in everywhere}
        assert {letter: place for letter, place in letters.items() if letter} == {
            "N": (4, 2),
            "E": (1, 6),
            "S": (4, 10),
            "W": (7, 6),
        }
        for _ in range(13):
            if match.ending is None:
                match.play(match.asked[0], chance.choice(match.legal))
