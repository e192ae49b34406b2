# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots in other languages play each other on a real arena: the client in JavaScript, and the program in C."""

import asyncio
import os
import shutil
import subprocess
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.bots.test_documentation import EXAMPLES, node
from tests.end_to_end.server import Server
from tests.end_to_end.test_engines import connected, told
from tools import client_types

CLIENT = EXAMPLES / "js"


def compiled(folder: Path) -> Path:
    """Compile the program in C; the test is left out where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed: the command cc is missing")
    program = folder / "lines"
    command = [compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program)]
    subprocess.run([*command, str(EXAMPLES / "lines.c")], check=True)
    return program


async def test_javascript_and_c_play_rated_matches_to_the_end(tmp_path: Path) -> None:
    program, command = compiled(tmp_path), await asyncio.to_thread(node)
    clocks = ("--time-controls", "checkers=3000+0,tictactoe=3000+0")
    rests = ("--ladder-interval", "0.1", "--ladder-pause", "3600")
    server = Server(tmp_path, "--no-built-in-bots", "--games", "checkers,tictactoe", *rests, *clocks)
    tokens = await server.register("script", "lines")
    await server.start()
    environment = {**os.environ, "ARENA_URL": server.url, "ARENA_TOKEN": tokens["script"]}
    try:
        await server.ready()
        async with connected(server, tokens["lines"], "--program", str(program)) as lines:
            assert (await told(lines, "welcome"))["games"] == ["checkers", "tictactoe"]
            script = await asyncio.create_subprocess_exec(
                *command, CLIENT / "bot.mjs", env=environment, stdout=PIPE, stderr=PIPE
            )
            try:
                assert script.stdout is not None
                async with asyncio.timeout(600):
                    ended = [(await script.stdout.readline()).split() for _ in range(2)]
                assert {result for _, result, *_ in ended} <= {b"1-0", b"0-1", b"1/2-1/2"}
                for _ in range(2):
                    over = await told(lines, "over")
                    assert over["rating"] is not None
            finally:
                script.kill()
                await script.communicate()
        games = {match["game"] for match in await server.all("/matches")}
        rows = [row for game in games for row in await server.all(f"/leaderboard?game={game}")]
        assert {row["bot"]["name"] for row in rows} == {"script", "lines"}
    finally:
        await server.stop()


async def test_the_client_in_javascript_stops_where_the_token_is_unknown(tmp_path: Path) -> None:
    command = await asyncio.to_thread(node)
    server = Server(tmp_path, "--no-built-in-bots", "--games", "tictactoe")
    await server.start()
    environment = {**os.environ, "ARENA_URL": server.url, "ARENA_TOKEN": "wrong"}
    try:
        script = await asyncio.create_subprocess_exec(*command, CLIENT / "bot.mjs", env=environment, stderr=PIPE)
        async with asyncio.timeout(600):
            _, said = await script.communicate()
        assert script.returncode == 1
        assert b"Rejected: the arena closed the connection" in said
    finally:
        await server.stop()


def test_the_types_of_the_client_are_those_of_the_protocol() -> None:
    assert (CLIENT / "messages.d.ts").read_text("utf-8") == client_types.messages(), "run `make docs`"
    for name, text in client_types.of_scripts().items():
        assert (CLIENT / name).read_text("utf-8") == text, "run `make docs`"
