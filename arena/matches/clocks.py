# SPDX-License-Identifier: GPL-3.0-or-later
"""The clocks of one running match: for each seat whether its clock runs, since when, and the flag timer."""

import asyncio
from collections.abc import Callable

from arena.connections.sessions import LagBank
from arena.hosting.processor_time import Lateness, ProcessorTime
from arena.hosting.processors import Core
from arena.settings import Settings
from engine.match.machine import Match

Clocks = tuple[int, int] | None
"""What both clocks show, in milliseconds; None: none run."""


class SeatClock:
    """Measures the turns of one seat, in seconds of a steady clock, and says when the time of one has run out."""

    def __init__(
        self, match: Match, seat: int, settings: Settings, now: Callable[[], float], processor_time: ProcessorTime
    ) -> None:
        self._match = match
        self._seat = seat
        self._bank = LagBank(settings.lag_grace * 1000)
        self._patience = settings.reconnect_grace
        """Seconds by which a hosted bot may overstep its time for want of a processor, at most."""
        self._processor_time = processor_time
        self._core: Core | None = None
        """The claim of a hosted bot's turn on a processor."""
        self._lateness: Lateness | None = None
        """How late the arena is in this turn; None: it does not host the bot."""
        self._free = 0
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._flag: asyncio.TimerHandle | None = None
        self.began = 0.0
        """When the turn began."""
        self._due = 0.0
        self._extended = False
        """Whether the turn's time was made longer because the loop had been held up."""
        self._ply: int | None = None
        """The ply of the turn whose time is measured; None: the clock does not run."""

    @property
    def runs(self) -> bool:
        """Whether the seat's turn goes on."""
        return self._ply is not None

    def may_start(self, bot: int, granted: Callable[[], None]) -> bool:
        """Return whether a bot's turn may begin: a hosted bot waits for a processor, and ``granted`` is called when it
        gets one. Repeated calls before that have no effect.
        """
        if not self._processor_time.hosts(bot):
            return True
        if self._core is None:
            self._core = self._processor_time.ask(bot, granted)
        return self._core.granted

    def start(self, bot: int, round_trip: float, fell: Callable[[int], None]) -> None:
        """Begin the turn of the seat, where this bot sits; its time runs from here. ``round_trip``: seconds that
        messages take to it and back; ``fell`` is called with the ply if its flag falls, or, in a match by
        instructions, if it has given no move for so long that it counts as stuck.
        """
        match = self._match
        self._bank.grant(round_trip)
        self._free = self._bank.free
        self.began = self._now()
        self._ply, self._extended = match.ply, False
        self._lateness = self._processor_time.lateness(bot)
        if match.clocks is not None:
            self._due = self.began + (match.clocks[self._seat] + self._free) / 1000 + _ROUNDING
            self._wait(fell)
        elif match.time_control is not None:
            self._due = self.began + match.time_control.guard
            self._wait(fell)

    def stop(self) -> None:
        """End the turn, if one goes on or waits for a core."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self._core is not None:
            self._core.release()
            self._core = None
        self._ply = None

    def take(self, at: float) -> tuple[int, int]:
        """Return how many milliseconds the move took that came at a time of the steady clock, and how many of them
        are not charged.
        """
        elapsed = self._elapsed(at)
        self._bank.spend(elapsed)
        return elapsed, self._free

    def excuse(self, at: float) -> str:
        """Return the reason, for people, why a late turn does not lose: the arena hosts the bot, and left it waiting
        for a processor for at least as long. "" if the turn is a loss, or within its time.
        """
        clocks = self._match.clocks
        if clocks is None or self._lateness is None:
            return ""
        over = (self._elapsed(at) - self._free - clocks[self._seat]) / 1000
        if over <= 0 or (waited := self._lateness()) < over:
            return ""
        return f"waited {waited:.2f} s for a processor of the arena, and overstepped its time by {over:.2f} s"

    def shown(self, left: int) -> int:
        """Return what the clock shows now; ``left``: milliseconds that it had at the start of the turn."""
        if self._ply is None:
            return left
        return max(0, left - max(0, self._elapsed(self._now()) - self._free))

    def _elapsed(self, at: float) -> int:
        return max(0, round((at - self.began) * 1000))

    def _wait(self, fell: Callable[[int], None]) -> None:
        self._flag = self._loop.call_later(self._due - self._now(), self._flag_due, fell)

    def _flag_due(self, fell: Callable[[int], None]) -> None:
        """Let the flag fall. If the loop was held up, a move may lie unread in the socket: it gets as much time again,
        once, and the clock is put back by all of it.
        """
        late = self._now() - self._due
        if late < -_ROUNDING:
            self._wait(fell)  # the process was suspended meanwhile, and the clock stood still
        elif late > _HELD_UP and not self._extended:
            self._extended = True
            self.began += 2 * late
            self._due += 2 * late
            self._wait(fell)
        else:
            self._overstepped(fell)

    def _overstepped(self, fell: Callable[[int], None]) -> None:
        """Let the flag fall, unless the arena itself is late by more: then look again when it no longer is."""
        if self._ply is None:
            return
        over = self._now() - self._due
        if self._lateness is not None and over < self._patience and (waited := self._lateness()) > over:
            again = max(_ROUNDING, min(waited, self._patience) - over)
            self._flag = self._loop.call_later(again, self._overstepped, fell)
        else:
            fell(self._ply)


class MatchClocks:
    """The clocks of both seats. Both run where both seats choose at the same time."""

    def __init__(
        self, match: Match, settings: Settings, now: Callable[[], float], processor_time: ProcessorTime
    ) -> None:
        """``now`` reads the steady clock; ``processor_time`` is that of the bots that the arena hosts."""
        self._match = match
        self._seats = (
            SeatClock(match, 0, settings, now, processor_time),
            SeatClock(match, 1, settings, now, processor_time),
        )

    def __getitem__(self, seat: int) -> SeatClock:
        return self._seats[seat]

    @property
    def given(self) -> float:
        """When the last turn was given; 0 before the first."""
        return max(clock.began for clock in self._seats)

    def stop(self) -> None:
        """End all turns that go on or wait for a core."""
        for clock in self._seats:
            clock.stop()

    def shown(self) -> Clocks:
        """Return what both clocks show now."""
        clocks = self._match.clocks
        if clocks is None:
            return None
        return self._seats[0].shown(clocks[0]), self._seats[1].shown(clocks[1])


_ROUNDING = 0.002
"""Seconds by which the flag falls late, so that a move in the last millisecond is not cut off by rounding."""


_HELD_UP = 0.005
"""Seconds by which a timer is late only when the loop was held up."""
