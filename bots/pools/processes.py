# SPDX-License-Identifier: GPL-3.0-or-later
"""A pool of processes of this machine: pieces share no interpreter, and a crash ends one piece only.

``python -m bots.pools.processes`` is such a process. It reads pickled calls from its standard input, and writes their
pickled results to its standard output. The end of the input ends the process, and the piece that is under way. A
process that dies is started again, and its piece is computed anew.
"""

import _thread
import contextlib
import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any

from bots.pools.pool import ATTEMPTS, Pool, WorkerDied
from bots.pools.remote import unpickled_call
from engine.native import child
from engine.native.child import exit_after

GRACE = 5.0
"""Seconds that a piece has to end after the input has ended."""

PATIENCE = 10.0
"""Seconds that a process may take to end."""

_SIZE = struct.Struct("<Q")
"""The length before each pickle."""


def _write(file: IO[bytes], body: bytes) -> None:
    file.write(_SIZE.pack(len(body)) + body)
    file.flush()


def _read(file: IO[bytes]) -> bytes | None:
    """Return the next pickle; None at the end, also inside a pickle."""
    head = file.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    (size,) = _SIZE.unpack(head)
    body = file.read(size)
    return body if len(body) == size else None


class _Process:
    """A process that computes one piece at a time, and remembers one function."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            child.command("bots.pools.processes"),
            pass_fds=child.pass_fds(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # the parent handles Ctrl-C alone
        )
        self._known: Callable[..., Any] | None = None

    def call(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes | None:
        """Return the pickled result of a piece; None when the process has died."""
        assert self._child.stdin is not None, "it is a pipe"
        assert self._child.stdout is not None, "it is a pipe"
        function = None if self._known is work else pickle.dumps(work)
        try:
            _write(self._child.stdin, pickle.dumps((function, pickle.dumps(arguments))))
            self._known = work
            return _read(self._child.stdout)
        except (ConnectionError, ValueError):  # a broken or a closed pipe
            return None

    def end(self) -> None:
        """Ask the process to end."""
        assert self._child.stdin is not None, "it is a pipe"
        with contextlib.suppress(OSError):
            self._child.stdin.close()

    def wait(self) -> None:
        """Wait for the end of the process."""
        try:
            self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        assert self._child.stdout is not None, "it is a pipe"
        self._child.stdout.close()


class Processes(Pool):
    """A pool of processes. Open it in the main thread: then the processes end with this one, at once."""

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="processes")
        self._count = count
        self._all = {_Process() for _ in range(count)}
        self._idle = queue.SimpleQueue[_Process]()
        for each in self._all:
            self._idle.put(each)
        self._lock = threading.Lock()
        self._ended = False

    @property
    def size(self) -> int:
        """The number of processes."""
        return self._count

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Compute a piece as soon as a process is free."""
        assert not named, "pieces have arguments by position only"
        return self._threads.submit(self._compute, work, arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes. With ``cancel_futures`` at once, otherwise after all pieces."""
        if not cancel_futures:
            self._threads.shutdown(wait=wait)
        with self._lock:
            self._ended = True
            running = list(self._all)
        for each in running:
            each.end()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for each in running:
            each.wait()
        self._threads.shutdown(wait=wait)

    def _compute(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        process = self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                answer = process.call(work, arguments)
                if answer is not None:
                    return _opened(answer)
                process = self._replaced(process)
        finally:
            self._idle.put(process)
        raise WorkerDied(f"a piece of work ended its process {ATTEMPTS} times")

    def _replaced(self, dead: _Process) -> _Process:
        """Start a process in place of one that died. Raises WorkerDied when the pool has ended."""
        with self._lock:
            if self._ended:
                raise WorkerDied("the pool has ended")
            self._all.discard(dead)
            fresh = _Process()
            self._all.add(fresh)
        dead.end()
        dead.wait()
        return fresh


def _opened(answer: bytes) -> Any:
    """Return a result. Raises the exception of the piece."""
    error, result = pickle.loads(answer)  # of our own child
    if error is not None:
        raise error
    return result


# ---------------------------------------------------------------- the child


def main() -> None:
    """Compute pieces until the standard input ends."""
    # output of bots must not mix with the answers
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    calls = queue.SimpleQueue[bytes]()

    def listen() -> None:
        while (body := _read(sys.stdin.buffer)) is not None:
            calls.put(body)
        # a hung bot must not outlive the parent process
        exit_after(GRACE)
        _thread.interrupt_main()

    threading.Thread(target=listen, daemon=True).start()
    work: Callable[..., Any] | None = None
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            function, arguments = pickle.loads(calls.get())  # of our own parent
            work = work if function is None else pickle.loads(function)  # of our own parent
            assert work is not None, "the first call brings the function"
            _write(answers, unpickled_call(work, arguments))


if __name__ == "__main__":
    main()
