# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches that go on beside whatever is done to the arena, played by a process of their own at a steady pace."""

import asyncio
import contextlib
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from itertools import count

import msgspec

from engine import child
from lab.load.jobs import Job, PlayersJob, Report, Side, WatchersJob
from tests.end_to_end.server import Server

PATIENCE = 60.0
"""Seconds that a process of clients may take for what it is asked."""

SLOW = 0.2
"""Seconds: at such a relay a bot of five moves a second would lose its pace."""

_numbers = count(1)

FORFEITS = {"time", "disconnect", "illegal move", "bad message", "crash", "void", "resignation"}


@contextlib.asynccontextmanager
async def playing(server: Server, tables: int, game: str = "tictactoe", rate: float = 5.0) -> AsyncIterator[Report]:
    """Let new bots play at so many tables, ``rate`` moves a second at each; the report is filled at the end."""
    number = next(_numbers)
    tokens = await server.register(*(f"beside-{number}-{table}-{side}" for table in range(tables) for side in "ab"))
    sides = [Side(name, token) for name, token in tokens.items()]
    async with clients(
        PlayersJob(server.play_url, game, rate, list(zip(sides[::2], sides[1::2], strict=True)))
    ) as report:
        yield report


@contextlib.asynccontextmanager
async def watching(server: Server, spectators: int, game: str, watched: int) -> AsyncIterator[Report]:
    """Follow matches, of which some must be going on, until the end."""
    listed = f"{server.url}/api/v1/matches?status=live&game={game}&limit={watched}"
    async with clients(WatchersJob(server.watch_url, listed, spectators, watched)) as report:
        yield report


@contextlib.asynccontextmanager
async def clients(job: Job) -> AsyncIterator[Report]:
    """Run a process of clients; the report, empty at first, is filled at the end."""
    process = await asyncio.create_subprocess_exec(
        *child.command("lab.load"), stdin=PIPE, stdout=PIPE, limit=1 << 24, pass_fds=child.pass_fds()
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(msgspec.json.encode(job) + b"\n")
        async with asyncio.timeout(PATIENCE):
            assert (await process.stdout.readline()).strip() == b"ready"
        process.stdin.write(b"next\n")
        report = Report()
        yield report
        process.stdin.write(b"next\n")
        async with asyncio.timeout(PATIENCE):
            report.add(msgspec.json.decode(await process.stdout.readline(), type=Report))
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def undisturbed(report: Report) -> None:
    """Fail unless the matches went on at their pace, without a forfeit, an error or a lost connection."""
    assert report.moves, "nothing was played"
    assert not FORFEITS & set(report.endings), report.endings
    assert not report.errors, report.errors
    assert not report.reconnects + report.stalls, report
    median = report.relay.percentile(50)
    assert median is not None
    assert median < SLOW, f"half of the moves took longer than {median:.3f} s to reach the opponent"
