# SPDX-License-Identifier: GPL-3.0-or-later
"""Output of commands: tables and lines for people, JSON with ``--json``.

All that a command prints goes through here, so that no name, version or error text from elsewhere can send escape
sequences to a terminal.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.protocol.terminal import printable, printable_line


def add_json(parser: argparse.ArgumentParser) -> None:
    """Give a command the option that every command has."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def print_json(answer: Any) -> None:
    """Print an answer as one line of JSON; terminal control characters are escaped as in JSON."""
    print(printable(msgspec.json.encode(answer).decode()), flush=True)


def say(text: str = "", *, end: str = "\n", flush: bool = False) -> None:
    """Print a text to standard output."""
    print(printable(text), end=end, flush=flush)


def say_error(text: str) -> None:
    """Print a text to standard error."""
    print(printable(text), file=sys.stderr, flush=True)


class Printed:
    """A file's text as it may be printed to standard output: whole where that is a file or pipe, safe on a terminal."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write a text."""
        return self._file.write(printable(text) if self._file.isatty() else text)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under headings; numbers are aligned to the right and grouped in thousands. Cells contain no markup.

    On a terminal the table fits its width; in a file or a pipe no line is wrapped or cut.
    """
    table = Table(box=None, header_style="bold", pad_edge=False)
    rows = [list(row) for row in rows]
    for index, column in enumerate(columns):
        numeric = all(isinstance(row[index], int | float | None) for row in rows)
        table.add_column(column, justify="right" if rows and numeric else "left")
    for row in rows:
        table.add_row(*(Text(printable_line(_text(value))) for value in row))
    console = Console()
    if not console.is_terminal:
        console.width = _WIDEST
    console.print(table)


_WIDEST = 10_000
"""The line width if the output is not a terminal."""


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.2f}" if isinstance(value, float) else str(value)
