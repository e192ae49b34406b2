# SPDX-License-Identifier: GPL-3.0-or-later
"""Status of just-in-time compilation with estimated times, for pages, bots and tournaments.

The server compiles the rules of games; the process of the built-in bots compiles their searches.
"""

import time
from collections.abc import Callable

from arena.protocol.orders import HostProgress
from arena.registry import GameRegistry
from engine.compile_times import about


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
            return f"{game} is not ready: {self._registry.reason(game)}"
        if bot is None or not self._getting_ready(bot):
            return ""
        if game in self._progress.until and not self._progress.ready:
            return f"{bot} is not ready for {game}: compiling, {self._about(game)}"
        return f"{bot} is not ready for {game}: starting or compiling"

    def getting_ready(self, bot: str) -> bool:
        """Return whether a built-in bot is still starting, so that its absence does not count."""
        return self._getting_ready(bot)

    def _about(self, game: str) -> str:
        passed = time.monotonic() - self._heard
        return about(max(0.0, self._progress.until[game] - passed))
