# SPDX-License-Identifier: GPL-3.0-or-later
"""Resource use of another process, from /proc (Linux only)."""

import os
from pathlib import Path

from msgspec import Struct


class Usage(Struct, frozen=True):
    """Seconds of all processors together that a process has used so far, and the memory it has now."""

    cpu: float
    bytes: int


def usage_of(pid: int) -> Usage | None:
    """Return what a process uses; None when it is gone or nobody can tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    user, system, pages = int(fields[11]), int(fields[12]), int(fields[21])
    return Usage((user + system) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))
