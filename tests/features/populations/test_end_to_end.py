# SPDX-License-Identifier: GPL-3.0-or-later
"""The breeder beside a real server: it breeds, its champions are rated, and a kill loses nothing."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.features.populations.records import PopulationRecords
from arena.features.populations.reports import GenerationReport, MemberReport
from arena.store import Store
from bots.evolution import genome
from bots.evolution.hosted_population import LEAST_GAMES
from engine.native import child
from lab.proofs.ledger import verified
from tests.end_to_end.server import Server
from tests.forked import starts

BRED = {"man": 100_000, "king": 437_525, "king in the centre": 63_914, "advance": 76_998, "order": 6_186}
"""Weights of checkers that were bred elsewhere."""

FAST = (
    "--games=checkers", "--breeding=checkers", "--breeding-pace=0.1", "--breeding-every=3", "--breeding-size=8",
    # bots that search take a second for a move where their clocks allow it
    "--time-controls=checkers=10+0.1",
)  # fmt: skip
BOTS = ("random", "minimax-2")
"""The built-in bots: opponents that leave the breeder its processor."""
PATIENCE = 840
ARENA = (sys.executable, "-m", "arena.cli")


def breeder_of(server: int) -> int:
    """Return the number of the breeder's process."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == server and b"bots.evolution.process" in command:
            return int(folder.name)
    raise LookupError("there is no breeder")


async def until(server: Server, path: str, wanted: Callable[[list[Any]], bool]) -> list[Any]:
    """Return the items of a list as soon as they are as wanted."""
    while not wanted(items := (await server.get(f"/api/v1{path}"))["items"]):  # noqa: ASYNC110  # in another process
        await asyncio.sleep(0.2)
    found: list[Any] = items
    return found


def bred(generations: int) -> Callable[[list[Any]], bool]:
    """Return what tells whether the population has come so far."""
    return lambda items: bool(items) and items[0]["generations"] >= generations


def tells_of(name: str) -> Callable[[list[Any]], bool]:
    """Return what tells whether a bot is on a leaderboard."""
    return lambda items: any(item["bot"]["name"] == name for item in items)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the breeder's process under /proc")
async def test_generations_advance_champions_are_rated_and_a_kill_loses_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, *FAST, environment={"ARENA_LADDER_PAUSE": "0"}, bots=BOTS)
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            (before,) = await until(server, "/populations", bred(5))
            os.kill(breeder_of(server.pid), signal.SIGKILL)
            await until(server, "/populations", bred(before["generations"] + 5))
            await until(server, "/genomes?game=checkers", lambda items: any(item["rating"] for item in items))
            # A challenger may be rated before the champion is.
            await until(server, "/leaderboard?game=checkers", tells_of("evolved"))
    finally:
        await server.stop()
    report = await verified(server.database)
    assert report["clean"], report
    assert report["report"]["checked"]["generations"] > 8


@pytest.mark.long
async def test_a_stranger_s_genome_is_rated_on_the_ladder_and_enters_the_population(tmp_path: Path) -> None:
    """By the commands that a stranger has: ``arena genome --bot`` and ``arena connect genome:FILE``.

    Neither its results on the ladder nor its games in the population are fixed: they depend on the time at which it
    comes. That a newcomer which wins has children is tested without a ladder, beside the breeder.
    """
    server = Server(tmp_path, *FAST, "--breeding-pace=0.5", environment={"ARENA_LADDER_PAUSE": "0"}, bots=BOTS)
    await server.start()
    bot: asyncio.subprocess.Process | None = None
    try:
        file = tmp_path / "mine.json"
        text = {"version": 1, "schema": "checkers/lecture", "schema_version": 1, "values": BRED}
        file.write_text(json.dumps(text), encoding="utf-8")
        database = ("--json", "--database-url", server.database)
        token = json.loads(await arena("bots", "add", "stranger", *database))["token"]
        await arena("genome", str(file), "--bot", "stranger", *database)
        with starts():
            bot = await asyncio.create_subprocess_exec(
                *child.command("arena.cli", "connect", f"genome:{file}", "--url", server.play_url, "--token", token),
                stderr=DEVNULL,
                pass_fds=child.pass_fds(),
            )
        async with asyncio.timeout(PATIENCE):
            (population,) = await until(server, "/populations", bred(1))
            newcomer = await newcomer_of(server, population["id"], "stranger")
        (row,) = [row for row in await server.all("/leaderboard?game=checkers") if row["bot"]["name"] == "stranger"]
        assert row["games"] >= LEAST_GAMES
        assert newcomer.origin == "immigrant"
        assert newcomer.values == list(genome.read(file.read_bytes())[1])
    finally:
        if bot is not None:
            bot.terminate()
            await bot.wait()
        await server.stop()
    assert (await verified(server.database))["clean"]


async def arena(*arguments: str) -> bytes:
    """Run a command to its end; returns what it prints."""
    with starts():
        process = await asyncio.create_subprocess_exec(*ARENA, *arguments, stdout=PIPE, stderr=PIPE)
    out, complaint = await process.communicate()
    assert process.returncode == 0, complaint
    return out


async def newcomer_of(server: Server, population: int, name: str) -> MemberReport:
    """Return the member of a name as soon as it is in a population.

    It looks at every stored generation: a newcomer may be in one of them only.
    """
    since = 0
    async with await Store.open(server.database) as store:
        records = store.records(PopulationRecords)
        while True:
            for row in await records.generations(population, since=since):
                report = msgspec.json.decode(row.body, type=GenerationReport)
                for member in report.members:
                    if member.name == name:
                        return member
                since = row.number + 1
            await asyncio.sleep(0.1)
