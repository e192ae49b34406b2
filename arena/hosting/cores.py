# SPDX-License-Identifier: GPL-3.0-or-later
"""Processors for the turns of hosted bots: a clock starts only when one is free for the search.

A turn asks for a core, and holds it until its move has come. Turns that find none wait in the order in which they
asked. A turn that takes long counts no more after ``LONGEST``, so a slow or hung bot holds up nobody.
"""

import asyncio
from collections import deque
from collections.abc import Callable

LONGEST = 2.0
"""Seconds after which a turn's core is given to the next turn, though it goes on."""


class Core:
    """A turn's claim on a processor."""

    def __init__(self, cores: "Cores", granted: Callable[[], None]) -> None:
        self._cores = cores
        self._tell = granted
        self._due: asyncio.TimerHandle | None = None
        self.granted = False
        """Whether the turn may begin."""

    def grant(self) -> None:
        """Let the turn begin; called by ``Cores`` alone."""
        self.granted = True
        self._due = asyncio.get_running_loop().call_later(LONGEST, self._cores.take_back, self)

    def tell(self) -> None:
        """Tell the turn, which had to wait, that it may begin."""
        self._tell()

    def release(self) -> None:
        """Give the core back, or wait for none any more. May be called again."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._cores.take_back(self)


class Cores:
    """The processors that searches of hosted bots share. To be used on the event loop."""

    def __init__(self, count: Callable[[], int]) -> None:
        """``count`` tells how many there are now."""
        self._count = count
        self._held: set[Core] = set()
        self._waiting: deque[Core] = deque()

    @property
    def waiting(self) -> int:
        """How many turns wait for a core."""
        return len(self._waiting)

    def ask(self, granted: Callable[[], None]) -> Core:
        """Claim a core. Where none is free, ``granted`` is called when there is one; it must not raise."""
        core = Core(self, granted)
        if not self._waiting and len(self._held) < self._count():
            self._held.add(core)
            core.grant()
        else:
            self._waiting.append(core)
        return core

    def take_back(self, core: Core) -> None:
        """Count a core as free again, and grant what is free to the turns that wait."""
        self._held.discard(core)
        if not core.granted and core in self._waiting:
            self._waiting.remove(core)
        self.share_out()

    def share_out(self) -> None:
        """Grant what is free to the turns that wait. To be called when the count may have changed."""
        while self._waiting and len(self._held) < self._count():
            core = self._waiting.popleft()
            self._held.add(core)
            core.grant()
            core.tell()
