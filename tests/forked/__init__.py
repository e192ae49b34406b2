# SPDX-License-Identifier: GPL-3.0-or-later
"""Quick starts of the arena's commands in tests: as forks of a process that has loaded their modules.

``python -m arena.cli serve`` takes more than a second of processor time to load its modules, and tests start some
hundred servers. Within ``with starts():``, ``subprocess`` and ``asyncio`` start such a command as a fork of a process
(``tests.forked.parent``) that each process of the tests has once. The result is a child process of the tests like any
other: with its own arguments, environment, working directory, descriptors, session, signals and exit code. Its modules
are loaded, and the rules of games, if they are in the kernel cache.

Other commands, and those with options that a fork cannot have (another interpreter, environment, user, ``preexec_fn``),
start as usual, and so does every command on systems other than Linux. Tests of the start itself do not use this.
"""

import contextlib
import ctypes
import functools
import inspect
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from tests.forked.requests import LONGEST_REQUEST, MODULES, Request, loaded_variables

_SET_CHILD_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""

_quick: ContextVar[bool] = ContextVar("quick", default=False)

_execute: Any = vars(subprocess.Popen)["_execute_child"]
_PARAMETERS = inspect.signature(_execute)

ROOT = Path(__file__).parent.parent.parent

PLAIN: Mapping[str, object] = {
    "executable": None, "preexec_fn": None, "close_fds": True, "shell": False,
    "gid": None, "gids": None, "uid": None, "umask": -1, "process_group": -1,
}  # fmt: skip
"""Options of ``subprocess`` that a fork cannot have, with the values that mean nothing special."""


@contextlib.contextmanager
def starts() -> Iterator[None]:
    """Start the arena's commands as forks within this block."""
    subprocess.Popen._execute_child = _execute_child  # type: ignore[attr-defined]  # it is not public
    token = _quick.set(True)
    try:
        yield
    finally:
        _quick.reset(token)


class _Parent:
    """The process that forks, as its client sees it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            # It ends with the socket, and has no other threads: a fork has only the one that forks.
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            command = [sys.executable, "-m", "tests.forked.parent"]
            self._process = subprocess.Popen(
                command, stdin=other.fileno(), stdout=subprocess.DEVNULL, env=environment, cwd=ROOT
            )
        self.variables = loaded_variables(os.environ)
        self._prctl = ctypes.CDLL(None, use_errno=True).prctl

    def fork(self, request: Request, descriptors: list[int]) -> int:
        """Return the number of the new process, a child of this one."""
        with self._lock:
            # The process in between ends at once, and the kernel gives its child to this process. At other times
            # processes that tests leave behind belong to the system, as usual.
            self._prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            try:
                socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
                answer = self._control.recv(LONGEST_REQUEST)
            finally:
                self._prctl(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        if not answer:
            raise RuntimeError(f"the process that forks ended with status {self._process.wait()}")
        return int(answer)

    def close(self) -> None:
        """End the process."""
        self._control.close()
        self._process.wait()


@functools.cache
def _parent() -> _Parent:
    return _Parent()


def close() -> None:
    """End the process that forks, if there is one."""
    if _parent.cache_info().currsize:
        _parent().close()
        _parent.cache_clear()


def _execute_child(self: Any, *arguments: Any, **options: Any) -> None:
    """Replace ``Popen._execute_child``: fork, if that is wanted and possible."""
    if not (_quick.get() and _fork(self, _PARAMETERS.bind(self, *arguments, **options).arguments)):
        _execute(self, *arguments, **options)


def _fork(popen: Any, given: Mapping[str, Any]) -> bool:
    """Start a command as a fork; return False if it cannot be one."""
    if sys.platform != "linux" or any(given[name] != value for name, value in PLAIN.items()):
        return False
    words = given["args"]
    if not isinstance(words, list | tuple):
        return False
    words = list(map(os.fspath, words))
    module = words[5:6] if words[2:3] == ["engine.native.child"] else words[2:3]
    if words[:2] != [sys.executable, "-m"] or not set(module) & MODULES:
        return False
    environment = dict(os.environ if given["env"] is None else given["env"])
    parent = _parent()
    if loaded_variables(environment) != parent.variables:
        return False
    passed = sorted(given["pass_fds"])
    own = [mine if mine != -1 else standard for standard, mine in enumerate(_ends(given))]
    request: Request = {
        "words": words[2:],
        "environment": environment,
        "folder": os.path.abspath(given["cwd"] or "."),  # noqa: PTH100  # it may be bytes
        "leads": bool(given["start_new_session"]),
        "descriptors": [0, 1, 2, *passed],
    }
    popen.pid = parent.fork(request, [*own, *passed])
    popen._child_created = True
    pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
    popen._close_pipe_fds(*(given[name] for name in pipes))
    return True


def _ends(given: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return the child's ends of its standard streams; -1 for one that it inherits."""
    return given["p2cread"], given["c2pwrite"], given["errwrite"]
