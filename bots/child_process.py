# SPDX-License-Identifier: GPL-3.0-or-later
"""A child process of the server: reads its orders, works at low priority, reports, and ends with its standard input.

``arena.protocol.orders`` declares the orders and reports.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn, TextIO, TypeVar

import msgspec

from arena.protocol.orders import HostProgress
from arena.protocol.terminal import log_to_terminal
from engine.native.child import exit_after

Orders = TypeVar("Orders", bound=msgspec.Struct)

GRACE = 5.0
"""Seconds that the work has to end by itself once the input has ended; a game may take minutes."""

LOWEST = 19
"""The niceness of work that may wait for everything else."""

_GROUP = Path("/proc/self/autogroup")


def obey(
    what: str,
    kind: type[Orders],
    work: Callable[[Orders], Awaitable[None]],
    lines: TextIO = sys.stdin,
    *,
    niceness: int = LOWEST,
    further: Callable[[str], None] = lambda line: None,
) -> int:
    """Read orders, and work until the input ends or SIGTERM comes; return the exit code.

    ``what``: the name of the process in messages. ``further`` is called in another thread with each further line.
    """
    log_to_terminal(logging.WARNING, f"{what}: %(message)s")
    line = lines.readline()
    if not line:
        return 0  # the parent closed the input before it sent orders
    if niceness:
        lower_priority(niceness)
    try:
        orders = msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        print(f"{what}: the first line is not valid {kind.__name__}: {error}", file=sys.stderr)
        return 2
    asyncio.run(_until_end(work(orders), lines, further))
    return 0


def report(progress: HostProgress) -> None:
    """Write a progress report for the server, unless it has ended."""
    with contextlib.suppress(BrokenPipeError):
        # in one piece, because another thread may report too
        sys.stdout.write(msgspec.json.encode(progress).decode() + "\n")
        sys.stdout.flush()


def leave(code: int) -> NoReturn:
    """End this process at once: threads that search or compile do not end with the interpreter."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def lower_priority(by: int) -> None:
    """Raise the niceness of this process. Call it before threads are started, which inherit it.

    Where Linux shares processors among sessions before it looks at niceness (sched_autogroup), a process that leads a
    session lowers the priority of its session too.
    """
    # Windows has no niceness; Linux may have no groups
    with contextlib.suppress(AttributeError, OSError):
        niceness = os.nice(by)
        if os.getsid(0) == os.getpid():
            _GROUP.write_text(str(niceness))


async def _until_end(work: Awaitable[None], lines: TextIO, further: Callable[[str], None]) -> None:
    """Work until the standard input ends or SIGTERM comes."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def watch() -> None:
        while line := lines.readline():
            further(line)
        exit_after(GRACE)
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=watch, name="standard input", daemon=True).start()
    # Ctrl-C in a terminal reaches this process as well as the server, which ends it by its standard input
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGTERM, ended.set)
    working, waiting = asyncio.ensure_future(work), asyncio.create_task(ended.wait())
    await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
    for task in (working, waiting):
        task.cancel()
    await asyncio.wait({working, waiting})
    if not working.cancelled() and (error := working.exception()) is not None:
        raise error
