# SPDX-License-Identifier: GPL-3.0-or-later
"""A real NATS server for tests and proofs, which they may kill, freeze and start again on the same port."""

import json
import signal
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 600
"""Seconds until it is given up that a server begins, on a machine that is busy with other things."""


class Nats:
    """A server on loopback that runs, or was ended for a while."""

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        """``folder``: for its files; ``options``: further ones of its command line. Starts it."""
        self._folder = folder
        self._options = list(options)
        self.port = -1
        self.monitoring = ""
        """Where it tells what it does, with the options ``-m -1``."""
        self.start()

    @property
    def url(self) -> str:
        """Its address; the same after every start."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has written so far."""
        return (self._folder / "log").read_text()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        program = Path(sysconfig.get_path("scripts"), "nats-server")
        command = [str(program), "-a", "127.0.0.1", "-p", str(self.port), "--ports_file_dir", str(self._folder)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([*command, *self._options], stdout=log, stderr=log)
        file = self._folder / f"nats-server_{self._process.pid}.ports"
        deadline = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        ports = json.loads(file.read_text())
        self.port = int(ports["nats"][0].rpartition(":")[2])
        self.monitoring = next(iter(ports.get("monitoring", [])), "")

    @property
    def pid(self) -> int:
        """Number of its process."""
        return self._process.pid

    def kill(self) -> None:
        """End it without a word to its clients."""
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        """Stop its process; its clients notice nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def running(*options: str) -> Iterator[Nats]:
    """Run a server until the end."""
    with tempfile.TemporaryDirectory() as folder:
        server = Nats(Path(folder), options)
        try:
            yield server
        finally:
            server.kill()
