# SPDX-License-Identifier: GPL-3.0-or-later
"""Supervision of child processes: the built-in bots, and those of features; restarts a process that ends.

``arena.protocol.orders`` declares the orders of a child and its progress reports. A child ends when its standard input
is closed, and at once when the arena is killed (``engine.native.child``).
"""

import asyncio
import contextlib
import errno
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import msgspec
import structlog

from arena.protocol.orders import HostProgress
from engine.native import child
from engine.native.child import pass_fds

log = structlog.get_logger("arena.hosting.supervisor")

COMMAND = partial(child.command, "bots.built_in.process")

FIRST_WAIT = 1.0
LONGEST_WAIT = 15.0
"""Seconds before a restart: doubled each time, and reset if the process was ready for longer than the wait. A process
that fails at start must not use much processor time; but bots with running matches must come back soon.
"""

LEAVE_TIME = 3.0
"""Seconds that a process gets to end by itself."""


class Supervisor:
    """Runs a child process and restarts it when it ends."""

    def __init__(
        self,
        orders: Callable[[int], Awaitable[msgspec.Struct]],
        report: Callable[[HostProgress], None],
        command: Callable[[], Sequence[str]] = COMMAND,
        *,
        name: str = "built-in bots",
        hear: Callable[[bytes], bool] = lambda line: False,
    ) -> None:
        """``orders``: called with the process id after each start, returns the orders; ``report``: called with each
        progress report; ``command``: returns the command line (see ``engine.native.child``); ``name``: for the log;
        ``hear``: called with each line of output first; returns whether it was a report of the process's own kind.
        """
        self._name = name
        self._orders = orders
        self._report = report
        self._command = command
        self._hear = hear
        self._ready: float | None = None
        """Time since which the process is ready, on the loop's clock."""
        self._process: Process | None = None
        self.loading = asyncio.Event()
        """Set when the process has been started for the first time."""

    async def run(self) -> None:
        """Run the process until cancelled; restart it after a pause when it ends."""
        wait = FIRST_WAIT
        while True:
            self._ready = None
            try:
                status = await self._live()
                log.warning("a process ended", process=self._name, status=status)
            except OSError as error:
                log.warning("failed to start a process", process=self._name, why=str(error))
            except Exception:
                log.exception("failed to run a process", process=self._name)
            self._report(HostProgress(warming=f"restarting the process: {self._name}", ended=True))
            if self._played() > wait:
                wait = FIRST_WAIT
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def add(self, orders: msgspec.Struct) -> None:
        """Send further orders to the running process."""
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(msgspec.json.encode(orders) + b"\n")

    def _played(self) -> float:
        """Return the seconds since the process became ready."""
        return 0.0 if self._ready is None else asyncio.get_running_loop().time() - self._ready

    async def _live(self) -> int:
        """Run the process once; return its exit status."""
        process = await start_process(
            *self._command(),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # the arena handles Ctrl-C alone
        )
        self.loading.set()
        try:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(await self._orders(process.pid)) + b"\n")
            self._process = process
            await process.stdin.drain()
            await self._listen(process)
            return await process.wait()
        finally:
            self._process = None
            await _dismiss(process)

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        decoder = msgspec.json.Decoder(HostProgress)
        async for line in process.stdout:
            if self._hear(line):
                continue
            try:
                progress = decoder.decode(line)
            except msgspec.DecodeError:
                log.info("output of a process", process=self._name, line=line.decode(errors="replace").rstrip())
            else:
                if progress.ready:
                    self._ready = asyncio.get_running_loop().time()
                self._report(progress)


async def _dismiss(process: Process) -> None:
    """End a process: close its standard input, then send signals."""
    if process.stdin is not None:
        process.stdin.close()
    for ask in (None, process.terminate, process.kill):
        if process.returncode is not None:
            return
        with contextlib.suppress(TimeoutError, ProcessLookupError):
            if ask is not None:
                ask()
            async with asyncio.timeout(LEAVE_TIME):
                await process.wait()


# ---------------------------------------------------------------- processes
#
# Start of child processes, with retries while the system is short of resources.

WAITS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds before each retry."""

_PASSING = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""Temporary errors: no free process number, memory or file descriptor."""


async def start_process(*command: str, **options: Any) -> Process:
    """Start a command with the options of ``asyncio.create_subprocess_exec``; retry after temporary errors.

    A command of ``engine.native.child`` ends with this process.
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
