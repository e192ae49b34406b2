# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of a GTP engine: starts it, sends commands and reads their answers, and ends it with its children."""

import asyncio
import contextlib
import logging
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from typing import Self

from bots.bridges import process
from bots.bridges.process import LONGEST_LINE, QUIT_WITHIN, EngineFailed
from bots.bridges.spec import EngineSpec
from bots.sandbox.process import leash

log = logging.getLogger(__name__)

LONGEST_ANSWER = LONGEST_LINE
"""Bytes of an answer, with what the engine writes before it."""

_KEPT_ERRORS = 2000
"""Bytes."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class GtpRefused(Exception):
    """The engine answered a command with an error ("? ..."); the message is the engine's."""


class GtpProcess:
    """A running engine. Belongs to the event loop that started it; ``close`` ends it in any state."""

    def __init__(self, spec: EngineSpec, running: Process, *, tell_errors: bool) -> None:
        self._spec = spec
        self._running = running
        self._tell_errors = tell_errors
        self._pending = False
        """Whether an answer is outstanding, so that the engine is not in step any more."""
        self.commands: frozenset[str] | None = None
        """The commands that the engine lists; None: it lists none."""
        self.name = spec.title
        """The engine's name and version."""
        self._errors = b""
        """The end of its error output."""
        self._reading = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(cls, spec: EngineSpec, *, tell_errors: bool = False) -> Self:
        """Start an engine, and query its name and commands. Raises EngineFailed.

        ``tell_errors``: if the engine ends, the reason has the last line of its error output. Only its owner may see
        that: it may hold secrets.
        """
        try:
            running = await asyncio.create_subprocess_exec(
                *leash(),
                *spec.command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,
                limit=LONGEST_LINE,
            )
        except (OSError, ValueError) as error:
            raise EngineFailed(f"{spec.command[0]} cannot be started: {error}") from error
        engine = cls(spec, running, tell_errors=tell_errors)
        try:
            await engine._greet()
        except BaseException:
            await engine.end()
            raise
        return engine

    async def _greet(self) -> None:
        # one that has no such command answers nevertheless, if it speaks GTP
        version = await self.attempt("protocol_version", process.START_WITHIN)
        if version is not None and version.split()[:1] not in (["1"], ["2"]):
            raise EngineFailed(
                f"{self._spec.title}: the engine speaks version {version[:20]!r} of GTP; supported versions are 1 and 2"
            )
        name, number = [await self.attempt(word) for word in ("name", "version")]
        self.name = " ".join(filter(None, (name, number))) or self._spec.title
        listed = await self.attempt("list_commands")
        if listed is not None and listed.split():
            self.commands = frozenset(listed.split())

    def knows(self, command: str) -> bool:
        """Whether the engine has a command; True if it does not list its commands."""
        return self.commands is None or command in self.commands

    async def attempt(self, command: str, within: float | None = None) -> str | None:
        """Return the engine's answer, None if it refuses or lacks the command. Raises EngineFailed."""
        if not self.knows(command.split()[0]):
            return None
        try:
            return await self.ask(command, process.READY_WITHIN if within is None else within)
        except GtpRefused:
            return None

    async def ask(self, command: str, within: float | None = None) -> str:
        """Send a command and return the answer, without leading and trailing white space.

        ``within``: seconds after which the engine is given up; None: as long as it may take to get ready. Raises
        GtpRefused, and EngineFailed if the engine ended, does not answer, or answers nonsense.
        """
        limited = process.READY_WITHIN if within is None else within
        limit = asyncio.timeout(limited)
        if self._pending:
            raise EngineFailed(f"{self._spec.title}: an earlier command has no answer yet")
        self._pending = True
        try:
            async with limit:
                answer = await self._exchange(command)
        except TimeoutError:
            if not limit.expired():
                raise
            what = f"it did not answer {command.split()[0]} within {limited:g} s"
            raise EngineFailed(f"{self._spec.title}: {what}{self._language()}") from None
        except (OSError, ValueError) as error:
            reason = "it wrote too long a line" if isinstance(error, ValueError) else await self._end_of_engine()
            raise EngineFailed(f"{self._spec.title}: {reason}") from error
        self._pending = False
        text = answer[1:].strip()
        if answer[0] == "?":
            raise GtpRefused(text[:200] or "no reason")
        return text

    def _language(self) -> str:
        return ", so it may not speak GTP" if self.commands is None else ""

    async def _exchange(self, command: str) -> str:
        """Send a command and return its answer: "=" or "?", and the text."""
        assert self._running.stdin is not None, "its input is a pipe"
        self._running.stdin.write(command.encode() + b"\n")
        await self._running.stdin.drain()
        lines: list[str] = []
        read = 0
        while True:
            line = await self._line()
            read += len(line)
            if read > LONGEST_ANSWER:
                raise EngineFailed(f"{self._spec.title}: it answered with more than {LONGEST_ANSWER:,} bytes")
            text = _CONTROL.sub("", line.decode(errors="replace").replace("\t", " ")).rstrip()
            if lines:
                if not text:
                    return "\n".join(lines)
                lines.append(text)
            elif text[:1] in {"=", "?"} and text:
                lines.append(text)
            # lines before an answer are not part of it

    async def _line(self) -> bytes:
        assert self._running.stdout is not None, "its output is a pipe"
        line = await self._running.stdout.readline()
        if not line:
            raise EngineFailed(f"{self._spec.title}: {await self._end_of_engine()}")
        return line

    async def _end_of_engine(self) -> str:
        try:
            async with asyncio.timeout(QUIT_WITHIN):
                code = await self._running.wait()
                await self._reading
        except TimeoutError:
            return "it closed its output"
        lines = _CONTROL.sub("", self._errors.decode(errors="replace")).strip().splitlines()
        said = f": {lines[-1].strip()[:120]}" if lines and self._tell_errors else ""
        return f"its process ended unexpectedly (exit code: {code}){said}"

    async def _read_errors(self) -> None:
        """Read the engine's error output, where GTP programs write search info, so that the engine does not block."""
        assert self._running.stderr is not None, "its error output is a pipe"
        while read := await self._running.stderr.read(1 << 16):
            self._errors = (self._errors + read)[-_KEPT_ERRORS:]

    async def close(self) -> None:
        """Let the engine quit, and end it when it does not at once."""
        try:
            if not self._pending and self._running.returncode is None:
                async with asyncio.timeout(QUIT_WITHIN):
                    await self._exchange("quit")
                    await self._running.wait()
        except (TimeoutError, OSError, ValueError, EngineFailed):
            log.debug("%s did not quit", self._spec.title)
        finally:
            await self.end()

    async def end(self) -> None:
        """End the engine and the processes it started, now."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._running.kill()
            else:
                # the engine leads a group of its own, in which its children may outlive it
                os.killpg(self._running.pid, signal.SIGKILL)
        try:
            async with asyncio.timeout(QUIT_WITHIN):
                await asyncio.shield(self._running.wait())
        except TimeoutError:
            log.warning("%s cannot be ended", self._spec.title)
        finally:
            self._reading.cancel()
            # the pipes too: a child that left the group may hold their other ends
            self._running._transport.close()  # type: ignore[attr-defined]  # asyncio closes them only at their end
