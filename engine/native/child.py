# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes that end when their parent process ends.

``command`` returns the command that runs a module as such a child; start it with ``pass_fds=pass_fds()``. The child
runs ``python -m engine.native.child PIPE SIGNAL MODULE ARGUMENT...``: it sets up the mechanisms below before any large
import, and then runs the module like ``python -m MODULE ARGUMENT...``.

Two mechanisms end the child:

- A pipe. Only the parent has the write end, so a read ends when the parent has ended. A thread of the child waits for
  it; the thread needs the interpreter lock, which native code may hold for long.
- On Linux also the kernel's parent-death signal: SIGKILL, at once, even in native code and in system calls. The kernel
  sends it when the *thread* that started the child ends, so it is used only in the main thread.

Windows has neither; there a child ends when its standard input ends (``exit_after``).
"""

import contextlib
import ctypes
import functools
import os
import runpy
import select
import signal
import stat
import sys
import threading
from collections.abc import Sequence

_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

_ORPHANED = 1
"""Exit code of a child whose parent has ended."""


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module as a child that ends with this process.

    Call it in the thread that starts the child, and start the child with ``pass_fds=pass_fds()``.
    """
    pipe = ",".join(map(str, pass_fds())) or "-"
    return [sys.executable, "-m", "engine.native.child", pipe, "signal" if by_signal() else "-", module, *arguments]


def by_signal() -> bool:
    """Return whether children that this thread starts can use the parent-death signal."""
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread()


def pass_fds() -> tuple[int, ...]:
    """Return the file descriptors that a child must inherit."""
    return () if sys.platform == "win32" else (_pipe()[0],)


def exit_after(seconds: float) -> None:
    """End this process after a time; for a child that received the request to end."""
    timer = threading.Timer(seconds, os._exit, (_ORPHANED,))
    timer.daemon = True
    timer.start()


@functools.cache
def _pipe() -> tuple[int, int]:
    """Return the pipe for children (read end, write end); it stays open until this process ends."""
    return os.pipe()


def end_with_parent(pipe: int, *, signalled: bool) -> None:
    """End this process when its parent ends; at once if the parent has ended already.

    ``pipe``: read end of a pipe whose write end only the parent has; ignored if it was not inherited. ``signalled``:
    whether to use the parent-death signal too (``by_signal`` of the parent).
    """
    if not _is_pipe(pipe):
        return
    os.set_inheritable(pipe, False)
    if signalled:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    # the parent may have ended before the signal was set
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    if poll.poll(0):
        os._exit(_ORPHANED)
    threading.Thread(target=_wait, args=(pipe,), name="parent", daemon=True).start()


def _wait(pipe: int) -> None:
    os.read(pipe, 1)
    os._exit(_ORPHANED)


def _is_pipe(descriptor: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def main(arguments: Sequence[str]) -> None:
    """Set up the end of this child, then run its module."""
    pipe, how, module, *rest = arguments
    if pipe != "-":
        end_with_parent(int(pipe), signalled=how == "signal")
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
