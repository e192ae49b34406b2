# SPDX-License-Identifier: GPL-3.0-or-later
"""Run-queue wait: how long the threads of a process could have run and had no processor.

Linux tells it of each thread, in the second field of ``/proc/PID/task/*/schedstat``. Where there is no such file, the
wait is always 0.
"""

import os
from contextlib import suppress
from pathlib import Path


class RunQueue:
    """Adds up the run-queue wait of all threads of one process, those that ended meanwhile included."""

    def __init__(self, pid: int, root: Path = Path("/proc")) -> None:
        """Files of the process stay open until ``close``. ``root``: where the system tells of processes."""
        self._tasks = root / str(pid) / "task"
        self._files: dict[str, int] = {}
        """By thread."""
        self._last: dict[str, int] = {}
        """What each thread has waited, as of the last look, in nanoseconds."""
        self._total = 0

    def waited(self) -> float:
        """Return how many seconds all threads together have waited since the first call."""
        first = not self._last
        for thread, wait in self._look():
            if not first:
                self._total += max(0, wait - self._last.get(thread, 0))
            self._last[thread] = wait
        return self._total / 1e9

    def _look(self) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        threads: set[str] = set()
        with suppress(OSError):
            threads.update(each.name for each in self._tasks.iterdir())
        for thread in self._files.keys() - threads:
            self._forget(thread)
        for thread in threads:
            try:
                file = self._files.get(thread)
                if file is None:
                    file = self._files[thread] = os.open(self._tasks / thread / "schedstat", os.O_RDONLY)
                found.append((thread, int(os.pread(file, 64, 0).split()[1])))
            except (OSError, IndexError, ValueError):
                self._forget(thread)  # it ended just now, or its number is another thread's by now
        return found

    def _forget(self, thread: str) -> None:
        self._last.pop(thread, None)
        file = self._files.pop(thread, None)
        if file is not None:
            os.close(file)

    def close(self) -> None:
        """Let go of the files."""
        for thread in list(self._files):
            self._forget(thread)
