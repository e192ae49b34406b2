# SPDX-License-Identifier: GPL-3.0-or-later
"""What a proof is given, and what it measured."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.load.jobs import Latencies
from tests.postgres import Postgres

PATIENCE = 300.0
"""Seconds that ``arena verify`` may take."""


@dataclass
class Ledger:
    """The figures of one proof, in the order in which they were noted."""

    scale: float
    """How much of the full proof is run; 1: all."""
    folder: Path
    """Empty at first."""
    postgres: Postgres
    figures: dict[str, str] = field(default_factory=dict)
    verdicts: list[str] = field(default_factory=list)
    """What ``arena verify`` answered, by the records it was asked about."""

    def times(self, full: int, least: int = 1) -> int:
        """Return how often to do what the full proof does ``full`` times."""
        return max(least, round(full * self.scale))

    def place(self, name: str) -> Path:
        """Return a new folder."""
        made = self.folder / name
        made.mkdir()
        return made

    def note(self, what: str, figure: int | float | str) -> None:
        """Note a figure."""
        match figure:
            case int():
                self.figures[what] = f"{figure:,}"
            case float():
                self.figures[what] = f"{figure:,.1f}"
            case _:
                self.figures[what] = figure

    def note_latency(self, what: str, latencies: Latencies) -> None:
        """Note the percentiles of some latencies."""
        shown = [f"{1000 * (latencies.percentile(percent) or 0):,.1f} ms ({percent:g} %)" for percent in (50, 99)]
        self.note(what, f"{', '.join(shown)}, {1000 * latencies.largest:,.1f} ms (all)")

    def note_counts(self, what: str, counts: dict[str, int]) -> None:
        """Note how often which of several things happened."""
        shown = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items(), key=lambda item: -item[1]))
        self.note(what, shown or "none")

    async def verify(self, database: str, records: str = "the records") -> None:
        """Have ``arena verify`` check a database; fails when it finds something."""
        answer = await verified(database)
        report = answer["report"]
        assert answer["clean"], (report["counts"], report["findings"][:5])
        self.verdicts.append(
            f"{records}: clean; {report['matches']:,} matches with {report['events']:,} events, "
            f"{report['replayed']:,} played again, {report['changes']:,} rating changes"
        )


async def verified(database: str) -> dict[str, Any]:
    """Return what ``arena verify --json`` says of a database."""
    command = [sys.executable, "-m", "arena.cli", "verify", "--json", "--database-url", database]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    answer: dict[str, Any] = json.loads(output)
    return answer


Proof = Callable[[Ledger], Coroutine[Any, Any, None]]
"""Keeps the promise of its module's docstring under fire, or raises AssertionError."""
