# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks on functions that are being compiled: of all processes that share a cache, one compiles a function.

The others wait and load what it saved. Each function has an empty file beside its compiled code, and the operating
system's lock on that file (flock) is the lock. The system gives it back when its holder ends, however it ends, so no
lock is ever left over. The files stay: to delete one would let two processes lock two files of the same name.

A process takes locks in the order in which functions call each other, and those calls form no circle, so processes
never wait for each other in a circle either. Where a lock cannot be had (no such system call, no right to write), or
its holder does not move for ``PATIENCE`` seconds, a process compiles without it: that costs time, and nothing else.
"""

import contextlib
import logging
import os
import sys
import threading
from pathlib import Path

if sys.platform != "win32":
    import fcntl

LOOK = 0.05
"""Seconds between two tries for a lock that another process holds."""

PATIENCE = 600.0
"""Seconds after which a process compiles without the lock: its holder may be suspended."""

log = logging.getLogger(__name__)

_held: dict[Path, tuple[int, int]] = {}
"""Of each lock of this process its file descriptor, and how often it was taken. Only the thread that compiles looks
here: numba lets one compile at a time."""


def take(path: Path, what: str) -> bool:
    """Take the lock in a file, which is made where it is missing; wait while another process holds it.

    Returns whether there was a wait: then the other process may have saved what is wanted. ``what`` is being compiled,
    for the log. Every call needs one of ``give_back``.
    """
    if path in _held:
        descriptor, times = _held[path]
        _held[path] = descriptor, times + 1
        return False
    descriptor = _opened(path)
    _held[path] = descriptor, 1
    if descriptor < 0 or _locked(descriptor):
        return False
    log.info("waiting for another process, which compiles %s", what)
    tick = threading.Event()
    for _ in range(int(PATIENCE / LOOK)):
        tick.wait(LOOK)
        if _locked(descriptor):
            return True
    log.warning("Another process compiles %s and does not get done; compiling it here too.", what)
    return True


def give_back(path: Path) -> None:
    """Give a lock back that this process took, once for each time; one that it did not take is passed over."""
    if path not in _held:
        return
    descriptor, times = _held.pop(path)
    if times > 1:
        _held[path] = descriptor, times - 1
    elif descriptor >= 0:
        os.close(descriptor)


def _opened(path: Path) -> int:
    """Return a descriptor of the file, -1 where there can be none."""
    if sys.platform == "win32":
        return -1
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    return -1


def _locked(descriptor: int) -> bool:
    """Try to lock; where there are no locks, all is well."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
