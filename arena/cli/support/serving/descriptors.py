# SPDX-License-Identifier: GPL-3.0-or-later
"""File descriptors: each connection needs one, and the system limits their number in a process."""

import asyncio
import dataclasses
import errno
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import structlog

from arena.seconds import until_next_second
from arena.settings import Settings

if sys.platform != "win32":
    import resource

CONNECTIONS = ("max_connections", "silent_connections", "max_spectators", "http_connections")
"""Settings that limit the number of connections."""

RESERVED = 400
"""Descriptors for all else: the database, logs, files that are sent, other processes of the arena and their threads.
Half of all where there are very few.
"""

LEAST = 10
"""Connections of each kind that are allowed however few descriptors there are."""

EVERY = 60.0
"""Seconds between two log lines that none is, at least."""

log = structlog.get_logger("arena.descriptors")


def raise_limit() -> int | None:
    """Let this process have as many descriptors as it may; returns how many. None: there is no limit."""
    if sys.platform == "win32":
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):  # macOS grants less than it says
        return soft
    return None if hard == resource.RLIM_INFINITY else hard


def fitted(settings: Settings, limit: int | None) -> Settings:
    """Return settings whose connection limits fit the descriptor limit, with a warning if they were reduced."""
    allowed = {name: getattr(settings, name) for name in CONNECTIONS}
    needed = sum(allowed.values()) + RESERVED
    if limit is None or needed <= limit:
        return settings
    share = max(limit - RESERVED, limit // 2) / (needed - RESERVED)
    fewer = {name: min(number, max(LEAST, int(number * share))) for name, number in allowed.items()}
    log.warning(
        "the limit of file descriptors is too low, so fewer connections are allowed; raise the limit (ulimit -n, or "
        "LimitNOFILE in systemd)",
        granted=limit,
        needed=needed,
        **fewer,
    )
    return dataclasses.replace(settings, **fewer)


class Scarcity:
    """Tells once a minute that no descriptor is left, however often that is noticed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds."""
        self._clock = clock
        self._tell_at = 0.0

    def on_exception(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle errors of the event loop: failed accepts are counted, not logged one by one."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            self._tell(error)
        else:
            loop.default_exception_handler(context)

    async def watch(self) -> None:
        """Check every second; the event loop closes connections without descriptors silently."""
        while True:
            await asyncio.sleep(until_next_second())
            self.look()

    def look(self) -> None:
        """Tell if no descriptor is left now."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            self._tell(error)

    def _tell(self, error: OSError) -> None:
        if (now := self._clock()) >= self._tell_at:
            self._tell_at = now + EVERY
            log.error("no free file descriptors; new connections wait or are closed", why=error.strerror)
