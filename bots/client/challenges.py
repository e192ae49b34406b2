# SPDX-License-Identifier: MIT
"""The challenges that a bot makes itself, and what becomes of them."""

import asyncio
from collections.abc import Awaitable, Callable

from arena.protocol import messages as wire
from arena.protocol.errors import ErrorCode
from bots.client.errors import ArenaError, ChallengeRefused

_REFUSALS = {ErrorCode.UNKNOWN_BOT, ErrorCode.UNKNOWN_GAME, ErrorCode.CHALLENGE_REFUSED}


class Challenges:
    """Matches the arena's answers with the challenges they belong to. The wire numbers a challenge only once it is
    open, so they open one by one.
    """

    def __init__(self, send: Callable[[wire.BotMessage], Awaitable[None]]) -> None:
        self._send = send
        self._opening = asyncio.Lock()
        self._asked: asyncio.Future[int] | None = None
        self._open: dict[int, asyncio.Future[wire.ChallengeClosed]] = {}

    async def make(self, challenge: wire.Challenge) -> list[int]:
        """Return the matches that come of a challenge. Raises ChallengeRefused; when cancelled, withdraws it."""
        async with self._opening:
            self._asked = asyncio.get_running_loop().create_future()
            try:
                await self._send(challenge)
                number = await self._asked
            finally:
                self._asked = None
        closing = self._open[number]
        try:
            closed = await closing
        except asyncio.CancelledError:
            await self._send(wire.WithdrawChallenge(number))
            raise
        finally:
            self._open.pop(number, None)
        if not closed.matches:
            raise ChallengeRefused(closed.outcome)
        return closed.matches

    def receive(self, message: wire.ChallengeOpened | wire.ChallengeClosed | wire.Error) -> None:
        """Take the arena's word on a challenge."""
        match message:
            case wire.ChallengeOpened(challenge=number):
                if self._asked is not None and not self._asked.done():
                    self._open[number] = asyncio.get_running_loop().create_future()
                    self._asked.set_result(number)
            case wire.ChallengeClosed(challenge=number):
                waiting = self._open.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
            case wire.Error(code=code, message=text, match=None):
                if code in _REFUSALS and self._asked is not None and not self._asked.done():
                    self._asked.set_exception(ChallengeRefused(text))

    def connection_lost(self) -> None:
        """Fail all that wait: challenges do not outlive the connection."""
        waiting: list[asyncio.Future[int] | asyncio.Future[wire.ChallengeClosed]] = [*self._open.values()]
        if self._asked is not None:
            waiting.append(self._asked)
        for future in waiting:
            if not future.done():
                future.set_exception(ArenaError("the connection was lost before the challenge was answered"))
