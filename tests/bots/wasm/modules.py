# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of WebAssembly bots as text."""

from pathlib import Path

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

DEEP = """(func $deep (param $n i32) (result i32)
  (if (result i32) (local.get $n)
    (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1))))) (else (i32.const 0))))"""
"""Calls itself so many times."""
