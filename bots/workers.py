# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in processes of their own, several at once: bots share no interpreter, and a crash ends one match only.

``python -m bots.workers`` is such a process. The first line of its standard input is the series, each other one the
number of a match to play, and its answer is a line of standard output. The end of the input ends the process, and the
match that is under way. A process that dies is started again, and its match is played anew.
"""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Self, TextIO

from msgspec import Struct, json

from bots.contest import Contest, NoEntrant
from bots.series import Played, in_order
from engine.match.record import Record
from engine.native import child
from engine.native.child import exit_after

GRACE = 5.0
"""Seconds that bots have to end after the input has ended."""


ATTEMPTS = 3
"""Attempts at a match that kills its process, before it is reported."""

LONGEST = 2**26
"""Bytes of a match's record."""

PATIENCE = 10.0
"""Seconds that a process may take to end."""


class Finished(Struct, frozen=True, tag="finished"):
    """A match that was played."""

    seat: int
    record: Record


class CannotPlay(Struct, frozen=True, tag="refused"):
    """A match that cannot be played, and the reason, for people."""

    why: str


Reply = Finished | CannotPlay


async def work(contest: Contest, answers: TextIO) -> None:
    """Play matches by number until cancelled."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    asked: asyncio.Queue[int] = asyncio.Queue()
    assert task is not None, "a coroutine runs in a task"

    def listen() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(asked.put_nowait, int(line))
        # a hung bot must not outlive the parent process
        exit_after(GRACE)
        loop.call_soon_threadsafe(task.cancel)

    threading.Thread(target=listen, daemon=True).start()
    setting, entrants = contest.setting(), None
    while True:
        index = await asked.get()
        try:
            entrants = entrants or await contest.entrants()
            played = await setting.play(entrants, index)
            reply: Reply = Finished(played.seat, played.record)
        except (ValueError, NoEntrant) as error:
            reply = CannotPlay(str(error))
        answers.write(json.encode(reply).decode() + "\n")
        answers.flush()


def main() -> None:
    """Read the contest and play."""
    # output of bots must not mix with the answers
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    contest = json.decode(sys.stdin.readline(), type=Contest)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(work(contest, answers))


_decode = json.Decoder[Reply](Reply).decode


class WorkerDied(Exception):
    """A match ended the process that played it, again and again."""


class _Worker:
    """A process that plays one match at a time."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._process: asyncio.subprocess.Process | None = None

    async def play(self, index: int) -> Reply | None:
        """Play a match; None when the process died of it."""
        try:
            process = self._process = self._process or await self._started()
            assert process.stdin is not None, "it is a pipe"
            assert process.stdout is not None, "it is a pipe"
            process.stdin.write(f"{index}\n".encode())
            await process.stdin.drain()
            line = await process.stdout.readline()
        except ConnectionError:
            line = b""
        if not line.endswith(b"\n"):
            await self.close()
            return None
        return _decode(line)

    async def _started(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *child.command("bots.workers"),
            pass_fds=child.pass_fds(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # the parent handles Ctrl-C alone
            limit=LONGEST,
        )
        assert process.stdin is not None, "it is a pipe"
        process.stdin.write(json.encode(self._contest) + b"\n")
        return process

    async def close(self) -> None:
        """End the process, and the match it may be playing."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None, "it is a pipe"
        process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


class Workers:
    """A pool of processes that play the matches of a series."""

    def __init__(self, contest: Contest, count: int) -> None:
        self._all = [_Worker(contest) for _ in range(count)]
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        for worker in self._all:
            self._idle.put_nowait(worker)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(worker.close() for worker in self._all))

    async def play(self, index: int) -> Played:
        """Play the match of a number, counted from 0, as soon as a process is free.

        Raises ValueError when it cannot be played, and WorkerDied.
        """
        worker = await self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                reply = await worker.play(index)
                if isinstance(reply, Finished):
                    return Played(index + 1, reply.seat, reply.record)
                if reply is not None:
                    raise ValueError(reply.why)
        finally:
            self._idle.put_nowait(worker)
        raise WorkerDied(f"game {index + 1} ended the process that played it, {ATTEMPTS} times")


async def played_by_processes(contest: Contest, indices: Iterable[int], count: int) -> AsyncIterator[Played]:
    """Play the matches with these numbers in ``count`` processes, and yield them in order."""
    async with Workers(contest, count) as workers:
        async for played in in_order(workers.play, indices, count):
            yield played


if __name__ == "__main__":
    main()
