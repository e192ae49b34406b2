# SPDX-License-Identifier: GPL-3.0-or-later
"""Volunteers as processes of their own, which tests may end in any way they like."""

import asyncio
import signal
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.connections.admission import hash_token, make_token
from arena.features.volunteers.records import IslandRecords
from arena.store import Store
from engine.native import child
from tests.end_to_end.server import Server
from tests.forked import starts

HONEST = ("tests.features.volunteers.evolving", "honest")
LIAR = ("tests.features.volunteers.evolving", "liar")

EXCHANGE = (
    "--games=checkers",
    "--no-built-in-bots",
    "--volunteer-nodes=60",
    "--volunteer-interval=0.05",
    "--volunteer-mating=0.2",
    "--volunteer-silence=15",
)
"""How a server is started that exchanges genomes in haste."""
SMALL = ("--game=checkers", "--population=6", "--option=openings=2", "--option=elite=2", "--pace=0.2")


class Volunteer:
    """An island: a folder, a token, and the process that breeds it now, if any."""

    def __init__(self, folder: Path, name: str, command: tuple[str, ...] = HONEST) -> None:
        self.name = name
        self.token = make_token()
        self.id = 0
        self._folder = folder / name
        self._command = command
        self._log = folder / f"{name}.txt"
        self._process: Process | None = None

    @property
    def log(self) -> str:
        """What it has written so far."""
        return self._log.read_text("utf-8")

    async def start(self, server: Server, seed: int = 1) -> None:
        """Begin, or go on."""
        options = (f"--join={server.url}", f"--token={self.token}", f"--out={self._folder}", f"--seed={seed}", *SMALL)
        with self._log.open("ab") as log, starts():
            self._process = await asyncio.create_subprocess_exec(
                *child.command(*self._command, *options), stdout=log, stderr=log, pass_fds=child.pass_fds()
            )

    async def kill(self) -> None:
        """End the process with SIGKILL, in the middle of whatever it does."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End the process with SIGINT."""
        await self._end(signal.SIGINT)

    async def wait(self) -> int:
        """Wait until it ends by itself; returns its exit code."""
        assert self._process is not None
        return await self._process.wait()

    async def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)
            await self._process.wait()


async def invite(server: Server, *volunteers: Volunteer) -> None:
    """Let volunteers in, by the database, as ``arena islands add`` does."""
    async with await Store.open(server.database) as store:
        for volunteer in volunteers:
            volunteer.id = (await store.records(IslandRecords).add(volunteer.name, hash_token(volunteer.token))).id


async def until(server: Server, volunteer: Volunteer, wanted: Callable[[Any], bool]) -> Any:
    """Return an island as soon as it is as wanted."""
    while True:
        found = await server.get(f"/api/v1/islands/{volunteer.id}")
        if wanted(found):
            return found
        await asyncio.sleep(0.2)
