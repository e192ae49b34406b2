# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of ``bots.data.fork_server``: starts the programs of data bots within milliseconds."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bots.data.endings import ENDINGS
from bots.data.requests import READY, Ended, Report, Request, Started
from bots.sandbox.launchers import LONGEST_LINE
from bots.sandbox.process import Running, leash

MODULE = "bots.data.fork_server"
READY_WITHIN = 600.0
"""Seconds in which a slow machine loads numba."""


class NoForkServer(Exception):
    """No program can be started this way now; the message says why."""


class ForkedProcess:
    """A program that the server has started. ``Running`` uses it in the place of asyncio's."""

    def __init__(self, pid: int, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self.pid = pid
        self.stdin: asyncio.StreamWriter | None = stdin
        self.stdout: asyncio.StreamReader | None = stdout
        self.stderr: asyncio.StreamReader | None = None
        """The program writes its errors where this process does."""
        self._status: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def wait(self) -> int:
        """Return the exit status, once the program has ended."""
        return await asyncio.shield(self._status)

    def ended(self, status: int) -> None:
        """Note the end."""
        if not self._status.done():
            self._status.set_result(status)
        if self.stdin is not None:
            self.stdin.close()


class ForkServer:
    """The server process, which starts with its first use. ``aclose`` ends it."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._control: socket.socket | None = None
        self._starting = asyncio.Lock()
        self._watching: set[asyncio.Task[None]] = set()

    async def prepare(self) -> socket.socket:
        """Start the server if it does not run; return its socket. Raises NoForkServer."""
        if sys.platform != "linux":
            raise NoForkServer("only Linux has what the server needs")
        async with self._starting:
            if self._control is None or self._process is None or self._process.returncode is not None:
                await self.aclose()
                await self._start()
            assert self._control is not None
            return self._control

    async def _start(self) -> None:
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own.setblocking(False)
        self._control = own
        try:
            # without threads of numpy's, which copies of the process would lack
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            self._process = await asyncio.create_subprocess_exec(
                *leash(), sys.executable, "-I", "-m", MODULE, stdin=other.fileno(), stdout=DEVNULL, env=environment
            )
        except OSError as error:
            raise NoForkServer(f"its process cannot be started: {error.strerror}") from error
        finally:
            other.close()
        try:
            async with asyncio.timeout(READY_WITHIN):
                said = await asyncio.get_running_loop().sock_recv(own, len(READY))
        except (OSError, TimeoutError) as error:
            raise NoForkServer(f"its process is not ready: {error!r}") from error
        if said != READY:
            raise NoForkServer("its process ended at once")

    async def start(self, file: Path, game: str, endings: Mapping[int, str] = ENDINGS) -> Running:
        """Start the program of a file for a match of this game. Raises NoForkServer."""
        control = await self.prepare()
        source, stdin = os.pipe()
        stdout, target = os.pipe()
        reports, reporting = os.pipe()
        try:
            body = msgspec.json.encode(Request(str(file), game))
            socket.send_fds(control, [body], [source, target, reporting])
        except OSError as error:
            for descriptor in (stdin, stdout, reports):
                os.close(descriptor)
            raise NoForkServer(f"its process takes no request: {error.strerror}") from error
        finally:
            for descriptor in (source, target, reporting):
                os.close(descriptor)
        lines, output, writer = await _reader(reports), await _reader(stdout), await _writer(stdin)
        first = await _report(lines)
        if not isinstance(first, Started):
            writer.close()
            raise NoForkServer("its process ended")
        process = ForkedProcess(first.pid, writer, output)
        task = asyncio.create_task(_follow(process, lines))
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)
        return Running(process, None, None, endings)

    async def aclose(self) -> None:
        """End the server and its programs."""
        control, self._control = self._control, None
        process, self._process = self._process, None
        if control is not None:
            control.close()
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._watching:
            await asyncio.wait(self._watching)


async def _follow(process: ForkedProcess, lines: asyncio.StreamReader) -> None:
    """Wait for the end of a program, or of the server, which ends it."""
    last = await _report(lines)
    process.ended(last.status if isinstance(last, Ended) else -signal.SIGKILL)


async def _report(lines: asyncio.StreamReader) -> Report | None:
    """Return the next line about a program; None if the server has ended."""
    line = await lines.readline()
    return msgspec.json.decode(line, type=Report) if line else None


async def _reader(descriptor: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    file = os.fdopen(descriptor, "rb", 0)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return reader


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    file = os.fdopen(descriptor, "wb", 0)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, file)
    return asyncio.StreamWriter(transport, protocol, None, loop)
