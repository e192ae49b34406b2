# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that is killed leaves no process, whatever those that it started are doing."""

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.native import child
from tests.end_to_end.server import Server
from tests.postgres import running

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes under /proc")

PATIENCE = 840
WITHIN = 300.0
"""Seconds in which they end, on a machine that is busy with other things. Those that are suspended never would."""

MODULES = ("engine.warm", "bots.built_in.process", "bots.evolution.process", "bots.evolution.evochess.verifier")
SETTLED = ("--games=checkers", "--learning=yes")


def started_by(server: int) -> dict[int, str]:
    """Return the processes that a server has started, with the module that each runs."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            words = (folder / "cmdline").read_text().split("\0")
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == server:
                found[int(folder.name)] = next((word for word in words if word in MODULES), words[0])
    return found


def watches_parent(process: int) -> bool:
    """Whether a process ends with its parent from now on: ``engine.native.child`` starts a thread when that is sure."""
    with suppress(OSError):
        return len(list((Path("/proc") / str(process) / "task").iterdir())) > 1
    return True  # it has ended


def living(processes: Iterable[int]) -> list[int]:
    """Return those that have not ended; one that nobody has waited for yet has."""
    left = []
    for process in processes:
        with suppress(OSError):
            if (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX":
                left.append(process)
    return left


async def all_started(server: Server, *modules: str) -> dict[int, str]:
    """Return the server's processes as soon as each of these modules runs as often as it is named, at least."""
    while not Counter(modules) <= Counter((found := started_by(server.pid)).values()):  # noqa: ASYNC110  # others do it
        await asyncio.sleep(0.1)
    return found


async def end_with(server: Server, processes: Iterable[int]) -> None:
    """Kill the server and wait until these have ended. One that compiles may have ended by itself before."""
    processes = list(processes)
    assert living(processes)
    try:
        await server.kill()
        async with asyncio.timeout(WITHIN):
            while living(processes):  # noqa: ASYNC110  # nobody tells of it
                await asyncio.sleep(0.05)
    finally:
        signalled(living(processes), signal.SIGKILL)


def signalled(processes: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to those that have not ended."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


async def suspend(processes: Iterable[int]) -> None:
    """Stop processes as soon as each would end with its parent: a stopped one cannot see to that any more."""
    while not all(map(watches_parent, processes)):  # noqa: ASYNC110  # other processes do it
        await asyncio.sleep(0.1)
    signalled(processes, signal.SIGSTOP)


def compiling(process: int) -> bool:
    """Whether a process lives and has used more than two seconds of a processor: by then it compiles."""
    if not living([process]):
        return False
    with suppress(OSError):
        words = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK") > 2.0
    return False


async def test_what_compiles_ends_with_the_server(tmp_path: Path) -> None:
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    server = Server(tmp_path, "--games=checkers", environment=environment, real=True)
    async with asyncio.timeout(PATIENCE):
        await server.start()
        try:
            processes = await all_started(server, "engine.warm", "bots.built_in.process")
            while not any(map(compiling, processes)):  # noqa: ASYNC110  # they compile
                await asyncio.sleep(0.1)
            await end_with(server, processes)
        finally:
            await server.kill()


@pytest.mark.timeout(PATIENCE + 60)
@pytest.mark.parametrize("suspended", [False, True])
async def test_what_plays_ends_with_the_server(tmp_path: Path, suspended: bool) -> None:
    server = Server(tmp_path, *SETTLED, bots=["random", "minimax-2", "adaptive"], real=True)
    async with asyncio.timeout(PATIENCE):
        await server.start()
        try:
            # the adaptive bot has its own process
            processes = await all_started(server, "bots.built_in.process", "bots.built_in.process")
            while not (await server.get("/api/v1/status"))["live"]:  # noqa: ASYNC110  # in other processes
                await asyncio.sleep(0.1)
            if suspended:
                await suspend(processes)
            await end_with(server, processes)
        finally:
            await server.kill()


@pytest.mark.parametrize("what", ["arena", "postgres"])
async def test_a_server_that_tests_start_ends_with_them(tmp_path: Path, what: str) -> None:
    """The program of this test's child starts a server as tests do, and is killed as a runner of tests may be."""
    command = child.command("tests.end_to_end.test_orphans", what, str(tmp_path))
    program = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, pass_fds=child.pass_fds())
    assert program.stdout is not None
    async with asyncio.timeout(PATIENCE):
        server = int(await program.stdout.readline())
        assert living([server])
        program.kill()
        await program.wait()
        while living([server]):  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0.05)


def _run_postgres(folder: Path) -> None:
    with running(folder) as server:
        print(server.pid, flush=True)
        signal.pause()


async def _serve(folder: Path) -> None:
    server = Server(folder, "--no-built-in-bots", "--games=tictactoe", real=True)
    await server.start()
    print(server.pid, flush=True)
    await server.ended()


if __name__ == "__main__":
    if sys.argv[1] == "postgres":
        _run_postgres(Path(sys.argv[2]))
    else:
        asyncio.run(_serve(Path(sys.argv[2])))
