# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that proofs share: their ledgers of figures, and the servers that they run."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.load.jobs import Latencies
from tests.end_to_end.server import Server
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
    """Answers of ``arena verify``, one for each database."""

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

    @contextlib.asynccontextmanager
    async def serving(
        self,
        *options: str,
        name: str = "server",
        records: str = "the records",
        database: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Server]:
        """Run a server in a new folder called ``name``; stop it at the end, and check its log and its records.

        ``records`` names them in the verdict; the other arguments are those of ``Server``.
        """
        server = Server(self.place(name), *options, database=database, environment=environment)
        async with self.running(server, records):
            yield server

    @contextlib.asynccontextmanager
    async def running(self, server: Server, records: str = "the records") -> AsyncIterator[None]:
        """Do the same with a server that is there already."""
        await server.start()
        try:
            yield
        finally:
            await server.stop()
        assert "Traceback" not in server.log, server.log[max(0, server.log.index("Traceback") - 1500) :][:6000]
        await self.verify(server.database, records)

    async def verify(self, database: str, records: str = "the records") -> None:
        """Check a database by ``arena verify``; fails if it finds an error."""
        answer = await verified(database)
        report = answer["report"]
        assert answer["clean"], (report["counts"], report["findings"][:5])
        self.verdicts.append(
            f"{records}: clean; {report['matches']:,} matches with {report['events']:,} events, "
            f"{report['replayed']:,} played again, {report['changes']:,} rating changes"
        )


async def verified(database: str) -> dict[str, Any]:
    """Return the answer of ``arena verify --json`` for a database."""
    command = [sys.executable, "-m", "arena.cli", "verify", "--json", "--database-url", database]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    answer: dict[str, Any] = json.loads(output)
    return answer


Proof = Callable[[Ledger], Coroutine[Any, Any, None]]
"""Holds what its docstring, the text of its page, guarantees, or raises AssertionError."""
