# SPDX-License-Identifier: GPL-3.0-or-later
"""A limit of the call stack that is the same on every machine, written into a WebAssembly module.

wasmtime's own limit counts bytes of the machine's stack, which depend on the processor and the compiler. Here each call
of a function of the module is surrounded by instructions that subtract the caller's units from a global, trap where it
falls below 0, and add them again. A frame has 2 units, 1 for each 8 parameters and locals, and 1 for each 16 bytes of
its code. A unit stands for 128 bytes of machine stack: an instruction of the module yields at most one value of 16
bytes, from at least 2 bytes of code, or one of 8. So wasmtime's limit, which is above ``UNITS`` times 128, is not met.
"""

from bots.wasm.binary import ModuleReader, number, section, signed, vector_head

UNITS = 1 << 20
"""The units of all frames together."""
UNIT_BYTES = 128
STACK_GLOBAL = "bot_arena.stack"
"""The export of the global with the units that are left; below 0 after a trap for want of stack."""

_TYPE, _IMPORT, _FUNCTION, _GLOBAL, _EXPORT, _CODE, _CUSTOM = 1, 2, 3, 6, 7, 10, 0
_AFTER_GLOBALS = (7, 8, 9, 12, 10, 11)
"""Sections in their order behind the globals: exports, start, elements, data count, code, data."""
_AFTER_EXPORTS = _AFTER_GLOBALS[1:]

# operands behind an instruction's first byte: how many numbers of variable length, or a name
_OPERANDS: list[int | str] = [0] * 256
for _code in (0x02, 0x03, 0x04, 0x0C, 0x0D, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3F, 0x40, 0x41, 0x42):
    _OPERANDS[_code] = 1
for _code in (*range(0x28, 0x3F), 0x11):
    _OPERANDS[_code] = 2
for _code in (0xD0, 0xD2, 0x10):
    _OPERANDS[_code] = 1
_OPERANDS[0x0E] = _OPERANDS[0x1C] = "vector"
_OPERANDS[0x43], _OPERANDS[0x44] = "4 bytes", "8 bytes"
_OPERANDS[0xFC], _OPERANDS[0xFD] = "numeric", "vectors"
for _code in (*range(0x06, 0x0B), *range(0x12, 0x1A), *range(0x1D, 0x20), 0x27, *range(0xC5, 0xD0)):
    _OPERANDS[_code] = "unknown"
for _code in (*range(0xD3, 0xFC), 0xFE, 0xFF):
    _OPERANDS[_code] = "unknown"

_BULK = (*(0,) * 8, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1)
"""Numbers behind the instructions of the prefix 0xFC."""


def limit_stack(module: bytes) -> bytes:
    """Return a valid module with the limit. Raises ValueError for an instruction that bots may not use."""
    sections = [*ModuleReader(module[8:]).sections()]
    held = dict(sections)
    parameters = [*_parameters(held.get(_TYPE, b"\0"))]
    imported = _imported_functions(held.get(_IMPORT, b"\0"))
    functions = [parameters[index] for index in ModuleReader(held.get(_FUNCTION, b"\0")).numbers()]
    counter, globals_ = vector_head(held.get(_GLOBAL, b"\0"))
    exported, exports = vector_head(held.get(_EXPORT, b"\0"))
    new = {
        _GLOBAL: number(counter + 1) + globals_ + b"\x7f\x01\x41" + signed(UNITS) + b"\x0b",
        _EXPORT: number(exported + 1) + exports + _name(STACK_GLOBAL) + b"\x03" + number(counter),
    }
    if _CODE in held:
        new[_CODE] = _limited_code(held[_CODE], functions, imported, counter)
    if _GLOBAL not in held:
        _insert(sections, _GLOBAL, _AFTER_GLOBALS)
    if _EXPORT not in held:
        _insert(sections, _EXPORT, _AFTER_EXPORTS)
    return module[:8] + b"".join(
        section(kind, content if kind == _CUSTOM else new.get(kind, content)) for kind, content in sections
    )


def _insert(sections: list[tuple[int, bytes]], kind: int, later: tuple[int, ...]) -> None:
    """Put an empty section before the first of the later ones."""
    places = (place for place, (other, _) in enumerate(sections) if other in later)
    sections.insert(next(places, len(sections)), (kind, b"\0"))


def _name(text: str) -> bytes:
    return number(len(text)) + text.encode()


def _parameters(content: bytes) -> "list[int]":
    """Return the number of parameters of each type."""
    reader, found = ModuleReader(content), []
    for _ in range(reader.number()):
        if reader.byte() != 0x60:
            raise ValueError("it has a type that is not a function type; bots have plain functions")
        found.append(reader.skip_bytes(reader.number()))
        reader.skip_bytes(reader.number())
    return found


def _imported_functions(content: bytes) -> int:
    """Return the number of imported functions. Raises ValueError for other imports."""
    reader = ModuleReader(content)
    count = reader.number()
    for _ in range(count):
        place = f"{reader.name()}.{reader.name()}"
        if reader.byte() != 0:
            raise ValueError(f"it imports {place}, which is not a function; a bot's memory and globals are its own")
        reader.number()
    return count


def _limited_code(content: bytes, functions: list[int], imported: int, counter: int) -> bytes:
    reader = ModuleReader(content)
    bodies = [number(reader.number())]
    for parameters in functions:
        body = _limited_body(reader.take(reader.number()), parameters, imported, counter)
        bodies += (number(len(body)), body)
    return b"".join(bodies)


def _limited_body(body: bytes, parameters: int, imported: int, counter: int) -> bytes:
    """Return a function's locals and instructions, each call of a function of the module with its units."""
    reader = ModuleReader(body)
    values = parameters
    for _ in range(reader.number()):
        values += reader.number()
        reader.byte()
    cost = signed(2 + values // 8 + len(body) // 16)
    place = number(counter)
    before = b"\x23" + place + b"\x41" + cost + b"\x6b\x24" + place  # global.get, i32.const, i32.sub, global.set
    before += b"\x23" + place + b"\x41\x00\x48\x04\x40\x00\x0b"  # global.get, i32.const 0, i32.lt_s, if, unreachable
    after = b"\x23" + place + b"\x41" + cost + b"\x6a\x24" + place
    written, kept = bytearray(), 0
    for start, end in _calls(body, reader.at, imported):
        written += body[kept:start] + before + body[start:end] + after
        kept = end
    return bytes(written + body[kept:])


def _calls(body: bytes, at: int, imported: int) -> "list[tuple[int, int]]":
    """Return where the calls of functions of the module stand, in a function whose instructions begin at ``at``."""
    found = []
    reader = ModuleReader(body, at)
    while reader.at < len(body):
        start = reader.at
        code = body[start]
        reader.at += 1
        operands = _OPERANDS[code]
        if code == 0x10:
            if reader.number() >= imported:
                found.append((start, reader.at))
        elif isinstance(operands, int):
            for _ in range(operands):
                reader.skip()
            if code == 0x11:
                found.append((start, reader.at))
        else:
            _skip_operands(reader, operands, code)
    return found


def _skip_operands(reader: ModuleReader, operands: str, code: int) -> None:
    match operands:
        case "vector":
            for _ in range(reader.number()):
                reader.skip()
            if code == 0x0E:
                reader.skip()
        case "4 bytes":
            reader.at += 4
        case "8 bytes":
            reader.at += 8
        case "numeric" if (kind := reader.number()) < len(_BULK):
            for _ in range(_BULK[kind]):
                reader.skip()
        case "vectors" if (kind := reader.number()) < 0x100:
            _skip_vector_operands(reader, kind)
        case _:
            raise ValueError(f"it has the instruction 0x{code:02x}, which bots may not use")


def _skip_vector_operands(reader: ModuleReader, kind: int) -> None:
    """Skip the operands of an instruction of the prefix 0xFD."""
    if kind <= 11 or 84 <= kind <= 93:
        reader.skip()
        reader.skip()
        reader.at += 84 <= kind <= 91
    elif kind in (12, 13):
        reader.at += 16
    elif 21 <= kind <= 34:
        reader.at += 1
