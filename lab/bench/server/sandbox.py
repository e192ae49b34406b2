# SPDX-License-Identifier: GPL-3.0-or-later
"""Sandboxes beside the same programs without one: starting, a move, and two hundred at once."""

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bots.sandbox import (
    Program,
    Running,
    Sandbox,
    SandboxLimits,
    find,
    kernels,
    python_program,
    run_file,
    start_unprotected,
)
from bots.sandbox.launchers import Launchers
from bots.sandbox.limits import MIB
from bots.sandbox.watchdog import measured
from lab.bench.measurements import Benchmark, Measurement, Skipped

STARTS = 30
MOVES = 2_000
AT_ONCE = 200
IDLE = 5.0
"""Seconds for which the sandboxes are idle."""

ECHO = 'while read -r line; do echo "$line"; done'
"""A program of the shell that answers each line."""

Start = Callable[[Program], Awaitable[Running]]


def program(folder: Path) -> Program:
    """Return the program that answers each line."""
    return Program(("/bin/sh", "-c", ECHO), folder, limits=SandboxLimits(memory=64 * MIB))


async def answered(running: Running) -> None:
    """Send a line, and wait for the answer."""
    await running.write(b"line")
    await running.read()


def in_python(folder: Path) -> tuple[Program, Program]:
    """Return a program in Python that answers each line in a match of tic-tac-toe, for a sandbox and without one."""
    file = folder / "echo.py"
    file.write_text("import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n", encoding="ascii")
    inside = python_program(file)
    inside = replace(inside, libraries=kernels.of_game(inside.libraries, "tictactoe"))
    plain = (inside.command[0], "-S", "-P", run_file.__file__, str(file))
    return inside, Program(plain, folder)


async def start_time(start: Start, started: Program) -> float:
    """Return the milliseconds until a program has answered its first line."""
    began = time.perf_counter()
    running = await start(started)
    await answered(running)
    took = time.perf_counter() - began
    await running.close()
    return took * 1000


async def move_times(running: Running, *, stopped: bool) -> list[float]:
    """Return the milliseconds of each move: to resume the program, to read its answer, and to stop it again."""
    took = []
    for _ in range(MOVES):
        began = time.perf_counter()
        if stopped:
            running.thaw()
        await answered(running)
        if stopped:
            running.freeze()
        took.append((time.perf_counter() - began) * 1000)
    return took


async def starts(sandbox: Sandbox, inside: Program, plain: Program) -> tuple[float, float]:
    """Return the median milliseconds to start a program in a sandbox, and without one, in turn.

    A launcher of our own is ready before each start, as beside a server.
    """
    pairs = []
    async with contextlib.aclosing(Launchers(1)) as launchers:
        if sandbox.tier == "namespaces":
            sandbox = replace(sandbox, launchers=launchers)
        for _ in range(STARTS):
            if sandbox.launchers is not None:
                await launchers.fill()
            pairs.append((await start_time(sandbox.start, inside), await start_time(start_unprotected, plain)))
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


async def moves(sandbox: Sandbox, folder: Path) -> tuple[float, float]:
    """Return the median milliseconds of a move in a sandbox, and without one."""
    inside, outside = await sandbox.start(program(folder)), await start_unprotected(program(folder))
    inside.freeze()
    try:
        figures = await move_times(inside, stopped=True), await move_times(outside, stopped=False)
    finally:
        await inside.close()
        await outside.close()
    return statistics.median(figures[0]), statistics.median(figures[1])


async def many(sandbox: Sandbox, folder: Path) -> tuple[float, int, float]:
    """Return the share of a processor that watching many idle sandboxes takes, how many answered afterwards, and the
    mebibytes of memory of each.
    """
    every = [await sandbox.start(program(folder)) for _ in range(AT_ONCE)]
    try:
        for one in every:
            await answered(one)
            one.freeze()
        used = [measured(one.pid, add_memory=True)[0] for one in every]
        before, began = time.process_time(), time.perf_counter()
        await asyncio.sleep(IDLE)
        share = (time.process_time() - before) / (time.perf_counter() - began)
        for one in every:
            one.thaw()
            await answered(one)
        return share, len(every), sum(used) / len(used) / MIB
    finally:
        for one in every:
            await one.close()


def sandbox() -> Iterator[Measurement]:
    """Sandboxes beside plain processes."""
    found = asyncio.run(find())
    if found.sandbox is None:
        raise Skipped(f"no sandbox here: {'; '.join(found.reasons)}")
    note = f"{found.tier}, {found.memory_by}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shell = program(folder), program(folder)
        own = Sandbox("namespaces", None)
        kinds = [(found.sandbox, note), *([(own, "namespaces, watchdog")] if found.tier != own.tier else [])]
        for kind, its_note in kinds:
            for what, programs in (("start of a program", shell), ("start of a program in Python", in_python(folder))):
                inside, outside = asyncio.run(starts(kind, *programs))
                remark = f"{its_note}: {inside - outside:.1f} ms more; 10 are promised"
                yield Measurement(what=what, unit="ms", ours=inside, peer=outside, peer_name="no sandbox", note=remark)
        inside, outside = asyncio.run(moves(found.sandbox, folder))
        remark = f"{note}: {inside - outside:.3f} ms more; 0.2 are promised"
        yield Measurement(what="a move", unit="ms", ours=inside, peer=outside, peer_name="no sandbox", note=remark)
        share, alive, memory = asyncio.run(many(found.sandbox, folder))
        yield Measurement(
            what=f"watching {AT_ONCE} idle sandboxes",
            unit="% of a processor",
            ours=share * 100,
            target=10.0,
            of="figure",
            bound="at most",
            note=f"{note}: {alive} of {AT_ONCE} answered afterwards; {memory:.1f} MiB of memory each",
        )


BENCHMARKS: dict[str, Benchmark] = {"sandbox": sandbox}
