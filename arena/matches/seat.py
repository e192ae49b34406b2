# SPDX-License-Identifier: GPL-3.0-or-later
"""A side of a running match, and the bot on its seat."""

import asyncio
from dataclasses import dataclass

from arena.connections.sessions import Entrant
from arena.protocol.messages import ArenaMessage


@dataclass(eq=False, slots=True)
class Seat:
    """One side of the match and, while it is connected, the bot that sits there."""

    bot_id: int
    name: str
    built_in: bool
    entrant: Entrant | None = None
    missing: bool = True
    """Whether it has not sat down yet, since the match started or the arena started again."""
    away: float = 0.0
    """Since when it is away, if it is, on the clock that matches go by."""
    grace: asyncio.TimerHandle | None = None
    """Runs while it is away."""

    @property
    def round_trip(self) -> float:
        """Round-trip time of messages to the bot, in seconds; 0 while it is absent, or if unknown."""
        return 0.0 if self.entrant is None else self.entrant.connection.trips.shortest

    def send(self, message: ArenaMessage) -> None:
        """Tell the bot, if it is there."""
        if self.entrant is not None:
            self.entrant.send(message)

    def take(self, entrant: Entrant) -> None:
        """Let the bot sit down (again)."""
        self.entrant = entrant
        self.missing = False
        if self.grace is not None:
            self.grace.cancel()
            self.grace = None
