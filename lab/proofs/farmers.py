# SPDX-License-Identifier: GPL-3.0-or-later
"""Two bots of one owner that make a rating of nothing: one challenges the other, which resigns every match at once and
comes back under a new version now and then.

They are plain clients of the public protocol. They run until they are cancelled, and count what they got.
"""

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

from websockets.exceptions import ConnectionClosed

from tests.web.players import RawBot, connected

PAUSE = 0.05
"""Seconds before they try again what was refused."""


@dataclass
class Farmers:
    """The first of two bots wins; the second resigns, and takes a new version after so many matches."""

    url: str
    """Where bots connect."""
    tokens: dict[str, str]
    """By the names of the two."""
    game: str = "tictactoe"
    each: int = 8
    matches: int = 0
    """Rated matches that were resigned."""
    versions: set[str] = field(default_factory=set)
    """Of the loser, those that were let in."""
    refused: Counter[str] = field(default_factory=Counter)
    """What was refused, by code of the error."""

    async def run(self) -> None:
        """Farm until cancelled."""
        (_, winning), (losing, _) = self.tokens.items()
        for number in count(1):
            with contextlib.suppress(ConnectionClosed, OSError):
                async with connected(self.url, winning) as winner:
                    await winner.hello(winning, [self.game], ladder=False)
                    await self._reap(winner, losing, number)
            await asyncio.sleep(PAUSE)

    async def until_refused(self, *codes: str) -> None:
        """Farm until the arena has refused something with each of these codes."""
        farming = asyncio.create_task(self.run())
        try:
            while not set(codes) <= self.refused.keys():
                assert not farming.done(), farming
                await asyncio.sleep(PAUSE)
        finally:
            farming.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await farming

    async def _reap(self, winner: RawBot, losing: str, first: int) -> None:
        """Win against one version after the other, as long as the connection lasts."""
        for number in count(1):
            async with connected(self.url, self.tokens[losing]) as loser:
                if not await self._come_in(loser, losing, f"{first}.{number}"):
                    await asyncio.sleep(PAUSE)
                    continue
                for _ in range(max(1, self.each // 2)):
                    if not await self._resign_a_pair(winner, loser, losing):
                        await asyncio.sleep(PAUSE)
                        break

    async def _come_in(self, loser: RawBot, losing: str, version: str) -> bool:
        hello = {"protocol": 1, "token": self.tokens[losing], "games": [self.game], "ladder": False}
        await loser.say("hello", **hello, version=version)
        answer = await loser.hear("welcome", "error")
        if answer["type"] == "error":
            self.refused[answer["code"]] += 1
            return False
        self.versions.add(version)
        return True

    async def _resign_a_pair(self, winner: RawBot, loser: RawBot, losing: str) -> bool:
        """Play a rated challenge; False when it is refused."""
        await winner.say("challenge", opponent=losing, game=self.game, rated=True)
        answer = await winner.hear("challenge-opened", "error")
        if answer["type"] == "error":
            self.refused[answer["code"]] += 1
            return False
        asked = await loser.hear("challenged")
        await loser.say("answer-challenge", challenge=asked["challenge"], accept=True)
        for _ in range(2):
            match = await loser.hear("match")
            await loser.say("resign", match=match["match"])
            await winner.hear("over")
            await loser.hear("over")
            self.matches += 1
        return True
