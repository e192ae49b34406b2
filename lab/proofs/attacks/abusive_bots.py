# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that abuse the rules of matches: for disk space, for the places of built-in bots, for clocks, and for ratings.

They are plain clients of the public protocol. Each runs until it is cancelled, and counts its gains.
"""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, cycle
from typing import Any

from websockets.exceptions import ConnectionClosed

from bots.client.rest import RestClient
from tests.web.players import Message, RawBot, connected, first_move

CHALLENGE_PAUSE = 0.02
"""Seconds between two challenges, so that the arena does not close the connection for too many messages."""

LONG = "7200+0"
"""A time control under which a bot that never moves holds its opponent for two hours."""

AS_LONG_AS_ALLOWED = "600+0"

MOVE = "\N{MUSICAL SYMBOL G CLEF}" * 100
"""A text of 400 bytes that the protocol takes for a move."""


def spam(moves: int = 140) -> dict[str, Any]:
    """Return search info as large as the protocol allows, with this number of moves in its variation:
    62 kB of the 64 that a message may have."""
    expected = [{"move": MOVE, "probability": 0.06} for _ in range(16)]
    return {"score": 0.25, "depth": 10_000, "nodes": 2**53, "pv": [MOVE] * moves, "expected": expected}


class InfoSpammer:
    """Two bots that play each other in unrated matches, as fast as they can, with the most info that is allowed."""

    def __init__(
        self,
        play_url: str,
        tokens: dict[str, str],
        game: str = "checkers",
        matches: int = 4,
        pause: float = 0.0,
        variation: int = 140,
    ) -> None:
        """``tokens``: those of two bots, by name; ``matches``: matches at once; ``pause``: seconds before each move;
        ``variation``: length of the principal variation that comes with it.

        The game must be one of many moves, or the challenges are too many messages.
        """
        self.moves = 0
        """Moves that were accepted."""
        self.errors: Counter[str] = Counter()
        """Refusals, by code."""
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
    """A bot that challenges all built-in bots again and again, and never moves."""

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
        """The opponents in live matches."""
        self.asked: Counter[str] = Counter()
        """Challenges that were settled, by opponent."""
        self.refused: Counter[str] = Counter()
        """Refusals, by text."""
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
                    await asyncio.sleep(CHALLENGE_PAUSE)
                await asyncio.sleep(CHALLENGE_PAUSE if names else 1.0)

    async def _opponents(self) -> list[str]:
        bots = (await asyncio.to_thread(RestClient(self._play_url).get, "/bots?limit=100"))["items"]
        return [bot["name"] for bot in bots if bot["kind"] == "built-in" and bot["connected"]]

    async def _settled(self, bot: RawBot) -> None:
        """Wait until a challenge is settled."""
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


# ---------------------------------------------------------------- pairs and clocks


@dataclass
class Evader:
    """Resigns the first match of a pair and closes at once, so that it is absent for the second; comes back when it
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
    """The ends of second matches."""

    async def evade(self) -> int:
        """Play up to the end of one first match and leave; returns the number of the match."""
        async with connected(self.url, self.token) as bot:
            await bot.hello(self.token, [self.game])
            match: int = (await bot.hear("match"))["match"]
            self.left.append(match)
            await bot.say("resign", match=match)
        return match

    async def come_back(self) -> None:
        """Play the owed match at random, up to its end. The first match may end only now."""
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
    """Answers every turn after a pause, and notes the part of this time that was not charged."""

    pause: float = 0.1
    """Seconds; today's grace is the pause that gains most a move."""
    now: Callable[[], float] = time.monotonic
    """The clock that measures the thought, in seconds."""
    gained: list[int] = field(default_factory=list)
    """Milliseconds of thought that were free, by move; less than 0 where the network was charged."""

    async def play(self, bot: RawBot) -> Message:
        """Play one match at random; returns its end."""
        asked, clock, thought = 0.0, 0, 0.0
        while True:
            message = await bot.hear("turn", "accepted", "over")
            if message["type"] == "turn":
                asked, clock = self.now(), message["clocks"][message["seat"]] + message["increment"]
                await asyncio.sleep(self.pause)
                thought = self.now() - asked
                await bot.move(message, random.choice(message["legal_moves"]))
            elif message["type"] == "accepted":
                self.gained.append(round(thought * 1000) - (clock - message["clock"]))
            else:
                return message


# ---------------------------------------------------------------- ratings from arranged matches

PAUSE = 0.05
"""Seconds before they retry a refused request."""


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
    """Versions of the loser that were admitted."""
    refused: Counter[str] = field(default_factory=Counter)
    """Refusals, by code of the error."""

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
