# SPDX-License-Identifier: MIT
"""The challenges that a bot sends, and their outcomes."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from arena.protocol import messages as wire
from arena.protocol.errors import ErrorCode
from bots.client.errors import ArenaError, ChallengeRefused

_REFUSALS = {ErrorCode.UNKNOWN_BOT, ErrorCode.UNKNOWN_GAME, ErrorCode.CHALLENGE_REFUSED}


@dataclass(eq=False, slots=True)
class _Made:
    """A sent challenge. Its outcome is cancelled when no caller awaits it any more."""

    outcome: asyncio.Future[wire.ChallengeClosed]
    number: int | None = None
    """The arena's, once it is open."""


class Challenges:
    """Matches the arena's answers with the bot's challenges. The protocol numbers a challenge when it is open; the
    arena opens or refuses challenges in the order of arrival.

    ``send`` returns whether there was a connection.
    """

    def __init__(self, send: Callable[[wire.BotMessage], Awaitable[bool]]) -> None:
        self._send = send
        self._asked: deque[_Made] = deque()
        self._open: dict[int, _Made] = {}
        self._withdrawing: set[asyncio.Future[bool]] = set()

    async def make(self, challenge: wire.Challenge) -> list[int]:
        """Return the matches that come of a challenge. Raises ChallengeRefused, ArenaError when there is no connection
        or it is lost; when cancelled, withdraws the challenge.
        """
        made = _Made(asyncio.get_running_loop().create_future())
        self._asked.append(made)
        try:
            if not await self._send(challenge):
                self.connection_lost()
            closed = await made.outcome
        except asyncio.CancelledError:
            made.outcome.cancel()
            if made.number is not None:
                await self._send(wire.WithdrawChallenge(made.number))
            raise
        if not closed.matches:
            raise ChallengeRefused(closed.outcome)
        return closed.matches

    def receive(self, message: wire.ChallengeOpened | wire.ChallengeClosed | wire.Error) -> None:
        """Handle the arena's message about a challenge."""
        match message:
            case wire.ChallengeOpened(challenge=number) if self._asked:
                made = self._open[number] = self._asked.popleft()
                made.number = number
                if made.outcome.cancelled():
                    self._withdraw(number)
            case wire.ChallengeClosed(challenge=number) if number in self._open:
                outcome = self._open.pop(number).outcome
                if not outcome.done():
                    outcome.set_result(message)
            case wire.Error(code=code, message=text, match=None) if code in _REFUSALS and self._asked:
                outcome = self._asked.popleft().outcome
                if not outcome.done():
                    outcome.set_exception(ChallengeRefused(text))

    def connection_lost(self) -> None:
        """Fail all that wait: challenges do not outlive the connection."""
        for made in [*self._asked, *self._open.values()]:
            if not made.outcome.done():
                made.outcome.set_exception(ArenaError("the connection was lost before the challenge was answered"))
        self._asked.clear()
        self._open.clear()

    def _withdraw(self, number: int) -> None:
        sending = asyncio.ensure_future(self._send(wire.WithdrawChallenge(number)))
        self._withdrawing.add(sending)
        sending.add_done_callback(self._withdrawing.discard)
