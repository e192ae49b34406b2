# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m tests.engine.native.parent STATE``: starts a child, says so, and waits.

The child, ``python -m tests.engine.native.parent child STATE``, says when it is in a state in which no end of its
input, no signal that Python handles and no cancellation ends it.
"""

import asyncio
import ctypes
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import NoReturn

from engine.native import child

FOREVER = 3600


def in_a_system_call() -> None:
    """Wait in C, without the interpreter's lock."""
    _in()
    time.sleep(FOREVER)


def in_native_code() -> None:
    """Wait in C, and hold the interpreter's lock all the time."""
    _in()
    ctypes.PyDLL(None).sleep(FOREVER)


def in_an_executor_that_shuts_down() -> None:
    """Wait for a thread at the end of an event loop."""

    async def cancelled() -> None:
        work = asyncio.create_task(asyncio.to_thread(in_a_system_call))
        await asyncio.sleep(0)
        work.cancel()

    asyncio.run(cancelled())


def in_a_pool_that_is_left() -> None:
    """Wait at the end of a pool of threads."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(in_a_system_call)


def in_a_retry() -> None:
    """Try again for ever, whatever comes."""

    async def ask() -> NoReturn:
        _in()
        while True:
            try:
                await asyncio.sleep(FOREVER)
            except BaseException:
                continue

    asyncio.run(ask())


STATES: dict[str, Callable[[], None]] = {
    "system-call": in_a_system_call,
    "native-code": in_native_code,
    "executor": in_an_executor_that_shuts_down,
    "pool": in_a_pool_that_is_left,
    "retry": in_a_retry,
}


def _in() -> None:
    print(f"in {os.getpid()}", flush=True)


def _begin(signalled: bool) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    child.end_with_parent(parent.sentinel, signalled=signalled)


def _start(state: str) -> None:
    if state == "processes":
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin, (child.by_signal(),))
        pool.submit(_in).result()
    else:
        command = child.command("tests.engine.native.parent", "child", state)
        with subprocess.Popen(command, pass_fds=child.pass_fds()):
            time.sleep(FOREVER)
    time.sleep(FOREVER)


def main(what: str, state: str) -> None:
    """Be the parent, the child, or the parent whose child a thread starts that is not the main one."""
    if what == "child":
        STATES[state]()
    elif what == "thread":
        thread = threading.Thread(target=_start, args=(state,))
        thread.start()
        thread.join()
    else:
        _start(state)


if __name__ == "__main__":
    main(*sys.argv[1:])
