# SPDX-License-Identifier: GPL-3.0-or-later
"""People at the board: each has a browser with cookies, and a page with a socket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.features.accounts.people import Browser
from tests.web.door import Door
from tests.web.players import Message, RawBot, connected, first_move


@asynccontextmanager
async def opponent(
    door: Door, games: list[str], choose: Callable[[Message], str] = first_move, **hello: Any
) -> AsyncIterator[str]:
    """Connect a bot that accepts people and answers every turn; return its name."""
    name, token = await door.register()
    async with connected(door.play_url) as bot:
        await bot.hello(token, games, **({"people": True, "capacity": 8, "ladder": False} | hello))
        playing = asyncio.create_task(bot.play(choose, matches=10**6))
        try:
            yield name
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)


async def sit_down(browser: Browser, game: str, opponent: str, **order: Any) -> dict[str, Any]:
    """Start a match; return the person's seat."""
    status, seat, _ = await browser.post("/people/matches", {"game": game, "opponent": opponent, **order})
    assert status == 200, seat
    return dict(seat)


@asynccontextmanager
async def page(door: Door, seat: dict[str, Any], game: str) -> AsyncIterator[RawBot]:
    """Open the socket of a person's page."""
    async with connected(door.play_url) as socket:
        await socket.hello(seat["token"], [game])
        yield socket


async def resign(door: Door, seat: dict[str, Any], game: str) -> None:
    """End the match of a seat."""
    async with page(door, seat, game) as person:
        await person.hear("match")
        await person.say("resign", match=seat["match"])
        await person.hear("over")
