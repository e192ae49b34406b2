# SPDX-License-Identifier: GPL-3.0-or-later
"""Starting child processes, also where the system is short of something for a moment."""

import asyncio
import errno
from asyncio.subprocess import Process
from typing import Any

import structlog

from engine.child import pass_fds

log = structlog.get_logger("arena.hosting.processes")

WAITS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds before each new attempt."""

_PASSING = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""The system had no process number, memory or file left; it may have one again in a moment."""


async def start_process(*command: str, **options: Any) -> Process:
    """Start a command, with the options of ``asyncio.create_subprocess_exec``; try again while the system is short.

    A command of ``engine.child`` ends with this process.
    Raises OSError after the last attempt, and at once where the command cannot be run at all.
    """
    options = {"pass_fds": pass_fds(), **options}
    for wait in WAITS:
        try:
            return await asyncio.create_subprocess_exec(*command, **options)
        except OSError as error:
            if error.errno not in _PASSING:
                raise
            log.warning("a process cannot be started yet", command=command[-1], why=str(error), wait=wait)
            await asyncio.sleep(wait)
    return await asyncio.create_subprocess_exec(*command, **options)
