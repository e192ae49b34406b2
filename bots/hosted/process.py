# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.hosted.process``: validates uploaded bots one after another, and connects those that were accepted.

It reads a line of ``HostingOrders``, then lines of ``HostingState``, and writes lines of ``HostingReport``
(``arena.protocol.hosting``). Each connected bot is an ordinary client of the arena; its program starts with its match.
A validation runs in a process of its own, because rules that are compiled there must not delay the matches here.
"""

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import replace

import msgspec

from arena.protocol.hosting import (
    HostingOrders,
    HostingReport,
    HostingState,
    SandboxFound,
    Validated,
    Validation,
    ValidationEnded,
    ValidationOrders,
)
from bots.child_process import leave, obey
from bots.hosted.files import FilesInUse
from bots.hosted.forks import ForkServer
from bots.hosted.reports import tell
from bots.hosted.seats import Seats
from bots.sandbox import find
from bots.sandbox.launchers import Launchers
from engine.native import child

log = logging.getLogger(__name__)

READY_LAUNCHERS = 2
"""A match may start two programs."""

VALIDATION = "bots.hosted.validation"

WHOLE = 4
"""Times ``validation_time`` after which a validation on a busy machine is given up, to be tried again."""

LONGEST_LINE = 1 << 18
"""Bytes that a report of a validation may have."""


class Validations:
    """Validates uploads one after another."""

    def __init__(self, orders: HostingOrders, files: FilesInUse, *, sandboxed: bool = False) -> None:
        """``sandboxed``: whether the machine has a sandbox."""
        self._orders = orders
        self._files = files
        self._sandboxed = sandboxed
        self._waiting: list[Validation] = []
        self._wanted: set[tuple[int, float]] = set()
        self._done: set[tuple[int, float]] = set()
        self._changed = asyncio.Event()
        self._current: Validation | None = None
        self._process: Process | None = None

    def update(self, validations: list[Validation]) -> None:
        """Replace the queue. A running validation that is not in the new queue is stopped."""
        self._wanted = {_key(each) for each in validations}
        self._done &= self._wanted
        self._waiting = [each for each in validations if _key(each) not in self._done]
        self._end_unwanted()
        self._changed.set()

    def _end_unwanted(self) -> None:
        """End the process of a validation that the server does not want any more."""
        if self._current is not None and _key(self._current) not in self._wanted and self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def run(self) -> None:
        """Validate until cancelled."""
        while True:
            while self._waiting:
                current = self._current = self._waiting.pop(0)
                self._done.add(_key(current))
                try:
                    with self._files.used(current.upload):
                        await self._validate(current)
                finally:
                    self._current = None
            self._changed.clear()
            await self._changed.wait()

    async def _validate(self, validation: Validation) -> None:
        """Run the process of a validation, and pass its reports on."""
        limit = WHOLE * self._orders.validation_time
        why = ""
        try:
            async with asyncio.timeout(limit):
                done, why = await self._reported(validation)
        except TimeoutError:
            done, why = False, f"it lasted more than {limit:g} s on a busy machine"
        # the server may want it again
        if not done:
            self._done.discard(_key(validation))
        if why:
            tell(ValidationEnded(validation.upload, why))

    async def _reported(self, validation: Validation) -> tuple[bool, str]:
        """Return whether the process reported a result, and how the process ended; "" if it reported that itself."""
        try:
            process = self._process = await asyncio.create_subprocess_exec(
                *child.command(VALIDATION), stdin=PIPE, stdout=PIPE, pass_fds=child.pass_fds(), limit=LONGEST_LINE
            )
        except OSError as error:
            return False, f"its process cannot be started: {error.strerror}"
        done = said = False
        # the server may have removed the validation from the queue while the process started
        self._end_unwanted()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                orders = ValidationOrders(self._orders, validation, self._sandboxed)
                process.stdin.write(msgspec.json.encode(orders) + b"\n")
                await process.stdin.drain()
            decoder = msgspec.json.Decoder(HostingReport)
            async for line in process.stdout:
                with contextlib.suppress(msgspec.DecodeError):
                    report = decoder.decode(line)
                    done = done or isinstance(report, Validated)
                    said = said or isinstance(report, Validated | ValidationEnded)
                    tell(report)
            status = await process.wait()
            return done, "" if said else f"its process ended with exit status {status}"
        finally:
            self._process = None
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


def _key(validation: Validation) -> tuple[int, float]:
    return validation.upload, validation.queued


class Host:
    """Applies the newest state from the server."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._states: list[HostingState] = []
        self._news = asyncio.Event()

    def update(self, line: str) -> None:
        """Take a further line of the server. Called from another thread."""
        with contextlib.suppress(msgspec.DecodeError, RuntimeError):
            self._states.append(msgspec.json.decode(line, type=HostingState))
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._news.set)

    async def work(self, orders: HostingOrders) -> None:
        """Follow the states until cancelled."""
        self._loop = asyncio.get_running_loop()
        found = await find()
        tell(SandboxFound(found.tier, list(found.reasons)))
        launchers = Launchers(READY_LAUNCHERS, lambda why: log.warning("no launcher of sandboxes is ready: %s", why))
        if found.sandbox is not None and found.sandbox.tier == "namespaces":
            found = replace(found, sandbox=replace(found.sandbox, launchers=launchers))
            await launchers.fill()
        files = FilesInUse(tell)
        validations = Validations(orders, files, sandboxed=found.sandbox is not None)
        async with (
            contextlib.aclosing(launchers),
            contextlib.aclosing(ForkServer()) as forks,
            asyncio.TaskGroup() as group,
        ):
            seats = Seats(orders, found, group, tell, files, forks)
            group.create_task(validations.run())
            while True:
                if self._states:
                    state = self._states[-1]
                    self._states.clear()
                    validations.update(state.validations)
                    seats.update(state.seats)
                    files.update(state.leaving)
                self._news.clear()
                if not self._states:
                    await self._news.wait()


def main() -> int:
    """Read the orders and work; return the exit code."""
    sys.setswitchinterval(0.001)
    host = Host()
    return obey("uploaded bots", HostingOrders, host.work, niceness=0, further=host.update)


if __name__ == "__main__":
    leave(main())
