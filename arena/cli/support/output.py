# SPDX-License-Identifier: GPL-3.0-or-later
"""Output of commands: tables and lines for people, JSON with ``--json``, and progress of long commands.

All that a command prints goes through here, so that no name, version or error text from elsewhere can send escape
sequences to a terminal.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

import msgspec
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
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


def print_answer(arguments: argparse.Namespace, answer: Any, *lines: str) -> None:
    """Print the answer of a command: as JSON with ``--json``, otherwise as lines for people."""
    if arguments.json:
        print_json(answer)
    else:
        for line in lines:
            say(line)


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


# ---------------------------------------------------------------- progress

EVERY = 60.0
"""Seconds from one progress line to the next, where no terminal shows a bar."""


class Bars(Progress):
    """Progress bars on standard error, erased at the end; plain lines if ``quiet``, or without a terminal.

    ``note`` returns a text for the end of each line, such as the speeds of machines.
    """

    def __init__(self, *, quiet: bool, every: float = EVERY, note: Callable[[], str] = str) -> None:
        console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            _Note(note),
        )
        self._note = note
        super().__init__(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)
        self._every = every
        self._last = time.monotonic()
        self._begun: dict[TaskID, tuple[float, float]] = {}

    def add_task(
        self,
        description: str,
        start: bool = True,
        total: float | None = 100.0,
        completed: int = 0,
        visible: bool = True,
        **fields: Any,
    ) -> TaskID:
        """Begin a piece of work, ``completed`` of which was done before. The description is markup."""
        task = super().add_task(printable(description), start, total, completed, visible, **fields)
        self._begun[task] = (time.monotonic(), completed)
        return task

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Tell that more is done."""
        super().advance(task_id, advance)
        self._say(task_id)

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Report the progress, or the current step."""
        if "description" in changes:
            changes["description"] = printable(changes["description"])
        super().update(task_id, **changes)
        self._say(task_id)

    def _say(self, task_id: TaskID) -> None:
        now = time.monotonic()
        if self.disable and now - self._last >= self._every:
            self._last = now
            say_error(_line(self._tasks[task_id], *self._begun[task_id], now, self._note()))


class _Note(ProgressColumn):
    """A text that changes."""

    def __init__(self, note: Callable[[], str]) -> None:
        super().__init__()
        self._text = note

    def render(self, task: Task) -> Text:
        """Return the text of this moment."""
        return Text(printable_line(self._text()))


def _line(task: Task, begun: float, before: float, now: float, note: str) -> str:
    what = Text.from_markup(task.description).plain
    done = f"{task.completed:,.0f}" if task.total is None else f"{task.completed:,.0f} of {task.total:,.0f}"
    told = [f"{what}: {done}", f"{_span(now - begun)} so far"]
    if task.total is not None and task.completed > before:
        told.append(f"about {_span((now - begun) * (task.total - task.completed) / (task.completed - before))} to go")
    if note:
        told.append(note)
    return ", ".join(told)


def _span(seconds: float) -> str:
    """Write a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
