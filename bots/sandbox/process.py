# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that runs in a sandbox, or without one: its lines, its end, and stopping it between its turns."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from bots.failure import PlainFailure
from bots.sandbox import bubblewrap
from bots.sandbox.cgroups import Group, Groups, NoGroups
from bots.sandbox.launchers import LONGEST_LINE, LauncherFailed, Launchers, end, launch, new_launcher
from bots.sandbox.limits import ENVIRONMENT, FILES, HOME, LIBRARIES, SYSTEM, Program
from bots.sandbox.order import Order
from bots.sandbox.own_time import KeptWaiting, OwnTime, within
from bots.sandbox.seccomp import filter_file
from bots.sandbox.watchdog import Overrun, members, processor_time, watch

Tier: TypeAlias = Literal["bubblewrap", "namespaces"]
Result = TypeVar("Result")

KEPT_ERRORS = 64 << 10
"""Bytes of the error output that are kept: the last ones."""

END_WITHIN = 5.0
"""Seconds of its own time in which a program that has closed its output must end."""
READ_WITHIN = 60.0
"""Seconds in which the error output of a program that was killed ends; on a busy machine its last process needs long to
end.
"""
SHORTAGES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""Errors of a machine that has no more processes, memory or open files to give."""
KILLED = "it was ended by SIGKILL"
"""The reason of a program that this process has not killed: the machine may have no memory left."""
SETTING_UP = ("bwrap: ", "sandbox: ", "sh: ")
"""How the error output begins where a sandbox cannot be made: bubblewrap, our launcher, and the shell that enters the
control groups write so.
"""


USED_WHILE_STOPPED = 0.1
"""Seconds of processor time: more shows that a program evades being stopped."""


class ProgramFailed(PlainFailure):
    """A program cannot be started, or has ended; the message says why."""


class MachineFailed(ProgramFailed):
    """A program has failed, and the machine may be the cause: another try may succeed."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A way to run programs in sandboxes on this machine. ``bots.sandbox.tiers`` finds the best."""

    tier: Tier
    groups: Groups | None
    """Control groups, or None: then a watchdog adds up the memory."""
    launchers: Launchers | None = None
    """Launchers that are ready for the next starts, for the tier that uses them."""

    async def start(self, program: Program) -> "Running":
        """Start a program. Raises MachineFailed where the sandbox cannot be made, ProgramFailed, and NoFilter."""
        user = bubblewrap.new_user()
        if user is not None:
            await asyncio.to_thread(_check_readable, program.directory)
        group = None
        start = self._bubblewrapped if self.tier == "bubblewrap" else self._launched
        try:
            group = None if self.groups is None else self.groups.make(program.limits)
            process = await start(program, user, group)
        except (OSError, NoGroups, LauncherFailed) as error:
            if group is not None:
                await asyncio.to_thread(group.remove)
            raise MachineFailed(f"the sandbox cannot be started: {error}") from error
        return Running(process, group, program, program.endings)

    async def _bubblewrapped(self, program: Program, user: int | None, group: Group | None) -> Process:
        """Start a program by bubblewrap. Raises OSError, and NoFilter."""
        descriptor = filter_file()
        try:
            return await asyncio.create_subprocess_exec(
                *([] if group is None else group.entering()),
                *bubblewrap.command(program, user, descriptor),
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

    async def _launched(self, program: Program, user: int | None, group: Group | None) -> Process:
        """Start a program by our own launcher. Raises OSError, NoFilter, and LauncherFailed."""
        process = (self.launchers and self.launchers.take()) or await new_launcher()
        try:
            if group is not None:
                group.enter(process.pid)
            await launch(process, _order(program, user))
        except BaseException:
            await end(process)
            raise
        return process


def _check_readable(directory: Path) -> None:
    """Raise ProgramFailed if the user of a sandbox, who owns nothing, cannot read the program's directory."""
    try:
        mode = directory.stat().st_mode
    except OSError as error:
        raise ProgramFailed(f"{directory}: {error.strerror}") from error
    if mode & 0o005 != 0o005:
        raise ProgramFailed(f"the sandbox cannot read {directory}: allow it for all users (chmod o+rx)")


def leash() -> list[str]:
    """Return the start of a command that ends with this process, even if this process is killed; Linux only."""
    setpriv = shutil.which("setpriv")
    return [] if setpriv is None else [setpriv, "--pdeathsig", "KILL", "--"]


async def start_unprotected(program: Program) -> "Running":
    """Start a program without a sandbox and without limits, in its directory. Raises ProgramFailed.

    It has the environment of this process, and writes its errors where this process does.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *leash(),
            *program.command,
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
            limit=LONGEST_LINE,
            cwd=program.directory,
            env={**os.environ, **program.environment},
        )
    except OSError as error:
        kind = MachineFailed if error.errno in SHORTAGES else ProgramFailed
        raise kind(f"{program.command[0]} cannot be started: {error.strerror}") from error
    return Running(process, None, None, program.endings)


class ProgramProcess(Protocol):
    """The process of a program, as asyncio starts it."""

    pid: int
    stdin: asyncio.StreamWriter | None
    stdout: asyncio.StreamReader | None
    stderr: asyncio.StreamReader | None

    async def wait(self) -> int:
        """Return the exit status, once it has ended."""


class Running:
    """A running program. ``close`` ends it, and all processes that it started, in any state."""

    def __init__(
        self, process: ProgramProcess, group: Group | None, limited: Program | None, endings: Mapping[int, str]
    ) -> None:
        self._process = process
        self._group = group
        self._endings = endings
        self._errors = bytearray()
        self._reason = ""
        self._spoke = False
        self.own_seconds = 0.0
        """Own time of the program in all calls of ``within``."""
        self._awake = asyncio.Event()
        self._awake.set()
        self._stopped: set[int] = set()
        """Processes, where the group does not stop them."""
        self._used = 0.0
        """Seconds of processor time when it was stopped."""
        self._reading = asyncio.create_task(self._read_errors())
        self._tasks = [self._reading]
        if limited is not None:
            self._tasks.append(asyncio.create_task(self._watch(limited)))

    @property
    def errors(self) -> str:
        """The end of what the program has written to its error output; empty without a sandbox."""
        return self._errors.decode(errors="replace")

    @property
    def pid(self) -> int:
        """The process that ends with the program."""
        return self._process.pid

    async def write(self, line: bytes) -> None:
        """Write a line. Raises ProgramFailed if the program has ended or closed its input."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise await self._failure() from error

    async def read(self) -> bytes:
        """Return the next line. Raises ProgramFailed if there is none, or one that is too long."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError as error:
            self.kill(f"it wrote a line of more than {LONGEST_LINE:,} bytes")
            raise await self._failure() from error
        if not line.endswith(b"\n"):
            raise await self._failure()
        self._spoke = True
        return line

    async def within(self, seconds: float | None, work: Coroutine[Any, Any, Result]) -> tuple[Result, float]:
        """Return the result of a coroutine that waits for the program, and the program's own time that passed.

        Raises TimeoutError, and cancels the coroutine, once ``seconds`` of own time have passed; None: no limit. Raises
        MachineFailed where the machine keeps the program from running for much longer.
        """
        own = OwnTime(self._members, lambda: self._processor_time(self._members()))
        try:
            return await within(seconds, work, own), own.seconds
        except KeptWaiting as error:
            raise MachineFailed(str(error)) from None
        finally:
            self.own_seconds += own.seconds

    async def _failure(self) -> ProgramFailed:
        """Return the error of a program that has ended."""
        why = await self.reason()
        if not self._spoke and not self._reason:
            # the pipe ends with the last process, which may outlive the one that was waited for
            await asyncio.wait({self._reading}, timeout=END_WITHIN)
            first = self.errors.partition("\n")[0]
            if first.startswith(SETTING_UP):
                return MachineFailed(f"the sandbox cannot be started: {first}")
        return MachineFailed(why) if why == KILLED else ProgramFailed(why)

    async def reason(self) -> str:
        """Return why the program has ended, for people. Kills it if it has only closed its output."""
        try:
            await self.within(END_WITHIN, self._process.wait())
        except TimeoutError:
            self.kill("it closed its output")
        except MachineFailed:
            self.kill(KILLED)
        code = await self._process.wait()
        if self._group is not None and self._group.out_of_memory:
            return "it used more memory than its limit"
        if self._reason:
            return self._reason
        number = -code if code < 0 else code - 128
        if number == signal.SIGKILL:
            return KILLED
        if number in {item.value for item in signal.Signals}:
            return f"it was ended by {signal.Signals(number).name}"
        if code in self._endings:
            return self._endings[code]
        return f"it ended with exit status {code}"

    def freeze(self) -> None:
        """Stop all processes of the program until ``thaw``."""
        self._awake.clear()
        if self._group is None or not self._group.freeze(True):
            self._stopped.clear()
            # until there are no new ones: those that are stopped start none
            while new := set(self._members()) - self._stopped:
                _signal(new, signal.SIGSTOP)
                self._stopped |= new
        self._used = self._processor_time(self._stopped)

    def thaw(self) -> None:
        """Let the processes go on. Kills them if they let each other go on before."""
        if self._awake.is_set():
            return
        if self._processor_time(self._stopped) - self._used > USED_WHILE_STOPPED:
            self.kill("it used the processor while its opponent was to move")
            return
        self._awake.set()
        if self._group is None or not self._group.freeze(False):
            _signal(self._stopped, signal.SIGCONT)

    def kill(self, reason: str = "") -> None:
        """End all processes of the program, now."""
        self._reason = self._reason or reason
        if self._group is not None:
            self._group.freeze(False)
        inside = members(self._process.pid)
        with contextlib.suppress(ProcessLookupError):
            # the processes inside end with the first one of their namespace
            os.killpg(self._process.pid, signal.SIGKILL)
        _signal([*inside, *(self._group.processes() if self._group else ())], signal.SIGKILL)

    async def close(self) -> None:
        """End the program, and remove what it leaves."""
        self.kill("it was ended")
        await self._process.wait()
        # the end of its output may not have been read yet, and no process is left that could write more
        await asyncio.wait({self._reading}, timeout=READ_WITHIN)
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self._group is not None:
            await asyncio.to_thread(self._group.remove)

    def _members(self) -> list[int]:
        """Return all processes of the program."""
        return (self._group.processes() if self._group else None) or members(self.pid)

    def _processor_time(self, pids: Iterable[int]) -> float:
        """Return the seconds that the program has used; ``pids``: its processes, where the group does not count."""
        used = self._group.processor_time() if self._group else None
        return processor_time(pids) if used is None else used

    async def _read_errors(self) -> None:
        if self._process.stderr is None:
            return
        while chunk := await self._process.stderr.read(1 << 14):
            self._errors += chunk
            del self._errors[:-KEPT_ERRORS]

    async def _watch(self, program: Program) -> None:
        try:
            await watch(self._process.pid, program.limits, add_memory=self._group is None, awake=self._awake)
        except Overrun as error:
            self.kill(str(error))


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _order(program: Program, user: int | None) -> Order:
    """Return the order for our own launcher."""
    limits = program.limits
    system = [path for path in map(Path, SYSTEM) if not path.is_symlink() and path.is_dir()]
    shown = [*system, *(path for path in map(Path, FILES) if path.exists()), *program.readable]
    return {
        "command": list(program.command),
        "environment": {**ENVIRONMENT, **program.environment},
        "directories": [
            *([str(path), str(path)] for path in shown),
            # compiled code may have been removed meanwhile
            *([str(path), f"{LIBRARIES}/{place}"] for place, path in program.libraries.items() if path.exists()),
            [str(program.directory), HOME],
        ],
        "hidden": [str(path) for path in program.hidden],
        "links": [[str(path.readlink()), str(path)] for path in map(Path, SYSTEM) if path.is_symlink()],
        "home": HOME,
        "temporary": limits.temporary,
        "inodes": limits.inodes,
        "user": user,
        "limits": {
            "RLIMIT_NPROC": limits.processes,
            "RLIMIT_NOFILE": limits.open_files,
            "RLIMIT_FSIZE": limits.file_size,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_MSGQUEUE": 0,
        },
    }
