# SPDX-License-Identifier: GPL-3.0-or-later
"""Allocation of processor cores to turns of hosted bots: a clock starts only when a core is free for the search.

A turn requests a core and holds it until its move arrives. Turns without a core wait in order. After ``LONGEST``
seconds the core goes to the next turn, so a slow or hung bot does not block the others.
"""

import asyncio
from collections import deque
from collections.abc import Callable

LONGEST = 2.0
"""Seconds after which a turn's core goes to the next turn, even if the turn continues."""


class Core:
    """A turn's request for a core."""

    def __init__(self, cores: "Cores", granted: Callable[[], None]) -> None:
        self._cores = cores
        self._tell = granted
        self._due: asyncio.TimerHandle | None = None
        self.granted = False
        """Whether the turn may start."""

    def grant(self) -> None:
        """Grant the core; called only by ``Cores``."""
        self.granted = True
        self._due = asyncio.get_running_loop().call_later(LONGEST, self._cores.take_back, self)

    def tell(self) -> None:
        """Notify a waiting turn that it may start."""
        self._tell()

    def release(self) -> None:
        """Release the core, or cancel the request. May be called repeatedly."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._cores.take_back(self)


class Cores:
    """The cores for searches of hosted bots. Use it only on the event loop."""

    def __init__(self, count: Callable[[], int]) -> None:
        """``count``: returns the current number of cores."""
        self._count = count
        self._held: set[Core] = set()
        self._waiting: deque[Core] = deque()

    @property
    def waiting(self) -> int:
        """Number of turns that wait for a core."""
        return len(self._waiting)

    def ask(self, granted: Callable[[], None]) -> Core:
        """Request a core. If none is free, ``granted`` is called later; it must not raise."""
        core = Core(self, granted)
        if not self._waiting and len(self._held) < self._count():
            self._held.add(core)
            core.grant()
        else:
            self._waiting.append(core)
        return core

    def take_back(self, core: Core) -> None:
        """Mark a core as free, and grant free cores to waiting turns."""
        self._held.discard(core)
        if not core.granted and core in self._waiting:
            self._waiting.remove(core)
        self.share_out()

    def share_out(self) -> None:
        """Grant free cores to waiting turns. Call it when the number of cores may have changed."""
        while self._waiting and len(self._held) < self._count():
            core = self._waiting.popleft()
            self._held.add(core)
            core.grant()
            core.tell()
