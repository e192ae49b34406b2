# SPDX-License-Identifier: GPL-3.0-or-later
"""A person plays a game of each kind to its end, in a browser: by real mouse, and by keyboard alone."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.test_disclosure import visited
from tests.compiling import searched_games
from tests.features.people.conftest import SLOW
from tests.features.people.seats import opponent
from tests.features.people.test_pages import start
from tests.web.door import Door
from tests.web.players import Message

Move = dict[str, Any]
Hand = Callable[[Page, list[Locator]], Awaitable[None]]
"""Chooses squares of the board, or buttons, one after the other."""

SCRIPTS: dict[str, tuple[int, str]] = {
    "tictactoe": (1, "a1 b2 c1 b1 c3 b3"),
    "nim": (0, "20=3+17 17=2+15 3=1+2 15=3+12 12=2+10 10=2+8 3=1+2 8=3+5 5=2+3 3=1+2 3=1+2"),
    "checkers": (
        0,
        (
            "10-15 23-18 9-13 26-23 7-10 22-17 13x22 31-26 22x31 24-20 31x24 28x19 15x24 32-27 24x31 30-26 31x22x15 "
            "23-18 15x22 25x18 10-14 18x9 5x14 21-17 14x21 20-16 11x20 29-25 21x30"
        ),
    ),
    "checkers/lecture": (
        1,
        (
            "10-15 24-19 9-14 22-17 6-10 26-22 1-6 27-24 5-9 31-26 9-13 19-16 15-18 24-20 10-15 32-27 7-10 23-19 6-9 "
            "28-24 2-7 26-23"
        ),
    ),
    "chess": (1, "f2f3 e7e5 g2g4 d8h4"),
    "connect-four": (1, "1 4 1 5 2 6 2 7"),
    "einstein": (0, ""),
    "backgammon": (0, ""),
    "bridge/double-dummy": (0, ""),
    "go/9x9": (0, "E5 D5 F5 D6 pass pass"),
    "othello": (0, "f5 d6 c5 f4 e7 f6 g5 e6 e3"),
}
"""By game: the person's seat, and the moves of both sides; with dice or a deal, the moves are the first legal ones."""

WAY = """(place) => {
  const from = document.activeElement.getBoundingClientRect();
  const to = place.getBoundingClientRect();
  return [to.x - from.x, to.y - from.y].map((pixels) => (Math.abs(pixels) > 2 ? pixels : 0));
}"""
"""How far to the right and down a square is from the one with the focus."""


def test_the_scripts_are_of_every_game_that_people_play() -> None:
    assert set(SCRIPTS) == set(searched_games())


def cell(page: Page, square: int) -> Locator:
    """Return a square of the board."""
    return page.locator(f'[data-cell="{square}"]')


async def by_mouse(page: Page, places: list[Locator]) -> None:
    """Move the mouse to each place, and press its button there."""
    for place in places:
        await place.scroll_into_view_if_needed()
        box = await place.bounding_box()
        assert box is not None
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.mouse.down()
        await page.mouse.up()


async def tabbed(page: Page, place: Locator) -> None:
    """Press the tabulator until a place has the focus."""
    for _ in range(200):
        if await place.evaluate("(element) => element === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError("the tabulator does not lead there")


async def by_keyboard(page: Page, places: list[Locator]) -> None:
    """Go to each place by the tabulator and arrow keys, and press Enter."""
    for place in places:
        if await place.get_attribute("data-cell") is None:
            await tabbed(page, place)
            await page.keyboard.press("Enter")
            continue
        focused = page.locator("[data-cell]:focus")
        if not await focused.count():
            await tabbed(page, page.locator('[data-cell][tabindex="0"]'))
        while any(way := await place.evaluate(WAY)):
            right, down = way
            if down:
                await page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
            else:
                await page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
        await page.keyboard.press("Enter")


async def made(page: Page, hand: Hand, game: str, move: Move, legal: list[Move]) -> None:
    """Make a move as a person does."""
    squares = move["squares"]
    if game == "backgammon" and squares:  # step by step
        for square in squares:
            await hand(page, [cell(page, square)])
        return
    if move["move"].isdigit():  # of an upright board, whose columns may be clicked at the top
        squares = [int(move["move"]) - 1]
    if "=" in move["move"]:
        whole, _, parts = move["move"].partition("=")
        one, other = parts.split("+")
        name = f"of {whole}: split into {one} and {other}"
        await hand(page, [page.locator(f'[data-cell][aria-label$="{name}, legal target"]').first])
        return
    choice = page.get_by_role("group", name="Choose a move")
    if not squares:
        await hand(page, [choice.get_by_role("button", name=move["said"], exact=True)])
        return
    await hand(page, [cell(page, square) for square in dict.fromkeys((squares[0], squares[-1]))])
    alike = [other for other in legal if other["squares"][:1] + other["squares"][-1:] == [squares[0], squares[-1]]]
    if len(alike) > 1:
        await hand(page, [choice.get_by_role("button", name=move["said"], exact=True)])


async def played(hand: Hand, game: str, page: Page, door: Door) -> None:
    """Play a whole game."""
    seat, script = SCRIPTS[game]
    moves = script.split()

    def answer(turn: Message) -> str:
        return str(moves[turn["ply"]] if moves else turn["legal_moves"][0])

    async with opponent(door, [game], answer) as name:
        await start(page, door, game, name, str(seat))
        number = page.url.rpartition("/")[2].partition("?")[0]
        ready = page.locator(".seat.turn, .ending")
        while True:
            await expect(ready.first).to_be_visible()
            if await page.locator(".ending").count():
                break
            response = await page.request.get(f"http://{door.address}/api/v1/matches/{number}")
            plies = (await response.json())["plies"]
            view = await (
                await page.request.get(f"http://{door.address}/api/v1/matches/{number}/position?ply={plies}")
            ).json()
            assert view["to_move"] == seat
            wanted = moves[plies] if moves else view["legal"][0]["move"]
            move = next(each for each in view["legal"] if each["move"] == wanted)
            await made(page, hand, game, move, view["legal"])
            arrived = "(plies) => Number(document.querySelector('.replay .number').textContent.split('/')[1]) > plies"
            await page.wait_for_function(arrived, arg=plies)
        record = await (await page.request.get(f"http://{door.address}/api/v1/matches/{number}?limit=500")).json()
        assert record["termination"] == "decided", record["detail"]
        if moves:
            assert [each["move"] for each in record["moves"]] == moves
        winner = {"1-0": 0, "0-1": 1}[record["result"]]
        await expect(page.locator(".ending")).to_contain_text(f"{record['players'][winner]['name']} won")
        await expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def courses() -> Iterator[Any]:
    """Yield each game by mouse and by keyboard; every run plays each game once, the long tests both ways."""
    for number, game in enumerate(SCRIPTS):
        for place, hand in enumerate((by_mouse, by_keyboard)):
            marks = () if place == number % 2 else pytest.mark.long
            yield pytest.param(game, hand, id=f"{game}-{hand.__name__}", marks=marks)


@pytest.mark.parametrize(("game", "hand"), [*courses()])
def test_a_person_plays_a_whole_game(tmp_path: Path, chromium_path: str | None, game: str, hand: Hand) -> None:
    visited(tmp_path, chromium_path, game, partial(played, hand, game), features=(SLOW,))
