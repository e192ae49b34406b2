# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -I -m bots.data.fork_server``: starts the programs of data bots as copies of itself, within milliseconds.

A new interpreter needs a second to load numba before it can play. This process loads it once. Its standard input is a
socket of packets: it sends ``READY``; each request is JSON of ``Request`` with three descriptors, for the input and
output of the program and for its ``started`` and ``ended`` lines. It ends with the socket. Linux only.
"""

import contextlib
import ctypes
import os
import selectors
import signal
import socket
import sys
import traceback

import msgspec

from bots.client.lines import GAME, LINES
from bots.data import runner
from bots.data.requests import READY, Ended, Report, Request, Started
from engine import games

LONGEST_REQUEST = 1 << 16
"""Bytes of a request."""

_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class Server:
    """Starts programs, and reports their ends."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._reports: dict[int, tuple[int, int]] = {}
        """Process and the descriptor for its report, by the descriptor of the process."""

    def run(self) -> None:
        """Work until the socket is closed."""
        self._control.send(READY)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is not self._control:
                    self._end(key.fd)
                elif not self._start():
                    return

    def _start(self) -> bool:
        """Start the program of a request; return False at the end of the requests."""
        body, descriptors, _, _ = socket.recv_fds(self._control, LONGEST_REQUEST, 3)
        if not body:
            return False
        request = msgspec.json.decode(body, type=Request)
        source, target, reports = descriptors
        pid = os.fork()
        if not pid:
            self._become(request, source, target)
        os.close(source)
        os.close(target)
        _write(reports, Started(pid))
        watched = os.pidfd_open(pid)
        self._reports[watched] = pid, reports
        self._selector.register(watched, selectors.EVENT_READ)
        return True

    def _end(self, watched: int) -> None:
        self._selector.unregister(watched)
        os.close(watched)
        pid, reports = self._reports.pop(watched)
        _write(reports, Ended(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
        os.close(reports)

    def _become(self, request: Request, source: int, target: int) -> None:
        """Run as the program of a request; does not return."""
        status = 1
        try:
            # of its own, so that it ends with all processes that it starts
            os.setsid()
            ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
            os.dup2(source, 0)
            os.dup2(target, 1)
            # the server's socket, and the descriptors of other programs
            for name in os.listdir("/proc/self/fd"):  # noqa: PTH208  # every start waits for it
                with contextlib.suppress(OSError):  # the descriptor of the listing is closed already
                    if int(name) > 2:
                        os.close(int(name))
            os.environ.update({LINES: "1", GAME: request.game})
            status = runner.main([request.file])
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(OSError):
                sys.stderr.flush()
            os._exit(status)


def _write(descriptor: int, report: Report) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(descriptor, msgspec.json.encode(report) + b"\n")


def load() -> None:
    """Load what every program needs: the games, and numba with all that the first call of compiled code loads."""
    game = games.find("tictactoe")
    game.look(game.start())


def main() -> None:
    """Serve until the standard input ends."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    # the programs replace descriptor 0
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    load()
    Server(control).run()


if __name__ == "__main__":
    main()
