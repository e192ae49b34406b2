# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of a full, locked, slow or absent database."""

import asyncio
import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import psycopg

from lab.proofs.clients import witnesses_play
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

TIMES = 10
"""Of each trouble."""

TROUBLE = 3.0
"""Seconds that each lasts."""

MOVES_BETWEEN = 40
OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe", "--time-controls", "tictactoe=10+1", "--ladder-interval", "0.05",
    "--ladder-pause", "0", "--log-level", "warning",
)  # fmt: skip

Trouble = Callable[[float], Awaitable[None]]
"""Makes the trouble and ends it after so many seconds."""


async def prove_storage(ledger: Ledger) -> None:
    """A full, locked, slow or absent database

    A database that fails for some seconds costs no match and no acknowledged move: moves wait, clocks stand still
    meanwhile, and play continues by itself as soon as the database works again. The proof fills the disk during
    matches, locks a SQLite file and PostgreSQL tables for seconds and repeatedly, and restarts, crashes and stops a
    PostgreSQL server.
    """
    folder = ledger.place("disk")
    with _small_disk(folder) as small:
        server = Server(folder, *OPTIONS)
        full = (lambda seconds: _fill(folder, seconds)) if small else (lambda seconds: _forbid(server, seconds))
        await _play(ledger, server, {"a full disk" if small else "files that cannot grow": full})
    server = Server(ledger.place("sqlite"), *OPTIONS)
    file = server.folder / "arena.db"
    await _play(
        ledger, server, {"a locked SQLite file": lambda s: _lock(file, s), "a slow one": lambda s: _slow_file(file, s)}
    )
    postgres = ledger.postgres
    postgres.sweep()
    server = Server(ledger.place("postgresql"), *OPTIONS, database=postgres.url)

    async def restart(mode: str, seconds: float) -> None:
        await asyncio.to_thread(postgres.stop, mode)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(postgres.start)

    await _play(
        ledger,
        server,
        {
            "locked PostgreSQL tables": lambda seconds: _lock_tables(postgres.url, seconds),
            "a PostgreSQL that is restarted": lambda seconds: restart("fast", 0.0),
            "one that crashes and stays away": lambda seconds: restart("immediate", seconds),
        },
    )


async def _play(ledger: Ledger, server: Server, troubles: dict[str, Trouble]) -> None:
    """Let bots play during one trouble after the other, and compare the messages they received with the records."""
    loop, halts = asyncio.get_running_loop(), dict.fromkeys(troubles, 0.0)
    times, seconds = ledger.times(TIMES), TROUBLE if ledger.scale >= 0.5 else 1.0
    place = " and ".join(troubles)
    async with ledger.running(server, place):
        tokens = await server.register("anna", "bert", "cleo", "dora")
        witnesses = [Witness(name, token, ["tictactoe"], pace=0.01) for name, token in tokens.items()]
        async with witnesses_play(witnesses, lambda: server.play_url) as players:
            for _ in range(times):
                for name, trouble in troubles.items():
                    await _more(witnesses, players)
                    await trouble(seconds)
                    ended_at = loop.time()
                    await _more(witnesses, players, 1)
                    halts[name] = max(halts[name], loop.time() - ended_at)
            await _more(witnesses, players)
            live = {number for witness in witnesses for number, _ in witness.acknowledged} - ended(witnesses)
            await until(players, lambda: live <= ended(witnesses))
        await compare(server, witnesses)
    for name, halt in halts.items():
        ledger.note(f"{name}: times", times)
        ledger.note(f"{name}: longest time from the end of the failure to the next move", f"{halt:.1f} s")
    ledger.note(f"{place}: moves acknowledged, all found", moves(witnesses))
    ledger.note(f"{place}: matches played to the end, none lost on time", len(ended(witnesses)))


async def _more(witnesses: list[Witness], players: list[asyncio.Task[None]], number: int = MOVES_BETWEEN) -> None:
    """Wait until so many moves more were acknowledged."""
    goal = moves(witnesses) + number
    await until(players, lambda: moves(witnesses) >= goal)


# ---------------------------------------------------------------- troubles


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    """Mount a disk of a few megabytes on a folder, where that is allowed."""
    mount = shutil.which("mount")
    if mount is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        yield False
        return
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], check=False, capture_output=True)
    if done.returncode:
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


async def _fill(folder: Path, seconds: float) -> None:
    """Fill the disk to the last byte for a while."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 16, 1 << 10, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * size)
    await asyncio.sleep(seconds)
    filler.unlink()


async def _forbid(server: Server, seconds: float) -> None:
    """Let no file of the server grow for a while."""
    unlimited = resource.RLIM_INFINITY
    largest = max(file.stat().st_size for file in server.folder.glob("arena.db*"))
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (min(largest, 1 << 16), unlimited))
    await asyncio.sleep(seconds)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))


async def _lock(file: Path, seconds: float) -> None:
    """Hold SQLite's lock for writing."""
    async with _writing(file):
        await asyncio.sleep(seconds)


async def _slow_file(file: Path, seconds: float) -> None:
    """Hold the lock for most of the time, again and again."""
    for _ in range(round(seconds / 0.3)):
        async with _writing(file):
            await asyncio.sleep(0.25)
        await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def _writing(file: Path) -> AsyncIterator[None]:
    connection = sqlite3.connect(file, timeout=10, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()


async def _lock_tables(url: str, seconds: float) -> None:
    """Hold a lock on every table that forbids to write."""
    async with await psycopg.AsyncConnection.connect(url) as connection:
        rows = await (
            await connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ).fetchall()
        tables = ", ".join(f'"{name}"' for (name,) in rows)
        held = False
        while not held:  # tables are locked one after the other, and a writer may hold a later one and want an earlier
            try:
                await connection.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE".encode())
                held = True
            except psycopg.errors.DeadlockDetected:
                await connection.rollback()
        await asyncio.sleep(seconds)
        await connection.rollback()
