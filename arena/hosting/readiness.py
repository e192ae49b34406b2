# SPDX-License-Identifier: GPL-3.0-or-later
"""Which built-in bots are still getting ready, and from when on their absence from a match counts.

After a restart built-in bots are away until what they need is compiled, which may take much longer than the grace that
every bot has to come back. So the grace of a built-in bot begins when the process that hosts it has told that all its
bots are ready; at the latest when nothing was compiled for ``STALLED`` seconds, and ``LONGEST`` seconds after the bot
went away. A built-in bot that will not come has no grace at all after a restart: it is switched off, it was turned
away, or its process ended ``FAILURES`` times in a row before it was ready.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from arena.hosting.house import Progress
from arena.matches.seat import Seat

Process = Literal["house", "guests", "breeder"]
"""The processes that host built-in bots."""

LONGEST = 3600.0
"""Seconds by which the grace of a built-in bot begins at the latest."""

STALLED = 1200.0
"""Seconds without a word of progress after which a process is held to compile no more."""

FAILURES = 3
"""Times in a row that a process may end before it was ready."""


@dataclass(slots=True)
class _Host:
    """A process that hosts built-in bots."""

    bots: frozenset[str]
    """Those that it is to host."""
    ready: float | None = None
    """Since when all of them are ready."""
    failures: int = 0
    left: set[str] = field(default_factory=set)
    """Those that the arena turned away."""


class Hosting:
    """The processes of an arena that host built-in bots. Bots of no process are treated as all others are."""

    def __init__(self, now: Callable[[], float]) -> None:
        """``now`` reads the clock that graces go by."""
        self._now = now
        self._hosts: dict[Process, _Host] = {}
        self._off: frozenset[str] = frozenset()
        self._progressed = float("-inf")
        self.on_change: Callable[[], None] = lambda: None
        """Called when a grace may begin or end at another time than before."""

    def declare(self, hosts: Mapping[Process, Iterable[str]], off: Iterable[str] = ()) -> None:
        """Name the processes that will be started, each with its bots, and the built-in bots that are switched off."""
        self._hosts = {process: _Host(frozenset(bots)) for process, bots in hosts.items()}
        self._off = frozenset(off)
        self._progressed = self._now()
        self.on_change()

    def hosts(self, process: Process, bots: Iterable[str]) -> None:
        """Note which bots a process hosts in the end; others that it was declared with are switched off."""
        host = self._hosts.get(process)
        if host is not None:
            kept = frozenset(bots)
            self._off |= host.bots - kept
            host.bots = kept
            self.on_change()

    def heard(self, process: Process, progress: Progress) -> None:
        """Note what a process told, or that it ended and another will be started."""
        if not progress.again:
            self._progressed = self._now()
        host = self._hosts.get(process)
        if host is None:
            return
        if progress.settled and host.ready is None:
            host.ready, host.failures = self._now(), 0
        if progress.left:
            host.left.add(progress.left)
        if progress.ended:
            host.failures = 0 if host.ready is not None else host.failures + 1
            host.ready = None
            host.left.clear()
        if progress.settled or progress.left or progress.ended:
            self.on_change()

    def getting_ready(self, bot: str) -> bool:
        """Tell whether a built-in bot is still to come."""
        host = self._host_of(bot)
        return host is not None and not self._gone(bot, host) and host.ready is None

    def grace_begins(self, seat: Seat) -> float:
        """Return when the grace of a bot that is away begins, or would begin if nothing more happened."""
        host = self._host_of(seat.name)
        if seat.name in self._off or (host is not None and self._gone(seat.name, host)):
            # a bot of somebody else may have the name of a built-in one
            return float("-inf") if seat.house and seat.missing else seat.away
        if host is None:
            return seat.away
        begun = self._progressed + STALLED if host.ready is None else host.ready
        return max(seat.away, min(begun, seat.away + LONGEST))

    def _host_of(self, bot: str) -> _Host | None:
        return next((host for host in self._hosts.values() if bot in host.bots), None)

    @staticmethod
    def _gone(bot: str, host: _Host) -> bool:
        return bot in host.left or host.failures >= FAILURES
