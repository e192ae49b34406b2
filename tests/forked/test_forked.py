# SPDX-License-Identifier: GPL-3.0-or-later
"""A fork behaves as the command that it replaces."""

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from engine.native import child
from tests.forked import starts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the forks use system calls of Linux")

ARENA = (sys.executable, "-m", "arena.cli")
SERVE = ("serve", "--json", "--port=0", "--no-browser", "--no-built-in-bots", "--games=nim")


def is_fork(pid: int) -> bool:
    """Return whether a process is a fork, by the command of the process that it was forked from."""
    return b"tests.forked.parent" in Path(f"/proc/{pid}/cmdline").read_bytes()


def status(pid: int) -> str:
    """Return what the kernel knows of a process."""
    return Path(f"/proc/{pid}/status").read_text("utf-8")


@pytest.mark.parametrize("words", [["--help"], ["serve", "--port=much"], ["games", "--json"], ["games", "chequers"]])
def test_output_and_exit_code_are_the_same(words: list[str]) -> None:
    with starts():
        fork = subprocess.run([*ARENA, *words], capture_output=True, check=False)
    real = subprocess.run([*ARENA, *words], capture_output=True, check=False)
    assert (fork.returncode, fork.stdout, fork.stderr) == (real.returncode, real.stdout, real.stderr)


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 0), (signal.SIGKILL, -9)], ids=lambda value: str(value)
)
async def test_a_server_ends_by_signals(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    command = child.command("arena.cli", *SERVE, "--data=here")
    with starts():
        server = await asyncio.create_subprocess_exec(*command, stdout=PIPE, cwd=tmp_path, pass_fds=child.pass_fds())
    assert server.stdout is not None
    assert await server.stdout.readline()
    assert is_fork(server.pid)
    assert f"PPid:\t{os.getpid()}\n" in status(server.pid)
    assert (tmp_path / "here" / "arena.db").exists()
    server.send_signal(sent)
    assert await server.wait() == code


def test_a_fork_has_its_own_environment_input_and_session() -> None:
    environment = {**os.environ, "ARENA_LAG_GRACE": "soon"}
    with starts():
        done = subprocess.run([*ARENA, *SERVE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "lag_grace must be a number" in done.stderr
    with starts(), subprocess.Popen([*ARENA, "uci"], stdin=PIPE, stdout=PIPE, start_new_session=True) as process:
        assert is_fork(process.pid)
        assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid
        assert process.communicate(b"uci\nquit\n")[0].endswith(b"uciok\n")


def test_other_commands_start_as_usual() -> None:
    with starts():
        told = subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, check=True)
        with subprocess.Popen(
            [*ARENA, "uci"], stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONNOUSERSITE": "1"}
        ) as other:
            assert not is_fork(other.pid)
            other.communicate(b"quit\n")
    assert told.stdout == b"1\n"
    with subprocess.Popen([*ARENA, "uci"], stdin=PIPE, stdout=PIPE) as other:
        assert not is_fork(other.pid)
        other.communicate(b"quit\n")
