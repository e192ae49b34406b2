# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of long commands: a bar on a terminal, otherwise a line per minute."""

import time
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from arena.cli.support.output import say_error
from arena.protocol.terminal import printable

EVERY = 60.0
"""Seconds from one line to the next."""


class Bars(Progress):
    """Progress bars on standard error, erased at the end; plain lines if ``quiet``, or without a terminal."""

    def __init__(self, *, quiet: bool, every: float = EVERY) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
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
            say_error(_line(self._tasks[task_id], *self._begun[task_id], now))


def _line(task: Task, begun: float, before: float, now: float) -> str:
    what = Text.from_markup(task.description).plain
    done = f"{task.completed:,.0f}" if task.total is None else f"{task.completed:,.0f} of {task.total:,.0f}"
    told = [f"{what}: {done}", f"{_span(now - begun)} so far"]
    if task.total is not None and task.completed > before:
        told.append(f"about {_span((now - begun) * (task.total - task.completed) / (task.completed - before))} to go")
    return ", ".join(told)


def _span(seconds: float) -> str:
    """Write a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
