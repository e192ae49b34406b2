# SPDX-License-Identifier: GPL-3.0-or-later
"""Usable and free processors (affinity, cgroup limits, system load), and their allocation to turns of built-in bots."""

import asyncio
import math
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_STAT = Path("/proc/stat")
_GROUPS = Path("/sys/fs/cgroup")

_USER, _SYSTEM, _IRQ, _SOFTIRQ, _STEAL = 0, 2, 5, 6, 7
"""Columns of ``/proc/stat`` that count as load. Work at lower priority (nice) does not count, because it yields."""

SMOOTHING = 0.3
"""Weight of the newest measurement in the average load."""


def allowed(root: Path = _GROUPS, group: Path = Path("/proc/self/cgroup")) -> int:
    """Return the number of processors that this process may use, by its affinity and its cgroup limits."""
    return max(1, math.floor(min(_quota(root, group), len(_ours()))))


def _ours() -> set[int]:
    """Return the numbers of the processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def _quota(root: Path, group: Path) -> float:
    """Return the processor limit of the cgroups of this process; infinite without a limit."""
    quotas = [math.inf]
    with suppress(OSError, ValueError):
        for line in group.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for place in (Path(path), *Path(path).parents):
                if not controllers:
                    quotas.append(_read_quota(root / str(place).lstrip("/") / "cpu.max"))
                elif "cpu" in controllers.split(","):
                    quotas.append(_read_old_quota(root / "cpu" / str(place).lstrip("/")))
    return min(quotas)


def _read_quota(file: Path) -> float:
    with suppress(OSError, ValueError):
        quota, period = file.read_text().split()
        return int(quota) / int(period)
    return math.inf


def _read_old_quota(folder: Path) -> float:
    """Return the quota of cgroup version 1, where -1 means no limit."""
    with suppress(OSError, ValueError):
        quota = int((folder / "cpu.cfs_quota_us").read_text())
        if quota > 0:
            return quota / int((folder / "cpu.cfs_period_us").read_text())
    return math.inf


class FreeProcessors:
    """Number of processors that are free for searches, by the last measurements; at least half of the usable ones.

    Fewer would slow down a busy server to less than half; more than are free would make searches wait for each other
    while their clocks run.
    """

    def __init__(self, count: int | None = None, stat: Path = _STAT) -> None:
        """``count``: usable processors; None: ask the system."""
        self._count = allowed() if count is None else count
        self._stat = stat
        self._ours = _ours()
        self._last: tuple[int, int] | None = None
        self._busy = 0.0
        """Average number of processors that other work uses."""

    @property
    def free(self) -> int:
        """Number of processors that searches may use now."""
        return max(math.ceil(self._count / 2), min(self._count, round(self._count - self._busy)))

    def look(self) -> None:
        """Measure the load of the system. Call it about every second."""
        try:
            now = self._read()
        except (OSError, ValueError, IndexError):
            return  # not available on this system
        before, self._last = self._last, now
        if before is None or now[1] <= before[1]:
            return
        busy = (now[0] - before[0]) / (now[1] - before[1]) * len(self._ours)
        self._busy += SMOOTHING * (busy - self._busy)

    def _read(self) -> tuple[int, int]:
        """Return the busy ticks and all ticks of the processors of this process."""
        busy = passed = 0
        for line in self._stat.read_text().splitlines():
            name, *columns = line.split()
            if name.startswith("cpu") and name[3:].isdecimal() and int(name[3:]) in self._ours:
                ticks = [int(column) for column in columns[:8]]
                busy += sum(ticks[column] for column in (_USER, _SYSTEM, _IRQ, _SOFTIRQ, _STEAL))
                passed += sum(ticks)
        return busy, passed


# ---------------------------------------------------------------- cores
#
# Allocation of processor cores to turns of hosted bots: a clock starts only when a core is free for the search.
#
# A turn requests a core and holds it until its move arrives. Turns without a core wait in order. After ``LONGEST``
# seconds the core goes to the next turn, so a slow or hung bot does not block the others.

_UNLIMITED = 1 << 30
"""More cores than turns."""

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

    @property
    def held(self) -> int:
        """Number of cores that turns hold."""
        return len(self._held)

    def free_all(self) -> None:
        """Let no turn wait from now on: the machine of these cores is gone."""
        self._count = lambda: _UNLIMITED
        self.share_out()

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
