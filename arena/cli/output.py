# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands print: JSON for programs when asked for, else tables for people."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table


def add_json(parser: argparse.ArgumentParser) -> None:
    """Give a command the option that every command has."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def print_json(answer: Any) -> None:
    """Print an answer as one line of JSON."""
    print(msgspec.json.encode(answer).decode(), flush=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under headings; numbers are aligned to the right and grouped in thousands.

    A terminal's width is kept; in a file or a pipe nothing is wrapped or cut.
    """
    table = Table(box=None, header_style="bold", pad_edge=False)
    rows = [list(row) for row in rows]
    for index, column in enumerate(columns):
        numeric = all(isinstance(row[index], int | float | None) for row in rows)
        table.add_column(column, justify="right" if rows and numeric else "left")
    for row in rows:
        table.add_row(*(_text(value) for value in row))
    console = Console()
    if not console.is_terminal:
        console.width = _WIDEST
    console.print(table)


_WIDEST = 10_000
"""Letters of a line that nobody looks at through a window."""


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.2f}" if isinstance(value, float) else str(value)
