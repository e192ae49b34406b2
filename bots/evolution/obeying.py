# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that an arena starts beside itself, at the lowest priority, and that end with their standard input.

The first line there is their orders, as JSON.
"""

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import TextIO, TypeVar

import msgspec

from arena.protocol.terminal import log_to_terminal
from bots.precedence import stand_back
from engine.child import exit_after

Orders = TypeVar("Orders", bound=msgspec.Struct)

GRACE = 5.0
"""Seconds that the work has to end by itself once the input has ended; a game may take minutes."""

_NICENESS = 19


def obey(what: str, kind: type[Orders], work: Callable[[Orders], Awaitable[None]], told: TextIO = sys.stdin) -> int:
    """Read orders and do the work until the input ends; returns the exit code. ``what`` it is called in messages."""
    log_to_terminal(logging.WARNING, f"{what}: %(message)s")
    line = told.readline()
    if not line:
        return 0  # called off
    stand_back(_NICENESS)
    try:
        orders = msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        print(f"{what}: the first line is no orders: {error}", file=sys.stderr)
        return 2
    asyncio.run(_until_told(work(orders), told))
    return 0


async def _until_told(work: Awaitable[None], told: TextIO) -> None:
    """Work until the standard input ends."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def watch() -> None:
        while told.readline():
            pass
        exit_after(GRACE)
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=watch, name="standard input", daemon=True).start()
    working, waiting = asyncio.ensure_future(work), asyncio.create_task(ended.wait())
    await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
    for task in (working, waiting):
        task.cancel()
    await asyncio.wait({working, waiting})
    if not working.cancelled() and (error := working.exception()) is not None:
        raise error
