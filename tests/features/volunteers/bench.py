# SPDX-License-Identifier: GPL-3.0-or-later
"""What a thousand islands on volunteers' machines cost the server, each of which reports every ten seconds.

Every report comes over a connection of its own, as that of a real client. One in five has a new best genome; mates
are acknowledged; and every other second somebody tells what a claim proved worth, so that there is something to give.
"""

import asyncio
import contextlib
import io
import json
import os
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvloop
from aiohttp import ClientSession

from arena.cli import main
from arena.connections.admission import hash_token, make_token
from arena.features.volunteers.records import IslandRecords
from arena.protocol.codec import EXCHANGE
from arena.store import Store
from bots.evolution.evochess.genome import drawn, schema_for, write
from lab.bench.measurements import Measurement
from lab.bench.processes import cpu, line_of, running

ISLANDS = int(os.environ.get("BENCH_ISLANDS", "1000"))
PACE = 10.0
"""Seconds between two reports of an island."""
SECONDS = float(os.environ.get("BENCH_SECONDS", "60"))
TARGET = 0.2
"""Of a core."""
NEW, PROVED = 5, 2.0
"""Reports with the same best, and seconds between two results of the examiner."""
GAME, NODES = "chess", 1000
QUIET = (
    "--no-built-in-bots",
    "--no-browser",
    "--log-level=error",
    "--volunteer-verification=no",
    "--ladder=no",
    # all islands of the benchmark have one address
    "--connection-rate=100000",
    "--http-connections-each=2000",
)


def genome(random: Random) -> dict[str, Any]:
    """Return a genome at random."""
    found: dict[str, Any] = msgspec.json.decode(write(schema_for(GAME), drawn(schema_for(GAME), random), NODES))
    return found


@dataclass
class Arena:
    """Where everybody reports to, and what came of it."""

    host: str
    port: int
    least: tuple[int, int] = (0, 0)
    """Reports, and genomes given, that there must be before the end."""
    statuses: Counter[int] = field(default_factory=Counter)
    mates: int = 0
    seconds: list[float] = field(default_factory=list)
    """From a report to its answer."""

    @property
    def enough(self) -> bool:
        """Whether that is reached."""
        reports, mates = self.least
        return len(self.seconds) >= reports and self.mates >= mates

    async def post(self, path: str, token: str, body: Any) -> Any:
        """Say something over a connection of its own."""
        text = msgspec.json.encode(body)
        head = (
            f"POST /api/v1{path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
        )
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(head.encode() + text)
            answer = await reader.read()
        finally:
            writer.close()
        self.seconds.append(time.perf_counter() - began)
        headers, _, found = answer.partition(b"\r\n\r\n")
        self.statuses[int(headers.split(b" ", 2)[1])] += 1
        return msgspec.json.decode(found)


@dataclass
class Island:
    """An island that only says that it breeds."""

    arena: Arena
    token: str
    random: Random
    run: str = field(default_factory=lambda: secrets.token_hex(8))
    id: int = 0
    sequence: int = 0
    received: list[int] = field(default_factory=list)
    best: dict[str, Any] = field(default_factory=dict)

    async def join(self) -> None:
        """Come in."""
        about = {"exchange": EXCHANGE, "client": "bench", "game": GAME, "run": self.run, "seed": 1, "size": 20}
        self.id = (await self.arena.post("/islands", self.token, about))["island"]

    async def report(self) -> None:
        """Say how it stands after another generation."""
        if self.sequence % NEW == 0:
            self.best = {"genome": genome(self.random), "member": self.sequence, "games": 32, "moves": 960}
            self.best |= {"points": self.random.randrange(33), "nodes": 960 * NODES}
        self.sequence += 1
        about = {"exchange": EXCHANGE, "run": self.run, "sequence": self.sequence, "generation": self.sequence}
        played = {"games": 160 * self.sequence, "nodes": 160_000 * self.sequence, "level": 1, "members": 20}
        body = about | played | {"mean": 0.25, "best": self.best, "received": self.received}
        answer = await self.arena.post(f"/islands/{self.id}/reports", self.token, body)
        if "error" in answer:
            self.sequence -= 1
            return
        self.received = [mate["number"] for mate in answer["mates"]]
        self.arena.mates += len(self.received)

    async def live(self, pace: float, until: float) -> None:
        """Report again and again, from a random moment on."""
        due = time.monotonic() + self.random.random() * pace
        while due < until or not self.arena.enough:
            await asyncio.sleep(due - time.monotonic())
            await self.report()
            due += pace


async def examine(arena: Arena, token: str, until: float) -> None:
    """Confirm one claim after the other."""
    while time.monotonic() + PROVED < until or not arena.enough:
        await asyncio.sleep(PROVED)
        task = (await arena.post("/verifications", token, {}))["task"]
        if task is not None:
            about = {"digest": task["digest"], "level": task["level"], "pairs": 16, "points": 32 * task["points"] / 32}
            counts = {"moves": 480, "nodes": 480_000, "rival_moves": 480, "rival_nodes": 480_000}
            await arena.post(f"/islands/{task['island']}/verifications", token, about | counts)


def operator(folder: Path) -> str:
    """Let an examiner in; returns its token."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["operators", "add", "examiner", "--json", f"--data={folder}"]) == 0
    token: str = json.loads(printed.getvalue())["token"]
    return token


async def invited(folder: Path, islands: int) -> list[str]:
    """Let islands in; returns their tokens."""
    tokens = [make_token() for _ in range(islands)]
    async with await Store.open(f"sqlite:///{folder / 'arena.db'}") as store:
        await asyncio.gather(
            *(
                store.records(IslandRecords).add(f"island {place}", hash_token(token))
                for place, token in enumerate(tokens)
            )
        )
    return tokens


async def loaded(
    arena: Arena, tokens: list[str], examiner: str, pace: float, seconds: float, pid: int, least: tuple[int, int]
) -> float:
    """Let islands report for a time, and up to so many reports and genomes given; returns the CPU that the server used
    for a second of that.
    """
    async with ClientSession(f"http://{arena.host}:{arena.port}") as http:
        while not (await (await http.get("/healthz")).json())["ready"]:  # noqa: ASYNC110  # in another process
            await asyncio.sleep(0.2)
    islands = [Island(arena, token, Random(place)) for place, token in enumerate(tokens)]
    for place in range(0, len(islands), 50):
        await asyncio.gather(*(island.join() for island in islands[place : place + 50]))
    # the first round, in which everything is new, is over before it is measured
    await asyncio.gather(*(island.live(pace, time.monotonic() + pace) for island in islands))
    arena.seconds.clear()
    arena.least = least
    before, began = cpu(pid), time.monotonic()
    until = began + seconds
    await asyncio.gather(examine(arena, examiner, until), *(island.live(pace, until) for island in islands))
    await asyncio.sleep(until - time.monotonic())
    return (cpu(pid) - before) / (time.monotonic() - began)


def measured(
    islands: int, pace: float, seconds: float, *options: str, least: tuple[int, int] = (0, 0)
) -> tuple[float, Arena]:
    """Serve islands, with more options of the server, for so many seconds, and up to so many reports and genomes given;
    returns the CPU that it used for a second, and what they saw.
    """
    with tempfile.TemporaryDirectory(prefix="arena-islands-") as folder:
        tokens, examiner = asyncio.run(invited(Path(folder), islands)), operator(Path(folder))
        with running(
            "arena.cli", "serve", "--json", "--port=0", f"--games={GAME}", *QUIET, *options, f"--data={folder}"
        ) as server:
            address = msgspec.json.decode(line_of(server))["url"].rstrip("/").rpartition("/")[2]
            arena = Arena(address.rpartition(":")[0], int(address.rpartition(":")[2]))
            used = uvloop.run(loaded(arena, tokens, examiner, pace, seconds, server.pid, least))
    return used, arena


def run() -> Iterator[Measurement]:
    """what a thousand islands that report every ten seconds cost the server"""
    used, arena = measured(ISLANDS, PACE, SECONDS)
    times = sorted(arena.seconds)
    refused = sum(count for status, count in arena.statuses.items() if status != 200)
    yield Measurement(
        what=f"the server's CPU where {ISLANDS:,} islands report every {PACE:g} s",
        unit="cores",
        ours=used,
        target=TARGET,
        of="figure",
        bound="at most",
        note=f"{len(times):,} requests in {SECONDS:g} s, {arena.mates} genomes given, {refused} refused; "
        f"answered in {1e3 * times[len(times) // 2]:.1f} ms, 99 in 100 in {1e3 * times[len(times) * 99 // 100]:.1f} ms",
    )


BENCHMARKS = {"volunteers": run}
"""What ``make bench`` runs under the name of the feature."""
