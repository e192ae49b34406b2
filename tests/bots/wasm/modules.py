# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of WebAssembly bots as text."""

from pathlib import Path

from bots.wasm.binary import number, section

FIRST = "(i32.const 0)"
"""The body of ``arena_move`` that plays the first move."""


def module(
    move: str = FIRST,
    *,
    games: str = "tictactoe,chess",
    before: str = "",
    more: str = "",
    pages: str = "2",
    buffer: str = "(i32.const 1024)",
) -> str:
    """Return a bot whose ``arena_move`` has this body; ``before`` stands among its imports, ``more`` at its end.

    It has the turn at 1024 and a local ``$i``.
    """
    return f"""(module
  {before}
  (memory (export "memory") {pages})
  (data (i32.const 16) "{games}\\00")
  (func (export "arena_games") (result i32) (i32.const 16))
  (func (export "arena_buffer") (param $size i32) (result i32) {buffer})
  {more}
  (func (export "arena_move") (param $turn i32) (result i32) (local $i i32) {move})
)"""


def write(folder: Path, text: str, name: str = "bot.wat") -> Path:
    """Write a module to a file of a folder."""
    file = folder / name
    file.write_text(text)
    return file


USED = '(import "arena" "instructions_used" (func $used (result i64)))'
LOG = '(import "arena" "log" (func $log (param i32 i32)))'

LOOP = "(loop $again (br $again)) (i32.const 0)"
"""Never answers."""

GROW = """(block $full (loop $more
    (br_if $full (i32.eq (memory.grow (i32.const 256)) (i32.const -1)))
    (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $more)))
  (local.get $i)"""
"""Answers how many times its memory grew by 16 MiB."""
GROWN = 15
"""That number: its first two pages leave one fewer than 16."""

DEEP = """(func $deep (param $n i32) (result i32)
  (if (result i32) (local.get $n)
    (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1))))) (else (i32.const 0))))"""
"""Calls itself so many times."""


def slow_to_compile(values: int = 5_000, loops: int = 500) -> bytes:
    """Return a module of 50,000 bytes that needs gigabytes to compile: many values change in nested loops."""
    changes = b"".join(b"\x20" + number(place) + b"\x41\1\x6a\x21" + number(place) for place in range(values))
    body = b"\1" + number(values) + b"\x7f" + b"\x03\x40" * loops + changes + b"\x41\1\x0d\0\x0b" * loops + b"\x0b"
    sections = (1, b"\1\x60\0\0"), (3, b"\1\0"), (10, b"\1" + number(len(body)) + body)
    return b"\0asm\1\0\0\0" + b"".join(section(kind, content) for kind, content in sections)
