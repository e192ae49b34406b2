# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at what a running sandbox uses: the number of its files, and its memory where no control group limits that."""

import asyncio
import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from bots.sandbox.limits import MIB, SandboxLimits

INTERVAL = 0.05
"""Seconds between two looks where memory is added up."""
INTERVAL_OF_FILES = 0.25
"""Seconds between two looks otherwise."""

_SHARE = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)


class Overrun(Exception):
    """A sandbox used more than its limits; the message says what of."""


def members(pid: int) -> list[int]:
    """Return a process and all that descend from it, as far as they still run."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{one}/task"):  # noqa: PTH208  # called at each move, so it must be quick
                with contextlib.suppress(OSError):
                    waiting.extend(map(int, contents(f"/proc/{one}/task/{task}/children").split()))
    return found


def processor_time(pids: Iterable[int]) -> float:
    """Return the seconds of processor time of processes, and of those of their children that have ended."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = contents(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            # user and system time, its own and that of children which it has waited for
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def contents(path: str) -> bytes:
    """Return the beginning of a small file of the kernel's."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)


async def watch(pid: int, limits: SandboxLimits, *, add_memory: bool, awake: asyncio.Event) -> None:
    """Look at a sandbox until it ends. ``add_memory``: whether to add up its memory; ``awake``: set while it runs.

    Raises Overrun.
    """
    while await asyncio.to_thread(Path(f"/proc/{pid}").exists):
        memory, files = await asyncio.to_thread(measured, pid, add_memory=add_memory)
        if memory > limits.memory:
            raise Overrun(f"it used {memory // MIB:,} MiB of memory; {limits.memory // MIB:,} are allowed")
        if files > limits.inodes:
            raise Overrun(f"it made {files:,} files; {limits.inodes:,} are allowed")
        await asyncio.sleep(INTERVAL if add_memory else INTERVAL_OF_FILES)
        await awake.wait()


def measured(pid: int, *, add_memory: bool) -> tuple[int, int]:
    """Return the bytes of memory of a sandbox, temporary files included, and the number of these files.

    The memory is 0 if it is not to be added up. Shared pages count for each process by its share (PSS).
    """
    memory, files, counted = 0, 0, set()
    for one in members(pid):
        with contextlib.suppress(OSError):
            if add_memory:
                share = _SHARE.search(Path(f"/proc/{one}/smaps_rollup").read_bytes())
                memory += int(share[1]) * 1024 if share else 0
        for place in ("tmp", "dev/shm"):
            with contextlib.suppress(OSError):
                device, filling = _file_system(Path("/proc", str(one), "root", place))
                if device in counted or device == Path(f"/{place}").stat().st_dev:
                    continue
                counted.add(device)
                memory += (filling.f_blocks - filling.f_bfree) * filling.f_frsize if add_memory else 0
                files += filling.f_files - filling.f_ffree
    return memory, files


def _file_system(path: Path) -> tuple[int, os.statvfs_result]:
    """Return the device of a directory, and how full it is. Raises OSError.

    Both are of one opened directory: the root of a process that makes its sandbox changes between two calls, and the
    files of the machine would count as those of the program.
    """
    descriptor = os.open(path, os.O_PATH | os.O_DIRECTORY)
    try:
        return os.fstat(descriptor).st_dev, os.fstatvfs(descriptor)
    finally:
        os.close(descriptor)
