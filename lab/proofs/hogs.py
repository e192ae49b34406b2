# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that take what others need: one fills the disk by search info, one holds the places of built-in bots.

They are plain clients of the public protocol. Each runs until it is cancelled, and counts what it got.
"""

import asyncio
import json
from collections import Counter
from itertools import cycle
from typing import Any

from aiohttp import ClientSession

from tests.web.players import Message, RawBot, connected, first_move

PAUSE = 0.02
"""Seconds between two challenges, so that the arena does not close the connection for too many messages."""

LONG = "7200+0"
"""A time control under which a bot that never moves holds its opponent for two hours."""

AS_LONG_AS_ALLOWED = "600+0"

MOVE = "\N{MUSICAL SYMBOL G CLEF}" * 100
"""A text of 400 bytes that the protocol takes for a move."""


def spam(moves: int = 140) -> dict[str, Any]:
    """Return search info as large as the protocol takes it, with so many moves in its variation:
    62 kB of the 64 that a message may have."""
    expected = [{"move": MOVE, "belief": 0.06} for _ in range(16)]
    return {"score": 0.25, "depth": 10_000, "nodes": 2**53, "pv": [MOVE] * moves, "expected": expected}


class InfoSpammer:
    """Two bots that play each other in unrated matches, as fast as they can, with as much info as is taken."""

    def __init__(
        self,
        play_url: str,
        tokens: dict[str, str],
        game: str = "checkers",
        matches: int = 4,
        pause: float = 0.0,
        variation: int = 140,
    ) -> None:
        """``tokens``: those of two bots, by name; ``matches`` go on at once; ``pause``: seconds before each move;
        ``variation``: moves of the principal variation that comes with it.

        The game must be one of many moves, or the challenges are too many messages.
        """
        self.moves = 0
        """Moves that were accepted."""
        self.errors: Counter[str] = Counter()
        """What was refused, by code."""
        self._play_url = play_url
        self._tokens = tokens
        self._game = game
        self._matches = matches
        self._info = spam(variation)
        self._pause = pause

    async def run(self) -> None:
        """Play until cancelled."""
        (one, first), (other, second) = self._tokens.items()
        async with connected(self._play_url, first) as left, connected(self._play_url, second) as right:
            for bot, token in ((left, first), (right, second)):
                await bot.hello(token, [self._game], capacity=2 * self._matches, ladder=False)
            for _ in range(self._matches):
                await self._challenge(left, other)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._play(left, other))
                group.create_task(self._play(right, one))

    async def _challenge(self, bot: RawBot, opponent: str) -> None:
        await bot.say("challenge", opponent=opponent, game=self._game)

    async def _play(self, bot: RawBot, opponent: str) -> None:
        challenger = opponent == list(self._tokens)[1]
        while True:
            message: Message = json.loads(await bot.socket.recv())
            match message["type"]:
                case "turn":
                    move = {"type": "move", "match": message["match"], "ply": message["ply"]}
                    move |= {"move": first_move(message), "info": self._info}
                    await asyncio.sleep(self._pause)
                    await bot.socket.send(json.dumps(move, ensure_ascii=False))
                case "accepted":
                    self.moves += 1
                case "challenged":
                    await bot.say("answer-challenge", challenge=message["challenge"], accept=True)
                case "over" if challenger:
                    await self._challenge(bot, opponent)
                case "error":
                    self.errors[message["code"]] += 1


class SeatHog:
    """A bot that challenges all built-in bots over and over, and never moves."""

    def __init__(
        self,
        play_url: str,
        token: str,
        game: str = "chess",
        controls: tuple[str | None, ...] = (LONG, AS_LONG_AS_ALLOWED, None),
        *,
        ladder: bool = False,
    ) -> None:
        """``controls``: the time controls that it asks for in turn, None being the game's own; ``ladder``: whether it
        lets the ladder pair it too.
        """
        self.held: dict[int, str] = {}
        """The opponents in the matches that go on."""
        self.asked: Counter[str] = Counter()
        """Challenges that were settled, by opponent."""
        self.refused: Counter[str] = Counter()
        """What it was told, by text."""
        self._play_url = play_url
        self._token = token
        self._game = game
        self._controls = controls
        self._ladder = ladder

    async def run(self) -> None:
        """Take places until cancelled; ask again for those that were refused."""
        async with connected(self._play_url, self._token) as bot:
            await bot.hello(self._token, [self._game], capacity=256, ladder=self._ladder)
            for control in cycle(self._controls):
                names = await self._opponents()
                for name in names:
                    terms = {} if control is None else {"time_control": control}
                    await bot.say("challenge", opponent=name, game=self._game, **terms)
                    await self._settled(bot)
                    self.asked[name] += 1
                    await asyncio.sleep(PAUSE)
                await asyncio.sleep(PAUSE if names else 1.0)

    async def _opponents(self) -> list[str]:
        url = self._play_url.replace("ws://", "http://").replace("/play", "/bots?limit=100")
        async with ClientSession() as http, http.get(url) as response:
            bots = (await response.json())["items"]
        return [bot["name"] for bot in bots if bot["kind"] == "built-in" and bot["connected"]]

    async def _settled(self, bot: RawBot) -> None:
        """Wait for what becomes of a challenge."""
        while True:
            message = await bot.hear("challenge-closed", "error", "match", "over")
            match message["type"]:
                case "match":
                    self.held[message["match"]] = message["players"][1 - message["seat"]]["name"]
                case "over":
                    self.held.pop(message["match"], None)
                case "error":
                    self.refused[message["message"]] += 1
                    return
                case _:
                    if message["outcome"] != "accepted":
                        self.refused[message["outcome"]] += 1
                    return
