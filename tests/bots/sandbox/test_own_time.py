# SPDX-License-Identifier: GPL-3.0-or-later
"""The own time of a program: what a busy machine takes from it does not count, what it computes and sleeps does."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.sandbox import own_time
from bots.sandbox.limits import Program
from bots.sandbox.own_time import OwnTime, Thread
from bots.sandbox.process import MachineFailed, start_unprotected

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts how long threads wait")

SECOND = 10**9

SLOW = """
import time
while time.process_time() < 0.15:
    pass
print("done", flush=True)
time.sleep(10_000)
"""
"""Needs little of a processor, and says when it is done."""

BUSY = "while True: pass"


class Scripted:
    """A program and a clock that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        self.threads: own_time.Threads = {(1, 1): Thread(0, 0, True)}
        monkeypatch.setattr(own_time, "threads", lambda pids: dict(self.threads))
        monkeypatch.setattr("time.monotonic_ns", lambda: self.now)
        self.processor = 0.0
        self.watch = OwnTime(lambda: [1], lambda: self.processor)

    def after(self, passed: float, *threads: tuple[float, float, bool], processor: float = 0.0) -> float:
        """Return the own time after some seconds; of each thread: seconds that it ran and waited so far, and whether
        it is ready. ``processor``: seconds of all processes so far.
        """
        self.now += round(passed * SECOND)
        self.processor = processor
        every = [Thread(round(ran * SECOND), round(waited * SECOND), ready) for ran, waited, ready in threads]
        self.threads = {(1, number): thread for number, thread in enumerate(every, 1)}
        return round(self.watch.look(), 6)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """A program that has not run yet."""
    return Scripted(monkeypatch)


def test_what_it_computes_and_sleeps_counts(script: Scripted) -> None:
    assert script.after(0.2, (0.2, 0.0, True)) == 0.2
    assert script.after(0.2, (0.2, 0.0, False)) == 0.4


def test_waits_for_a_processor_do_not_count(script: Scripted) -> None:
    assert script.after(0.2, (0.05, 0.15, True)) == 0.05
    assert script.after(0.2, (0.05, 0.35, False)) == 0.05


def test_a_wait_that_goes_on_does_not_count_and_is_subtracted_once(script: Scripted) -> None:
    assert script.after(0.2, (0.0, 0.0, True)) == 0.0
    assert script.after(0.2, (0.0, 0.0, True)) == 0.0
    assert script.after(0.2, (0.1, 0.5, True)) == 0.1
    assert script.after(0.2, (0.3, 0.5, True)) == 0.3


def test_a_wait_that_began_before_the_last_look_is_taken_back(script: Scripted) -> None:
    assert script.after(0.2, (0.1, 0.0, False)) == 0.2
    # it was ready soon after that look
    assert script.after(0.2, (0.1, 0.0, True)) == 0.4
    assert script.after(0.2, (0.11, 0.38, True)) == 0.22


def test_threads_that_wait_for_each_other_count(script: Scripted) -> None:
    assert script.after(0.2, (0.1, 0.1, True), (0.1, 0.1, True)) == 0.2


def test_a_late_look_counts_little_unless_the_program_computed(script: Scripted) -> None:
    assert script.after(60.0, (0.0, 0.0, False)) == own_time.UNSEEN
    assert script.after(60.0, (50.0, 0.0, False)) == 50.0 + own_time.UNSEEN


def test_threads_that_ended_make_no_time_negative(script: Scripted) -> None:
    assert script.after(0.2, (0.2, 0.0, True)) == 0.2
    assert script.after(0.2) == 0.4


def test_what_processes_used_that_began_and_ended_between_two_looks_counts(script: Scripted) -> None:
    assert script.after(0.2, (0.0, 0.2, True), processor=0.15) == 0.15
    assert script.after(0.2, (0.0, 0.4, True), processor=0.5) == 0.35


@contextmanager
def crowded() -> Iterator[int]:
    """Keep a processor busy; yield its number."""
    processor = min(os.sched_getaffinity(0))
    with subprocess.Popen([sys.executable, "-c", BUSY]) as process:
        try:
            os.sched_setaffinity(process.pid, {processor})
            yield processor
        finally:
            process.kill()


@pytest.mark.long
async def test_a_program_that_waits_behind_another_is_waited_for() -> None:
    with crowded() as processor:
        words = ("taskset", "-c", str(processor), "nice", "-n", "19", sys.executable, "-c", SLOW)
        running = await start_unprotected(Program(words, Path.cwd()))
        try:
            line, seconds = await running.within(3.0, running.read())
        finally:
            await running.close()
    assert line == b"done\n"
    assert running.own_seconds == seconds > 0.01


FILLS = "import os\nwhile True: os.write(os.pipe()[1], bytes(1 << 20))"
"""Waits for ever for somebody to read."""
STOPS = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"


@pytest.mark.parametrize(
    "code",
    [BUSY, "import time; time.sleep(10_000)", FILLS, STOPS],
    ids=["computes", "sleeps", "waits for a reader", "stops itself"],
)
async def test_a_program_that_writes_nothing_is_not_waited_for(code: str) -> None:
    running = await start_unprotected(Program((sys.executable, "-c", code), Path.cwd()))
    try:
        with pytest.raises(TimeoutError):
            await running.within(0.5, running.read())
        assert running.own_seconds >= 0.5
    finally:
        await running.close()


async def test_a_wait_has_an_end_where_the_machine_does_not_let_the_program_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_time, "LEAST_WALL", 1.0)
    monkeypatch.setattr(OwnTime, "look", lambda self: 0.0)
    running = await start_unprotected(Program((sys.executable, "-c", BUSY), Path.cwd()))
    try:
        with pytest.raises(MachineFailed, match=r"^it could run for 0\.0 s in \d+ s$"):
            await running.within(0.05, running.read())
    finally:
        await running.close()


async def test_an_error_of_the_work_is_raised_and_a_cancelled_wait_cancels_it() -> None:
    running = await start_unprotected(Program((sys.executable, "-c", BUSY), Path.cwd()))
    began, cancelled = asyncio.Event(), asyncio.Event()

    async def fail() -> None:
        raise ValueError("its own")

    async def wait() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    try:
        with pytest.raises(ValueError, match="its own"):
            await running.within(None, fail())
        waiting = asyncio.create_task(running.within(None, wait()))
        await began.wait()
        waiting.cancel()
        await asyncio.wait({waiting})
        assert cancelled.is_set()
    finally:
        await running.close()
