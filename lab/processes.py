# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of experiments: children that talk by lines, and what a process uses (from /proc, Linux only)."""

import asyncio
import contextlib
import os
import shutil
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from msgspec import Struct

from engine.native import child

PATIENCE = 120.0
"""Seconds that a child may take for a line."""


class Child:
    """A process that runs a module of this project, and reads and prints lines."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self._input = process.stdin
        self._output = process.stdout
        self.pid = process.pid

    def say(self, line: bytes) -> None:
        """Write a line to its standard input."""
        self._input.write(line + b"\n")

    async def hear(self) -> bytes:
        """Return the next line of its standard output. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE):
            return await self._output.readline()

    async def finish(self) -> bytes:
        """Close its standard input, and return the next line of its standard output. Raises TimeoutError."""
        self._input.close()
        return await self.hear()


@contextlib.asynccontextmanager
async def started(module: str, *arguments: str, nice: int = 0) -> AsyncIterator[Child]:
    """Run a module in a process of its own, which is killed at the end; ``nice``: lower its priority by so much."""
    prefix = [found, "-n", str(nice)] if nice and (found := shutil.which("nice")) else []
    process = await asyncio.create_subprocess_exec(
        *prefix, *child.command(module, *arguments), stdin=PIPE, stdout=PIPE, limit=1 << 24, pass_fds=child.pass_fds()
    )
    try:
        yield Child(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class Usage(Struct, frozen=True):
    """Seconds of all processors together that a process has used so far, and the memory it has now."""

    cpu: float
    bytes: int


def usage_of(pid: int) -> Usage | None:
    """Return what a process uses; None if it has ended or the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    user, system, pages = int(fields[11]), int(fields[12]), int(fields[21])
    return Usage((user + system) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


def used_by_tree(pid: int) -> float:
    """Return the processor seconds of a process and of all below it, those that have ended too (Linux only)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    below = [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    total = own
    for each in below:
        with contextlib.suppress(OSError):  # it has just ended
            total += used_by_tree(each)
    return total


def descendants(pid: int, name: str) -> list[int]:
    """Return the processes below one whose program has ``name`` in its name; none where the system does not tell."""
    found = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                with contextlib.suppress(OSError):
                    if name in Path(f"/proc/{child}/comm").read_text():
                        found.append(child)
                found += descendants(child, name)
    return found


def memory_of(pids: Iterable[int]) -> int:
    """Return the bytes of processes; pages that several processes have in common count once."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total
