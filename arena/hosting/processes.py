# SPDX-License-Identifier: GPL-3.0-or-later
"""Start of child processes, with retries while the system is short of resources."""

import asyncio
import errno
from asyncio.subprocess import Process
from typing import Any

import structlog

from engine.child import pass_fds

log = structlog.get_logger("arena.hosting.processes")

WAITS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds before each retry."""

_PASSING = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""Temporary errors: no free process number, memory or file descriptor."""


async def start_process(*command: str, **options: Any) -> Process:
    """Start a command with the options of ``asyncio.create_subprocess_exec``; retry after temporary errors.

    A command of ``engine.child`` ends with this process.
    Raises OSError after the last retry, and at once for permanent errors.
    """
    options = {"pass_fds": pass_fds(), **options}
    for wait in WAITS:
        try:
            return await asyncio.create_subprocess_exec(*command, **options)
        except OSError as error:
            if error.errno not in _PASSING:
                raise
            log.warning("failed to start a process; retrying", command=command[-1], why=str(error), wait=wait)
            await asyncio.sleep(wait)
    return await asyncio.create_subprocess_exec(*command, **options)
