# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that searches on demand, in a child process that starts with the first request.

Requests wait in one queue. The queue, and the requests of one client, are limited. The process ends when it had nothing
to do for a while.
"""

import asyncio
import contextlib
from asyncio.subprocess import PIPE, Process
from collections import Counter
from functools import partial

import msgspec
import structlog

from arena.application import Arena
from arena.feature import Part
from arena.features.explorer.jobs import Failed, Job, MatchSummary, Outcome
from arena.features.explorer.settings import ExplorerSettings
from arena.hosting.supervisor import start_process
from engine.native import child

COMMAND = partial(child.command, "arena.features.explorer.process")

IDLE = 60.0
"""Seconds without a job after which the process ends."""

PATIENCE = 300.0
"""Seconds for one job, after which the process is killed: compiling a game's searches can take a minute or more."""

LINE = 1 << 26
"""Maximum length of an answer."""

RETRY_AFTER = 5.0
"""Seconds after which a refused client may try again."""

SUMMARIES = 256
"""Kept summaries of matches."""

_OUTCOMES: msgspec.json.Decoder[Outcome] = msgspec.json.Decoder(Outcome)

log = structlog.get_logger("arena.explorer")


class TooMany(Exception):
    """A limit on waiting searches is reached."""


class ExplorerPart(Part):
    """Queues jobs, and runs the process."""

    def __init__(self, arena: Arena) -> None:
        self.settings = arena.settings.of(ExplorerSettings)
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = Counter[str]()
        """Jobs that run or wait, by client."""
        self._tasks: set[asyncio.Task[Outcome]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._summaries: dict[int, MatchSummary] = {}
        """Summaries of matches, the newest last."""

    def summary(self, match: int) -> MatchSummary | None:
        """Return the summary of a match that was requested before."""
        return self._summaries.get(match)

    def keep_summary(self, match: int, summary: MatchSummary) -> None:
        """Keep a summary; the oldest is dropped when there are too many."""
        if len(self._summaries) >= SUMMARIES:
            del self._summaries[next(iter(self._summaries))]
        self._summaries[match] = summary

    @property
    def process(self) -> Process | None:
        """The running process; None without one."""
        return self._process

    async def ask(self, client: str, job: Job) -> Outcome:
        """Wait for a turn and do a job. Raises TooMany.

        A job counts until it is done, also if its client has gone meanwhile.
        """
        if self._waiting[client] >= self.settings.explorer_queue_each:
            raise TooMany("searches of this address are running already; wait for their answers")
        if self._waiting.total() > self.settings.explorer_queue:
            raise TooMany("too many searches are waiting; try again soon")
        self._waiting[client] += 1
        task = asyncio.create_task(self._do(client, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def stop(self) -> None:
        """End the process."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._timer is not None:
            self._timer.cancel()
        await self._end()

    async def _do(self, client: str, job: Job) -> Outcome:
        try:
            async with self._turn:
                if self._timer is not None:
                    self._timer.cancel()
                found = await self._answer(job)
                self._timer = asyncio.get_running_loop().call_later(IDLE, self._leave)
                return found
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client]

    async def _answer(self, job: Job) -> Outcome:
        """Give a job to the process, which is started if it does not run."""
        line = b""
        try:
            used = self._process
            if used is not None and used.returncode is None:
                # it may have ended meanwhile
                with contextlib.suppress(ConnectionError):
                    line = await self._exchange(used, job)
            if not line:
                await self._end()
                self._process = await start_process(
                    *COMMAND(), stdin=PIPE, stdout=PIPE, start_new_session=True, limit=LINE
                )
                line = await self._exchange(self._process, job)
            return _OUTCOMES.decode(line)
        except (OSError, ValueError) as error:
            log.warning("a requested search failed", why=str(error) or type(error).__name__)
            line = b""
            return Failed()
        finally:
            if not line:
                await self._end()

    async def _exchange(self, process: Process, job: Job) -> bytes:
        """Send a job to a process; return its answer, empty if it has ended. Raises OSError and ValueError."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(job) + b"\n")
        async with asyncio.timeout(PATIENCE):
            await process.stdin.drain()
            return await process.stdout.readline()

    def _leave(self) -> None:
        """Let the idle process end."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()

    async def _end(self) -> None:
        """End the process, by force if it works."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
