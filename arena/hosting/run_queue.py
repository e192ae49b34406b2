# SPDX-License-Identifier: GPL-3.0-or-later
"""Run-queue wait: the time that threads of a process were ready to run but had no processor.

Linux reports it for each thread, in the second field of ``/proc/PID/task/*/schedstat``. Without such files, the wait is
always 0.
"""

import os
from contextlib import suppress
from pathlib import Path


class RunQueue:
    """Sum of the run-queue wait of all threads of one process, including threads that have ended."""

    def __init__(self, pid: int, root: Path = Path("/proc")) -> None:
        """The files stay open until ``close``. ``root``: the proc file system."""
        self._tasks = root / str(pid) / "task"
        self._files: dict[str, int] = {}
        """Open files by thread."""
        self._last: dict[str, int] = {}
        """Wait of each thread at the last measurement, in nanoseconds."""
        self._total = 0

    def waited(self) -> float:
        """Return the seconds that all threads together have waited since the first call."""
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
                self._forget(thread)  # the thread has ended, or its number belongs to another thread
        return found

    def _forget(self, thread: str) -> None:
        self._last.pop(thread, None)
        file = self._files.pop(thread, None)
        if file is not None:
            os.close(file)

    def close(self) -> None:
        """Close the files."""
        for thread in list(self._files):
            self._forget(thread)
