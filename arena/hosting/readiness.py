# SPDX-License-Identifier: GPL-3.0-or-later
"""Readiness of built-in bots, and the start of their reconnection grace after a restart.

After a restart built-in bots are absent until their code is compiled, which may take much longer than the reconnection
grace. So the grace of a built-in bot starts when its process reports that all its bots are ready; at the latest after
``STALLED`` seconds without compilation progress, and ``LONGEST`` seconds after the bot disconnected. A built-in bot
that cannot come back has no grace after a restart: it is switched off, it was refused, or its process ended
``FAILURES`` times in a row before it was ready.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from arena.matches.sides import Seat
from arena.protocol.orders import HostProgress
from arena.registry import GameRegistry
from engine.native.compile_times import about

LONGEST = 3600.0
"""Maximum seconds until the grace of a built-in bot starts."""

STALLED = 1200.0
"""Seconds without progress after which a process counts as stalled."""

FAILURES = 3
"""Number of failed starts in a row after which a process counts as failed."""


@dataclass(slots=True)
class _Host:
    """A process that hosts built-in bots."""

    bots: frozenset[str]
    """Names of its bots."""
    ready: float | None = None
    """Time since which all of them are ready."""
    failures: int = 0
    left: set[str] = field(default_factory=set)
    """Names of bots that the arena refused."""


class Hosting:
    """State of the processes that host built-in bots."""

    def __init__(self, now: Callable[[], float]) -> None:
        """``now``: the clock of the graces."""
        self._now = now
        self._hosts: dict[str, _Host] = {}
        self._off: frozenset[str] = frozenset()
        self._progressed = float("-inf")
        self.on_change: Callable[[], None] = lambda: None
        """Called when the start or end of a grace may have changed."""

    def declare(self, hosts: Mapping[str, Iterable[str]], off: Iterable[str] = ()) -> None:
        """Set the processes that will be started, with their bots, and the built-in bots that are switched off."""
        self._hosts = {process: _Host(frozenset(bots)) for process, bots in hosts.items()}
        self._off = frozenset(off)
        self._progressed = self._now()
        self.on_change()

    def hosts(self, process: str, bots: Iterable[str]) -> None:
        """Set the actual bots of a process; other declared bots of it count as switched off."""
        host = self._hosts.get(process)
        if host is not None:
            kept = frozenset(bots)
            self._off |= host.bots - kept
            host.bots = kept
            self.on_change()

    def heard(self, process: str, progress: HostProgress) -> None:
        """Handle a progress report of a process, or its end."""
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
        """Return whether a built-in bot is still starting."""
        host = self._host_of(bot)
        return host is not None and not self._gone(bot, host) and host.ready is None

    def grace_begins(self, seat: Seat) -> float:
        """Return the time at which the grace of an absent bot starts, or would start without further events."""
        host = self._host_of(seat.name)
        if seat.name in self._off or (host is not None and self._gone(seat.name, host)):
            # another author's bot may have the name of a built-in bot
            return float("-inf") if seat.built_in and seat.missing else seat.away
        if host is None:
            return seat.away
        begun = self._progressed + STALLED if host.ready is None else host.ready
        return max(seat.away, min(begun, seat.away + LONGEST))

    def _host_of(self, bot: str) -> _Host | None:
        return next((host for host in self._hosts.values() if bot in host.bots), None)

    @staticmethod
    def _gone(bot: str, host: _Host) -> bool:
        return bot in host.left or host.failures >= FAILURES


# ---------------------------------------------------------------- compiling
#
# Status of just-in-time compilation with estimated times, for pages, bots and tournaments.
#
# The server compiles the rules of games; the process of the built-in bots compiles their searches.


class Waiting(StrEnum):
    """Why matches cannot start yet, for people; pages translate these texts."""

    RULES = "{0} is not ready: {1}"
    SEARCH = "{0} is not ready for {1}: compiling, {2}"
    START = "{0} is not ready for {1}: starting or compiling"


class Compiling:
    """Running compilations of an arena."""

    def __init__(self, registry: GameRegistry, getting_ready: Callable[[str], bool]) -> None:
        """``getting_ready``: returns whether a built-in bot is still starting."""
        self._registry = registry
        self._getting_ready = getting_ready
        self._progress = HostProgress(ready=True)
        self._heard = 0.0

    def heard(self, progress: HostProgress) -> None:
        """Handle a progress report of the process of the built-in bots."""
        self._progress = progress
        self._heard = time.monotonic()

    @property
    def bots(self) -> str:
        """Running compilation for built-in bots, for people; "" for none."""
        progress = self._progress
        if progress.ready or not progress.warming:
            return ""
        if progress.game not in progress.until:
            return progress.warming
        last = max(progress.until, key=lambda game: progress.until[game])
        done = f"{progress.game} {self._about(progress.game)}"
        return f"{progress.warming} ({done if last == progress.game else f'{done}, all {self._about(last)}'})"

    @property
    def all(self) -> str:
        """All running compilations, for people; "" for none."""
        return "; ".join(filter(None, (self._registry.warming, self.bots)))

    def why_not(self, game: str, bot: str | None = None) -> str:
        """Return the reason why matches of a game cannot start yet, for people; "" if nothing is being compiled.

        ``bot``: a built-in bot whose search must be compiled too.
        """
        if not self._registry.is_ready(game):
            return Waiting.RULES.format(game, self._registry.reason(game))
        if bot is None or not self._getting_ready(bot):
            return ""
        if game in self._progress.until and not self._progress.ready:
            return Waiting.SEARCH.format(bot, game, self._about(game))
        return Waiting.START.format(bot, game)

    def getting_ready(self, bot: str) -> bool:
        """Return whether a built-in bot is still starting, so that its absence does not count."""
        return self._getting_ready(bot)

    def _about(self, game: str) -> str:
        passed = time.monotonic() - self._heard
        return about(max(0.0, self._progress.until[game] - passed))
