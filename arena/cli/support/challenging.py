# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenging a named bot, so many times, and counting how it ends: ``arena connect --challenge``."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from arena.protocol.messages import ArenaMessage, Match, Over, Welcome
from bots.client import ArenaError, Client

_RETURN_MATCH = 5.0
"""Seconds to wait for a match that follows: the second of a rated pair, or one that is played again because the arena
was late. There may be none.
"""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a challenge, and its repetitions; each rated challenge is a pair with swapped seats."""

    opponent: str
    game: str
    rated: bool
    time_control: str | None
    count: int


class Score(msgspec.Struct):
    """How the matches ended, seen by the challenger."""

    opponent: str
    game: str
    rated: bool
    matches: list[int] = msgspec.field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0

    def add(self, over: Over) -> None:
        """Count a match."""
        self.matches.append(over.match)
        match over.score:
            case None:
                self.void += 1
            case 1.0:
                self.wins += 1
            case 0.0:
                self.losses += 1
            case _:
                self.draws += 1


class Challenger:
    """Makes one challenge after another and waits for the matches to end; the client plays them."""

    def __init__(self, terms: Terms, ended: Callable[[Over], None]) -> None:
        """``ended`` is called with the end of each match."""
        self.score = Score(terms.opponent, terms.game, terms.rated)
        self._terms = terms
        self._ended = ended
        self._newest = 0
        self._awaited = 0
        self._missed = False
        """Whether the awaited match ended while the connection was lost."""
        self._overs: dict[int, Over] = {}
        self._news = asyncio.Event()

    def hear(self, message: ArenaMessage) -> None:
        """Handle a message from the arena: the client's ``heard``."""
        match message:
            case Welcome(matches=going_on):
                self._missed = self._awaited not in going_on
            case Match(match=number):
                self._newest = max(self._newest, number)
            case Over(match=number):
                self._overs[number] = message
            case _:
                return
        self._news.set()

    async def play(self, client: Client) -> Score:
        """Play all challenges with a client that is not running yet, and disconnect.

        Raises ChallengeRefused and all errors that end the client.
        """
        running = asyncio.create_task(client.run())
        playing = asyncio.create_task(self._play(client))
        try:
            await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                await running
            return await playing
        finally:
            playing.cancel()
            await client.close()
            await asyncio.wait({running, playing})
            for task in running, playing:
                if not task.cancelled():
                    task.exception()  # seen, if it was not raised: one thing ended it all

    async def _play(self, client: Client) -> Score:
        terms = self._terms
        for _ in range(terms.count):
            numbers = await client.challenge(
                terms.opponent, terms.game, rated=terms.rated, time_control=terms.time_control
            )
            results = [await self._finish(number) for number in numbers]
            last = numbers[-1]
            while results.count(True) < (2 if terms.rated else 1) and await self._follows(last):
                last = self._newest
                results.append(await self._finish(last))
        return self.score

    async def _finish(self, number: int) -> bool:
        """Wait for the end of a match, count it, and return whether it has a result.

        Raises ArenaError when the end came while the connection was lost.
        """
        self._awaited, self._missed = number, False
        while number not in self._overs:
            self._news.clear()
            await self._news.wait()
            if number not in self._overs and self._missed:
                raise ArenaError(f"match {number} ended while the connection was lost")
        over = self._overs[number]
        self.score.add(over)
        self._ended(over)
        return over.score is not None

    async def _follows(self, number: int) -> bool:
        """Wait for the match that comes after one; returns whether it has come."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_RETURN_MATCH):
                while self._newest <= number:
                    self._news.clear()
                    await self._news.wait()
        return self._newest > number
