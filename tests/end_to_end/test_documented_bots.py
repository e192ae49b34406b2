# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots as the documentation shows them play rated matches to the end, with the SDK and without it, and challenges."""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bots.test_documentation import EXAMPLES, code
from tests.end_to_end.server import Server


@contextlib.asynccontextmanager
async def program(path: Path, server: Server, token: str, **more: str) -> AsyncIterator[Process]:
    """Run a bot whose environment names the arena."""
    environment = {**os.environ, "ARENA_URL": server.play_url, "ARENA_TOKEN": token, **more}
    process = await asyncio.create_subprocess_exec(sys.executable, path, env=environment, stdout=PIPE)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def test_they_play_rated_matches_and_challenges_to_the_end(tmp_path: Path) -> None:
    # one pair on the ladder; then both rest, so that the challenged bot is free
    pause = ("--ladder-interval", "0.1", "--ladder-pause", "3600")
    # a server that is late voids matches that would be decided on time
    clocks = ("--time-controls", "checkers=3000+0,tictactoe=3000+0")
    server = Server(tmp_path, "--no-built-in-bots", "--games", "checkers,tictactoe", *pause, *clocks)
    tokens = await server.register("raw", "short", "challenger")
    await server.start()
    short = code(EXAMPLES / "ten_lines.py").replace("ws://127.0.0.1:8080/api/v1/play", server.play_url)
    (tmp_path / "short.py").write_text(short.replace("…", tokens["short"]), encoding="utf-8")
    try:
        async with (
            program(EXAMPLES / "raw_protocol.py", server, tokens["raw"]) as raw,
            program(tmp_path / "short.py", server, ""),
        ):
            assert raw.stdout is not None
            ended = [(await raw.stdout.readline()).split() for _ in range(2)]
            assert {result for _, result, *_ in ended} <= {b"1-0", b"0-1", b"1/2-1/2"}
            ratings = await server.all("/leaderboard?game=checkers")
            assert {row["bot"]["name"] for row in ratings} == {"raw", "short"}
            assert all(row["games"] >= 2 for row in ratings)
            async with program(EXAMPLES / "challenger.py", server, tokens["challenger"], OPPONENT="raw") as challenger:
                told, _ = await asyncio.wait_for(challenger.communicate(), 600)
                assert challenger.returncode == 0
                assert told.startswith(b"match ")
    finally:
        await server.stop()
