# SPDX-License-Identifier: GPL-3.0-or-later
"""WebAssembly bots: a move beside the call of the module and beside a plain program, and the price of metering."""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import wasmtime

from arena.protocol import messages as wire
from bots.bridges.program import HELLO_WITHIN, greeting
from bots.sandbox import Program, start_unprotected
from bots.wasm import abi
from bots.wasm.budget import GUARD
from bots.wasm.machine import Machine, in_deep_thread
from bots.wasm.spec import wasm_program
from lab.bench import processes
from lab.bench.measurements import Benchmark, Measurement, Skipped, in_turn
from tools.debian import UNPACKED, Unavailable, obtain
from tools.programs import PROGRAMS

MOVES = 5_000
DEPTH = 9
"""Depth of the perft, which takes about half a second."""

FIRST = """(module
  (memory (export "memory") 2)
  (data (i32.const 16) "checkers,tictactoe\\00")
  (func (export "arena_games") (result i32) (i32.const 16))
  (func (export "arena_buffer") (param i32) (result i32) (i32.const 1024))
  (func (export "arena_move") (param i32) (result i32) (i32.const 0)))
"""
"""A bot that plays the first move."""

PLAIN = processes.ROOT / "docs/examples/in_lines.py"
"""A bot in Python that speaks in lines."""

PERFT = processes.ROOT / "lab/bench/games/naive_perft.c"
EXPORTS = """
#include "arena_bot.h"
const char *arena_games(void) { return "checkers"; }
void *arena_buffer(int32_t size) { return malloc((size_t)size); }
int32_t arena_move(const arena_turn *turn) {
    make_tables();
    Board board = {0x00000FFFu, 0xFFF00000u, 0, 0};
    return perft(&board, turn->ply) == 0;
}
"""
"""In the place of ``main``."""

TURN = wire.Turn(1, "checkers", 0, "B:W21-32:B1-12", 0, None, [f"{number}-{number + 4}" for number in range(9, 30)])


async def round_trips(program: Program) -> float:
    """Return the median milliseconds from a turn's message to the move's, in a process."""
    running = await start_unprotected(program)
    line = msgspec.json.encode(TURN)
    took = []
    try:
        await greeting(running, HELLO_WITHIN)
        for _ in range(MOVES):
            began = time.perf_counter()
            await running.write(line)
            await running.read()
            took.append((time.perf_counter() - began) * 1000)
    finally:
        await running.close()
    return statistics.median(took)


def calls(machine: Machine, function: Callable[[], object]) -> float:
    """Return the median milliseconds of a call."""
    took = []
    for _ in range(MOVES):
        began = time.perf_counter()
        function()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def move_and_call() -> tuple[float, float]:
    """Return the milliseconds of a move in the machine, and of the bare call of the module's function."""
    machine = Machine(FIRST.encode())
    store = wasmtime.Store()
    bare = wasmtime.Instance(store, wasmtime.Module(store.engine, FIRST), []).exports(store)[abi.MOVE]
    assert isinstance(bare, wasmtime.Func)
    turn = abi.TurnInput(
        game=TURN.game,
        position=TURN.position,
        last_move=None,
        moves=TURN.legal_moves or [],
        seat=0,
        ply=0,
        budget=GUARD,
    )
    return in_turn(
        lambda: calls(machine, lambda: machine.move(turn, GUARD)), lambda: calls(machine, lambda: bare(store, 1024))
    )


def perft_module(folder: Path) -> bytes:
    """Compile the perft in C to a bot's module. Raises Skipped."""
    try:
        compiler = obtain("clang", *PROGRAMS["clang"])
    except Unavailable as reason:
        raise Skipped(f"no clang for WebAssembly: {reason}") from None
    source, module = folder / "perft.c", folder / "perft.wasm"
    source.write_text(PERFT.read_text().partition("int main")[0] + EXPORTS)
    root = UNPACKED / "usr" if (UNPACKED / "usr/include/wasm32-wasi").is_dir() else Path("/usr")
    linkers = [f"-fuse-ld={linker}" for linker in sorted((UNPACKED / "usr/bin").glob("wasm-ld*"))][:1]
    command = [str(compiler), "--target=wasm32-wasi", "-mexec-model=reactor", "-O2", f"--sysroot={root}", *linkers]
    command += ["-isystem", str(root / "include/wasm32-wasi"), "-I", str(PLAIN.parent), "-o", str(module), str(source)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"clang cannot compile for WebAssembly: {done.stderr.strip()[-200:]}")
    return module.read_bytes()


def perft_times(module: bytes) -> tuple[float, float]:
    """Return the processor time of a perft in the machine, and in wasmtime without metering."""
    machine = Machine(module)
    store = wasmtime.Store()
    compiled = wasmtime.Module(store.engine, module)
    imports = [wasmtime.Func(store, each.type, lambda *_: 52) for each in compiled.imports]  # type: ignore[arg-type]  # functions alone
    exports = wasmtime.Instance(store, compiled, imports).exports(store)
    turn = abi.TurnInput(
        game="checkers", position="", last_move=None, moves=["a", "b"], seat=0, ply=DEPTH, budget=GUARD
    )
    memory, buffer, move = exports[abi.MEMORY], exports[abi.BUFFER], exports[abi.MOVE]
    assert isinstance(memory, wasmtime.Memory)
    assert isinstance(buffer, wasmtime.Func)
    assert isinstance(move, wasmtime.Func)
    place = buffer(store, 4096)
    memory.write(store, turn.packed(place), place)

    def timed(work: Callable[[], object]) -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return in_turn(lambda: timed(lambda: machine.move(turn, GUARD)), lambda: timed(lambda: move(store, place)), 5)


def wasm() -> Iterator[Measurement]:
    """WebAssembly bots beside bare calls, plain programs, and code without metering."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, bare = in_deep_thread(move_and_call)
        yield Measurement(
            what="a move in the machine",
            unit="ms",
            ours=ours - bare,
            target=0.1,
            of="figure",
            bound="at most",
            note=f"beyond the {bare:.3f} ms of the bare call",
        )
        file = folder / "first.wat"
        file.write_text(FIRST)
        plain = Program((sys.executable, "-I", str(PLAIN)), folder)
        ours, peer = in_turn(
            lambda: asyncio.run(round_trips(wasm_program(file))), lambda: asyncio.run(round_trips(plain))
        )
        yield Measurement(
            what="a move by messages",
            unit="ms",
            ours=ours,
            peer=peer,
            peer_name="a program in Python",
            note=f"{ours - peer:.3f} ms more",
        )
        module = perft_module(folder)
        ours, peer = in_deep_thread(lambda: perft_times(module))
        yield Measurement(
            what=f"perft {DEPTH} of checkers in WebAssembly",
            unit="s CPU",
            ours=ours,
            peer=peer,
            peer_name="not metered",
            target=2.0,
            bound="at most",
        )


BENCHMARKS: dict[str, Benchmark] = {"wasm": wasm}
