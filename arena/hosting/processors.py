# SPDX-License-Identifier: GPL-3.0-or-later
"""Number of usable processors (affinity, cgroup limits) and of free processors (system load)."""

import math
import os
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
