# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications to systemd (``Type=notify``; man sd_notify): the server is ready, works, or stops.

systemd names a Unix datagram socket in NOTIFY_SOCKET. Elsewhere the variable is not set, and nothing is sent.
"""

import asyncio
import os
import socket
from collections.abc import MutableMapping

import structlog

LONGEST = 60.0
"""Most seconds between two notifications of the watchdog."""

log = structlog.get_logger("arena.serve")


class Notifier:
    """Sends notifications to systemd, if it started this process."""

    def __init__(self, environ: MutableMapping[str, str] = os.environ) -> None:
        """Take the variables from ``environ``, so that child processes do not notify systemd."""
        self._address = environ.pop("NOTIFY_SOCKET", "")
        own = environ.pop("WATCHDOG_PID", "") in ("", str(os.getpid()))
        limit = environ.pop("WATCHDOG_USEC", "")
        self.watchdog = int(limit) / 1e6 if own and limit.isdecimal() else 0.0
        """Seconds without a notification after which systemd restarts the server; 0: never."""

    def notify(self, *states: str) -> None:
        """Send states such as ``READY=1``."""
        if not self._address:
            return
        # an abstract socket, which has no file, begins with "@"
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                # a queue that nobody empties must not hold the server up
                sender.setblocking(False)
                sender.sendto("\n".join(states).encode(), address)
        except OSError as error:
            log.warning("systemd cannot be notified", why=error.strerror)

    async def keep(self) -> None:
        """Notify the watchdog until cancelled. An event loop that hangs sends nothing, so systemd restarts the server.
        A database that fails is no reason for a restart, which would not repair it.
        """
        while self.watchdog:
            self.notify("WATCHDOG=1")
            await asyncio.sleep(min(self.watchdog / 3, LONGEST))
