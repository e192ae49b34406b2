# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine of one WebAssembly bot: wasmtime, set up so that a module computes the same everywhere.

Every instruction costs fuel, and a call ends when its fuel is used up. NaNs are canonical; threads, relaxed SIMD and
other features that may differ between machines are switched off; the memory has a fixed maximum, and the stack a limit
of its own (``stack_limit``). A module can import ``log`` and ``instructions_used`` of ``abi``, and the functions of
WASI's first preview, of which C libraries link some: writing to its outputs logs, every other function answers that it
is missing.
"""

import importlib.metadata
import sys
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeVar

import wasmtime
from wasmtime import TrapCode
from wasmtime import _ffi as ffi

from bots.wasm import abi
from bots.wasm.stack_limit import STACK_GLOBAL, UNIT_BYTES, UNITS, limit_stack

MIB = 1 << 20

MOST_CODE = 4 * MIB
"""Bytes of a module."""
MEMORY = 256 * MIB
"""Bytes of a module's memory."""
TABLE = 1 << 16
"""Elements of a module's tables."""
SETUP = 1_000_000_000
"""Instructions for each call that is no turn."""
MOST_LOGGED = 64 << 10
"""Bytes that a module may log; the rest is dropped."""

LONGEST_TEXT = 4096
"""Bytes of a text that the module returns, for example the names of its games."""

_STACK = UNITS * UNIT_BYTES + 32 * MIB
_THREAD = _STACK + 32 * MIB

HOST_CALL = 10_000
"""Instructions that a call of an import counts for: it takes about as long."""

_WASI = "wasi_snapshot_preview1"
_MISSING, _BAD_FILE, _FAULT = 52, 8, 21
"""Errors of WASI: a missing function, no such file, an address outside the memory."""

Result = TypeVar("Result")


class WasmFailed(Exception):
    """A module cannot be used, or a call of it failed; the message says why."""


class InstructionsUsedUp(WasmFailed):
    """A call has used all its instructions."""


class Trapped(WasmFailed):
    """A call ended by a trap."""


_TRAPS = {
    TrapCode.STACK_OVERFLOW: "its calls are too deep",
    TrapCode.MEMORY_OUT_OF_BOUNDS: "it used an address outside its memory",
    TrapCode.HEAP_MISALIGNED: "it used a misaligned address",
    TrapCode.TABLE_OUT_OF_BOUNDS: "it used a function pointer outside its table",
    TrapCode.INDIRECT_CALL_TO_NULL: "it called a null function pointer",
    TrapCode.BAD_SIGNATURE: "it called a function pointer of another type",
    TrapCode.INTEGER_OVERFLOW: "an integer overflowed",
    TrapCode.INTEGER_DIVISION_BY_ZERO: "it divided by zero",
    TrapCode.BAD_CONVERSION_TO_INTEGER: "it converted a number to an integer that cannot hold it",
    TrapCode.UNREACHABLE: "it reached an unreachable instruction, for example by abort() or a failed assertion",
}


def in_deep_thread(work: Callable[[], Result]) -> Result:
    """Run work in a thread whose stack is as deep as modules may need; machines work nowhere else."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again in the calling thread
            errors.append(error)

    before = threading.stack_size(_THREAD)
    try:
        thread = threading.Thread(target=run, name="machine")
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def engine() -> wasmtime.Engine:
    """Return an engine that compiles modules to deterministic code."""
    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    # wasmtime compares both, although nothing here is asynchronous; its Python API has no name for the first
    ffi.wasmtime_config_async_stack_size_set(config.ptr(), _THREAD)
    config.max_wasm_stack = _STACK
    # one processor compiles: the match of another bot may need the other
    config.parallel_compilation = False
    config.wasm_threads = False
    config.shared_memory = False
    config.wasm_relaxed_simd = False
    config.wasm_tail_call = False  # would evade the limit of the stack
    config.wasm_multi_memory = False
    config.wasm_memory64 = False
    config.wasm_exceptions = False
    config.wasm_function_references = False
    config.wasm_gc = False
    config.wasm_component_model = False
    config.wasm_wide_arithmetic = False
    config.wasm_custom_page_sizes = False
    config.wasm_stack_switching = False
    return wasmtime.Engine(config)


def binary(content: bytes) -> bytes:
    """Return a module in the binary format, from that or from text. Raises WasmFailed."""
    if len(content) > MOST_CODE:
        raise WasmFailed(f"the module has {len(content):,} bytes; the limit is {MOST_CODE:,}")
    if content.startswith(b"\0asm"):
        return content
    if not content.lstrip().startswith((b"(", b";")):
        raise WasmFailed("the file is not a WebAssembly module, neither in the binary format nor as text (.wat)")
    try:
        return bytes(wasmtime.wat2wasm(content))
    except wasmtime.WasmtimeError as error:
        raise WasmFailed(f"the module's text has an error: {_first_line(error)}") from error


class Machine:
    """One instance of a module: its exports, and the instructions that they use."""

    def __init__(self, module: bytes, log: Callable[[str], None] = lambda line: None) -> None:
        """Compile and start a module in the binary format or as text. ``log`` gets what the module logs, and where it
        trapped. Raises WasmFailed.
        """
        self._log = log
        self._logged = 0
        self._used = 0
        self._granted = 0
        self._instance: wasmtime.Instance | None = None
        self.digest = sha256(module).hexdigest()
        """SHA-256 of the module's file."""
        code = binary(module)
        machine = engine()
        self._store = wasmtime.Store(machine)
        self._store.set_limits(memory_size=MEMORY, table_elements=TABLE, instances=1, tables=8, memories=1)
        try:
            wasmtime.Module.validate(machine, code)
            compiled = wasmtime.Module(machine, limit_stack(code))
        except (wasmtime.WasmtimeError, ValueError) as error:
            raise WasmFailed(f"the module is not valid: {_first_line(error)}") from error
        imports = [self._import(each) for each in compiled.imports]
        instance = self._metered(SETUP, lambda: wasmtime.Instance(self._store, compiled, imports))
        self._instance = instance
        self._exports = {each.name: instance.exports(self._store)[each.name] for each in compiled.exports if each.name}
        memory = self._exports.get(abi.MEMORY)
        if not isinstance(memory, wasmtime.Memory):
            raise WasmFailed(f"the module exports no memory named {abi.MEMORY!r}")
        self._memory = memory
        for function in abi.REQUIRED:
            self._check(function)
        for function in abi.OPTIONAL:
            if function.name in self._exports:
                self._check(function)
        self._place, self._size = 0, 0
        if abi.INITIALIZE in self._exports:
            self.call(abi.INITIALIZE)

    @property
    def memory_size(self) -> int:
        """Bytes of the module's memory now."""
        return self._memory.data_len(self._store)

    def text(self, name: str) -> str | None:
        """Return the text that an export returns; None where the module has no such export. Raises WasmFailed."""
        if name not in self._exports:
            return None
        place = self.call(name) & 0xFFFFFFFF
        content = (
            bytes(self._memory.read(self._store, place, place + LONGEST_TEXT)) if place < self.memory_size else b""
        )
        text, ended, _ = content.partition(b"\0")
        if not ended:
            raise WasmFailed(f"{name} returned {place}, where no text of up to {LONGEST_TEXT} bytes stands")
        try:
            return text.decode()
        except UnicodeDecodeError as error:
            raise WasmFailed(f"{name} returned a text that is not UTF-8") from error

    def move(self, turn: abi.TurnInput, limit: int) -> tuple[abi.Answer, int]:
        """Return the answer to a turn and the instructions that it used, at most ``limit``. Raises WasmFailed."""
        content = turn.packed(self._place)
        if len(content) > self._size:
            self._find_buffer(max(len(content), LONGEST_TEXT))
            content = turn.packed(self._place)
        self._memory.write(self._store, bytearray(content), self._place)
        number = self.call(abi.MOVE, self._place, limit=limit)
        try:
            return abi.read_answer(number, len(turn.moves)), self._used
        except ValueError as error:
            raise WasmFailed(str(error)) from error

    def accepts_draw(self) -> bool:
        """Return whether the bot accepts a draw. Raises WasmFailed."""
        return abi.ACCEPT_DRAW in self._exports and self.call(abi.ACCEPT_DRAW) == 1

    def call(self, name: str, *arguments: int, limit: int = SETUP) -> int:
        """Call an export with this limit of instructions; return its result, 0 if it has none. Raises WasmFailed."""
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        result = self._metered(limit, lambda: function(self._store, *arguments))
        return result if isinstance(result, int) else 0

    def _find_buffer(self, size: int) -> None:
        """Ask the module where it wants a turn of this size. Raises WasmFailed."""
        place = self.call(abi.BUFFER, size) & 0xFFFFFFFF
        if place == 0 or place % abi.ALIGNMENT or place + size > self.memory_size:
            raise WasmFailed(
                f"{abi.BUFFER} returned {place} for {size:,} bytes; it must return an address divisible by "
                f"{abi.ALIGNMENT} with that much memory behind it"
            )
        self._place, self._size = place, size

    def _check(self, wanted: abi.Function) -> None:
        """Raise WasmFailed where an export is missing or of another type."""
        function = self._exports.get(wanted.name)
        if not isinstance(function, wasmtime.Func):
            raise WasmFailed(f"the module exports no function {wanted.name!r}")
        kind = function.type(self._store)
        found = [str(each) for each in kind.params], [str(each) for each in kind.results]
        if found != wanted.types:
            raise WasmFailed(
                f"the export {wanted.name!r} is of type {_type(*found)}; it must be {_type(*wanted.types)}"
            )

    def _metered(self, limit: int, work: Callable[[], Result]) -> Result:
        """Run code of the module with this limit of instructions. Raises WasmFailed."""
        self._granted = limit
        self._store.set_fuel(limit)
        try:
            return work()
        except wasmtime.Trap as trap:
            raise self._explained(trap) from None
        except wasmtime.WasmtimeError as error:
            raise WasmFailed(f"the module cannot be started: {_last_line(error)}") from error
        finally:
            self._used = limit - self._store.get_fuel()

    def _explained(self, trap: wasmtime.Trap) -> WasmFailed:
        code = trap.trap_code
        if code is TrapCode.OUT_OF_FUEL:
            return InstructionsUsedUp(f"the module used all of its {self._granted:,} instructions")
        self._log(trap.message)
        if self._stack_left() < 0:
            code = TrapCode.STACK_OVERFLOW
        return Trapped(f"the module trapped: {_TRAPS.get(code, str(code)) if code else _first_line(trap)}")

    def _stack_left(self) -> int:
        if self._instance is None:
            return 0
        left = self._instance.exports(self._store)[STACK_GLOBAL]
        assert isinstance(left, wasmtime.Global)
        return int(left.value(self._store))

    # ---------------------------------------------------------------- imports

    def _import(self, wanted: wasmtime.ImportType) -> wasmtime.Func:
        """Return what the module gets for an import. Raises WasmFailed."""
        kind, name = wanted.type, wanted.name or ""
        assert isinstance(kind, wasmtime.FuncType), "limit_stack refuses other imports"
        types = [str(each) for each in kind.params], [str(each) for each in kind.results]
        known: dict[str, tuple[abi.Function, Callable[..., object]]] = {
            abi.LOG.name: (abi.LOG, self._log_text),
            abi.INSTRUCTIONS_USED.name: (abi.INSTRUCTIONS_USED, self._count),
        }
        if wanted.module == abi.IMPORTS and name in known and known[name][0].types == types:
            function = known[name][1]
        elif wanted.module == _WASI and types[1] in ([], ["i32"]):
            function = self._wasi(name, bool(types[1]))
        else:
            raise WasmFailed(
                f"the module imports {wanted.module}.{name} of type {_type(*types)}; a bot can import "
                "arena.log (i32, i32) -> (), arena.instructions_used () -> i64, and functions of "
                f"{_WASI}, which have no effect"
            )
        return wasmtime.Func(self._store, kind, function)

    def _wasi(self, name: str, answers: bool) -> Callable[..., object]:
        """Return a function of WASI: outputs log, and the others have no effect."""

        def function(*arguments: int) -> int | None:
            self._charge()
            if name == "proc_exit":
                raise Trapped(f"the module ended itself with exit status {arguments[0] if arguments else 0}")
            if name == "fd_write" and len(arguments) == 4:
                return self._write(*(each & 0xFFFFFFFF for each in arguments))
            return _MISSING if answers else None

        return function

    def _charge(self, further: int = 0) -> None:
        """Count a call of an import as instructions. Raises InstructionsUsedUp."""
        left = self._store.get_fuel()
        price = HOST_CALL + further
        if left <= price:
            self._store.set_fuel(0)
            raise InstructionsUsedUp(f"the module used all of its {self._granted:,} instructions")
        self._store.set_fuel(left - price)

    def _count(self) -> int:
        self._charge()
        return self._granted - self._store.get_fuel()

    def _log_text(self, place: int, size: int) -> None:
        place, size = place & 0xFFFFFFFF, size & 0xFFFFFFFF
        self._charge(size)
        if self._instance is None:
            return  # it starts, and has no memory yet
        if place + size > self.memory_size:
            raise Trapped("the module logged a text outside its memory")
        self._keep(bytes(self._memory.read(self._store, place, place + size)))

    def _write(self, file: int, vectors: int, count: int, written: int) -> int:
        """Log what a C library writes to its standard output or error output."""
        if file not in (1, 2) or self._instance is None:
            return _BAD_FILE
        total = 0
        if vectors + 8 * count > self.memory_size or written + 4 > self.memory_size or count > 1024:
            return _FAULT
        heads = self._memory.read(self._store, vectors, vectors + 8 * count)
        for at in range(0, 8 * count, 8):
            place, size = (int.from_bytes(heads[at + part : at + part + 4], "little") for part in (0, 4))
            if place + size > self.memory_size:
                return _FAULT
            self._charge(size)
            self._keep(bytes(self._memory.read(self._store, place, place + size)))
            total += size
        self._memory.write(self._store, (total & 0xFFFFFFFF).to_bytes(4, "little"), written)
        return 0

    def _keep(self, content: bytes) -> None:
        """Log a text, up to the limit."""
        left = MOST_LOGGED - self._logged
        self._logged += len(content)
        if left > 0:
            self._log(content[:left].decode(errors="replace"))
            if self._logged >= MOST_LOGGED:
                self._log(f"\n(The bot has logged {MOST_LOGGED:,} bytes; the rest is dropped.)")


def _type(parameters: Sequence[str], results: Sequence[str]) -> str:
    return f"({', '.join(parameters)}) -> ({', '.join(results)})"


def _first_line(error: object) -> str:
    return str(error).strip().partition("\n")[0][:300]


def _last_line(error: object) -> str:
    """Return the cause of an error of wasmtime, which stands in its last line."""
    return str(error).strip().splitlines()[-1].strip()[:300]


def version() -> str:
    """Return the version of wasmtime."""
    return importlib.metadata.version("wasmtime")


def warn(text: str) -> None:
    """Write what a module logs to the error output."""
    print(text, end="" if text.endswith("\n") else "\n", file=sys.stderr, flush=True)
