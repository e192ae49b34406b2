# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the machine: processors, memory, disk, limit of open files, clock, and the address to listen on."""

import os
import platform
import shutil
import socket
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from arena.cli.support.command_line import CommandError
from arena.cli.support.examining import Check
from arena.cli.support.serving.descriptors import CONNECTIONS, RESERVED, raise_limit
from arena.cli.support.serving.listening import listen
from arena.hosting.processors import allowed
from arena.settings import Settings

GIB, MIB = 1 << 30, 1 << 20

LEAST_MEMORY = 2 * GIB
"""Bytes: the server, its built-in bots, and a compilation at a time."""

LEAST_SPACE, LITTLE_SPACE = GIB // 4, 2 * GIB
"""Bytes on a disk: below the first a database soon fails; below the second there is no room for a long run."""

EARLIEST = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
"""A clock before this time is not set."""

TICKS = 0.2
"""Seconds for which the clocks are compared."""
DRIFT = 0.05
"""Seconds by which they may differ after that."""
READINGS = 50
"""Readings of both clocks, of which the quickest counts."""


def processors() -> Check:
    """Check the number of processors."""
    number = allowed()
    found = f"{number} usable; {platform.system()} {platform.release()} on {platform.machine()}"
    if number < 2:
        return Check(
            "processors",
            "warning",
            found,
            "give the arena two processors: searches of built-in bots use the only one for seconds",
        )
    return Check("processors", "ok", found)


def memory() -> Check:
    """Check the memory, and the limit of the control group."""
    number = _memory()
    if number is None:
        return Check("memory", "ok", "unknown on this system")
    found = f"{number // MIB:,} MiB"
    if number < LEAST_MEMORY:
        return Check("memory", "warning", found, f"give the arena {LEAST_MEMORY // MIB:,} MiB, or swap space")
    return Check("memory", "ok", found)


def _memory() -> int | None:
    """Return the bytes of memory that this process may use."""
    if sys.platform != "linux":
        return None
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            text = Path("/sys/fs/cgroup", name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdecimal():
            total = min(total, int(text))
    return total


def disk(name: str, folder: Path) -> Check:
    """Check the free space on the disk of a folder, which need not exist."""
    place = folder
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    found = f"{free // MIB:,} MiB free at {folder}"
    if free < LEAST_SPACE:
        return Check(name, "error", found, f"free {LEAST_SPACE // MIB:,} MiB, or move it to another disk")
    if free < LITTLE_SPACE:
        return Check(name, "warning", found, f"free {LITTLE_SPACE // MIB:,} MiB, or move it to another disk")
    return Check(name, "ok", found)


def open_files(settings: Settings) -> Check:
    """Check the limit of open files against the numbers of connections in the settings."""
    limit = raise_limit()
    if limit is None:
        return Check("open files", "ok", "no limit")
    needed = sum(getattr(settings, name) for name in CONNECTIONS) + RESERVED
    found = f"{limit:,} allowed, {needed:,} needed for all connections of the settings"
    if limit < needed:
        advice = "raise the hard limit (ulimit -Hn, or LimitNOFILE= in the unit of systemd); until then fewer connect"
        return Check("open files", "warning", found, advice)
    return Check("open files", "ok", found)


def clock() -> Check:
    """Check that the wall clock is set, and that it and the steady clock run at the same speed.

    Clocks of matches use the steady clock. The database has Unix times, which no time zone changes.
    """
    wall, before = time.time(), _offset()
    time.sleep(TICKS)  # it measures how far the clocks run apart
    difference = _offset() - before
    found = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    if wall < EARLIEST:
        return Check("clock", "error", found, "set the clock: the times of matches would be wrong")
    if abs(difference) > DRIFT:
        found = f"{found}; the wall clock moved by {difference:+.3f} s against the steady clock within {TICKS} s"
        return Check("clock", "warning", found, "synchronise the clock gradually (chrony, systemd-timesyncd)")
    return Check("clock", "ok", found)


def _offset() -> float:
    """Return how far the wall clock is ahead of the steady clock. Another process may run between two readings, so the
    best of several counts.
    """
    found = []
    for _ in range(READINGS):
        before, wall, after = time.monotonic(), time.time(), time.monotonic()
        found.append((after - before, wall - (before + after) / 2))
    return min(found)[1]


def port(host: str, number: int, server: str) -> Check:
    """Check that the arena can listen on an address; ``server``: the arena that runs on the database, which may."""
    address = f"{host}:{number}"
    try:
        listen(host, number).close()
    except CommandError as error:
        if server and _answers(host, number):
            return Check("port", "ok", f"{address} is in use, while {server} runs")
        return Check(
            "port", "error", f"{address}: {error}", "stop the other program, or choose another --port or --host"
        )
    return Check("port", "ok", f"{address} is free")


def _answers(host: str, number: int) -> bool:
    try:
        socket.create_connection((host, number), timeout=5.0).close()
    except OSError:
        return False
    return True
