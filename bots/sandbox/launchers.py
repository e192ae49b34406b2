# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of our own launcher: each waits for one order. ``Launchers`` keeps some of them ready.

A Python interpreter needs some 15 ms until it can make a sandbox. A launcher that is ready has spent this time already.
"""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

from bots.sandbox.order import Order, encoded
from bots.sandbox.seccomp import filter_file

LAUNCHER = Path(__file__).with_name("launcher.py")
READY = b"ready\n"
"""What a launcher writes first."""
LONGEST_LINE = 1 << 20
"""Bytes of a line that a program may write."""
REFILL = 0.5
"""Seconds after which a launcher that was used is replaced, so that its program starts undisturbed."""


class LauncherFailed(Exception):
    """The launcher has ended before it was ready; the message is its error output."""


async def new_launcher() -> Process:
    """Start a launcher. Raises OSError, NoFilter, and LauncherFailed."""
    descriptor = filter_file()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-B", str(LAUNCHER), str(descriptor)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            pass_fds=(descriptor,),
            start_new_session=True,
            limit=LONGEST_LINE,
            env={},
            cwd="/",
        )
    finally:
        os.close(descriptor)
    try:
        assert process.stdout is not None
        if await process.stdout.readline() != READY:
            assert process.stderr is not None
            raise LauncherFailed((await process.stderr.read()).decode(errors="replace").strip() or "it ended at once")
    except BaseException:
        await end(process)
        raise
    return process


async def launch(process: Process, order: Order) -> None:
    """Give a launcher its order. Raises OSError if it has ended."""
    assert process.stdin is not None
    process.stdin.write(encoded(order))
    await process.stdin.drain()


async def end(process: Process) -> None:
    """End a launcher that has no order."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()


class Launchers:
    """Keeps launchers ready for the next starts. Close them with ``aclose``."""

    def __init__(self, count: int, tell: Callable[[str], None] = lambda why: None) -> None:
        """Keep ``count`` launchers; ``tell`` is called with the reason why there are none."""
        self._count = count
        self._tell = tell
        self._ready: list[Process] = []
        self._filling: asyncio.Task[None] | None = None
        self._closed = False

    async def fill(self) -> None:
        """Start launchers until enough are ready."""
        while not self._closed and len(self._ready) < self._count:
            try:
                self._ready.append(await new_launcher())
            except (OSError, LauncherFailed) as error:
                self._tell(str(error))
                return

    def take(self) -> Process | None:
        """Return a launcher that is ready, if there is one, and replace it soon."""
        while self._ready:
            process = self._ready.pop(0)
            if process.returncode is None:
                self._fill_later()
                return process
        self._fill_later()
        return None

    def _fill_later(self) -> None:
        if not self._closed and (self._filling is None or self._filling.done()):
            self._filling = asyncio.create_task(self._refill())

    async def _refill(self) -> None:
        await asyncio.sleep(REFILL)
        await self.fill()

    async def aclose(self) -> None:
        """End all launchers that wait."""
        self._closed = True
        if self._filling is not None:
            self._filling.cancel()
            await asyncio.wait({self._filling})
        for process in self._ready:
            await end(process)
        self._ready.clear()
