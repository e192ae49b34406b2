# SPDX-License-Identifier: GPL-3.0-or-later
"""What is being compiled before matches can start, and about how long it takes: for pages, bots and tournaments.

Two processes compile: one the rules of games, for the server, and the house process what the built-in bots need.
"""

import time
from collections.abc import Callable

from arena.hosting.house import Progress
from arena.registry import GameRegistry
from engine.compile_times import about


class Compiling:
    """What is being compiled in an arena."""

    def __init__(self, registry: GameRegistry, getting_ready: Callable[[str], bool]) -> None:
        """``getting_ready`` tells whether a built-in bot is still to come."""
        self._registry = registry
        self._getting_ready = getting_ready
        self._progress = Progress(ready=True)
        self._heard = 0.0

    def heard(self, progress: Progress) -> None:
        """Note what the house process is preparing."""
        self._progress = progress
        self._heard = time.monotonic()

    @property
    def bots(self) -> str:
        """What is compiled for built-in bots, for people; "" when nothing is."""
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
        """All that is being compiled, for people; "" when nothing is."""
        return "; ".join(filter(None, (self._registry.warming, self.bots)))

    def why_not(self, game: str, bot: str | None = None) -> str:
        """Return why matches of a game cannot start yet, for people; "" where nothing is compiled for them.

        ``bot``: where it is one of the built-in ones, what it needs counts too.
        """
        if not self._registry.is_ready(game):
            return f"{game} is not ready: {self._registry.reason(game)}"
        if bot is None or not self._getting_ready(bot):
            return ""
        if game in self._progress.until and not self._progress.ready:
            return f"{bot} is not ready for {game}: it is being compiled, {self._about(game)}"
        return f"{bot} is not ready for {game}: it is being started or compiled"

    def getting_ready(self, bot: str) -> bool:
        """Tell whether a built-in bot is still to come, and its absence does not count."""
        return self._getting_ready(bot)

    def _about(self, game: str) -> str:
        passed = time.monotonic() - self._heard
        return about(max(0.0, self._progress.until[game] - passed))
