# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m tests.forked.parent``: loads the arena's modules once, and forks for each command.

What commands read or prepare first, and what never changes, is ready too: static files, kinds of built-in bots, and the
statements that make a database.

Its standard input is a socket of packets. A packet is JSON of a ``Request`` with the descriptors of the new process;
the answer is its number. The new process belongs to the nearest ancestor that takes up orphans: the client of this
process. This process has one thread and no event loop, and ends with the socket.
"""

import contextlib
import fcntl
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import tempfile
from pathlib import Path

from arena.cli import packages
from arena.cli.features import FEATURES
from arena.cli.support.command_line import commands
from arena.store.database.engines import make_engines
from arena.store.database.migrating import migrate
from bots.built_in.kinds import by_kind
from engine import warm
from engine.games import catalogue
from engine.native import child
from tests import new_databases
from tests.forked.requests import LONGEST_REQUEST, Request
from web.application import STATIC
from web.assets import read_assets


def main() -> None:
    """Load the modules, and start processes until the standard input ends."""
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    # Ctrl-C is for the tests
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load()
    gc.collect()
    gc.freeze()
    assert len(list(Path("/proc/self/task").iterdir())) == 1, "a fork would lack the other threads"
    while True:
        body, descriptors, _, _ = socket.recv_fds(control, LONGEST_REQUEST, 64)
        if not body:
            return
        request: Request = json.loads(body)
        number = _fork(leads=request["leads"])
        if not number:
            break
        for each in descriptors:
            os.close(each)
        control.send(str(number).encode())
    _become(request, descriptors)


def load() -> None:
    """Load the modules of all commands, those of the server and its files, and the compiled rules of games."""
    for module in ("arena.cli.support.serving.composition", *(command.module for command in commands(packages()))):
        importlib.import_module(module)
    for feature in FEATURES:
        feature.settings()
        feature.tables()
    parts = [feature.web() for feature in FEATURES if feature.web is not None]
    read_assets(STATIC, *(part.static for part in parts if part.static is not None))
    by_kind()
    for game in catalogue().values():
        if game.playable and warm.quick(game):
            warm.rules(game)
    new_databases.remember()
    with tempfile.TemporaryDirectory() as folder:
        engines = make_engines(f"sqlite:///{folder}/arena.db")
        migrate(engines)
        engines.dispose()


def _fork(*, leads: bool) -> int:
    """Return the number of a new process, or 0 in it. A process in between ends at once, which makes it an orphan."""
    told, tell = os.pipe()
    wait, go = os.pipe()
    between = os.fork()
    if between:
        os.close(tell)
        os.close(wait)
        number = int.from_bytes(os.read(told, 4), "little")
        os.waitpid(between, 0)
        os.close(told)
        os.close(go)
        return number
    if os.fork():
        os._exit(0)
    if leads:
        os.setsid()  # before anybody knows its number
    os.write(tell, os.getpid().to_bytes(4, "little"))
    for each in (told, tell, go):
        os.close(each)
    os.read(wait, 1)  # an orphan has its final parent when its first one is gone
    os.close(wait)
    return 0


def _become(request: Request, descriptors: list[int]) -> None:
    """Be the process of a request, and run its module."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = request["descriptors"]
    # out of the way of each other
    moved = [fcntl.fcntl(each, fcntl.F_DUPFD, max(*wanted, *descriptors) + 1) for each in descriptors]
    for source, target in zip(moved, wanted, strict=True):
        os.dup2(source, target)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208  # a Path would be another descriptor
        if int(name) not in wanted:
            with contextlib.suppress(OSError):  # the listing itself had one
                os.close(int(name))
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.path[0] = request["folder"]
    if "numpy" in sys.modules:
        # Python's own generators draw other numbers in each fork
        sys.modules["numpy"].random.seed()
    module, *arguments = request["words"]
    if module == child.__name__:
        child.main(arguments)
    else:
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
