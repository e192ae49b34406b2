# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that look for an advantage in the rules of pairs and clocks: one that leaves between the two matches of a pair,
and one that always thinks for as long as network lag is not charged.
"""

import asyncio
import contextlib
import random
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.web.players import Message, RawBot, connected


@dataclass
class Evader:
    """Resigns the first match of a pair and closes at once, so that there is nobody for the second; comes back when it
    has been away for ``away`` seconds, with what ``back`` adds to its hello.
    """

    url: str
    token: str
    game: str
    away: float = 0.0
    back: dict[str, Any] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    """The first matches after which it left."""
    owed: list[Message] = field(default_factory=list)
    """The ends of second matches, as it was told."""

    async def evade(self) -> int:
        """Play up to the end of one first match and leave; returns the number of the match."""
        async with connected(self.url, self.token) as bot:
            await bot.hello(self.token, [self.game])
            match: int = (await bot.hear("match"))["match"]
            self.left.append(match)
            await bot.say("resign", match=match)
        return match

    async def come_back(self) -> None:
        """Play what is owed, at random, up to its end. The first match may end only now, for it left in a hurry."""
        async with connected(self.url, self.token) as bot:
            hello = {"protocol": 1, "token": self.token, "games": [self.game], "ladder": False}
            await bot.say("hello", **(hello | self.back))
            while not (owed := [over for match, over in bot.over.items() if match not in self.left]):
                message = await bot.hear("turn", "over")
                if message["type"] == "turn":
                    await bot.move(message, random.choice(message["legal_moves"]))
            self.owed += owed

    async def run(self) -> None:
        """Evade again and again, until cancelled."""
        while True:
            with contextlib.suppress(ConnectionClosed, OSError):
                await self.evade()
                await asyncio.sleep(self.away)
                await self.come_back()


@dataclass
class LagUser:
    """Answers every turn after a pause, and notes what of this time was not charged."""

    pause: float = 0.1
    """Seconds; today's grace is the pause that gains most a move."""
    gained: list[int] = field(default_factory=list)
    """Milliseconds of thought that were free, by move; less than 0 where the network was charged."""

    async def play(self, bot: RawBot) -> Message:
        """Play one match at random; returns its end."""
        loop, clock, thought = asyncio.get_running_loop(), 0, 0.0
        while True:
            message = await bot.hear("turn", "accepted", "over")
            if message["type"] == "turn":
                asked, clock = loop.time(), message["clocks"][message["seat"]] + message["increment"]
                await asyncio.sleep(self.pause)
                thought = loop.time() - asked
                await bot.move(message, random.choice(message["legal_moves"]))
            elif message["type"] == "accepted":
                self.gained.append(round(thought * 1000) - (clock - message["clock"]))
            else:
                return message
