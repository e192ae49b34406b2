# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs without a network play rated matches on a running arena through ``arena connect --program``."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bots.sandbox import find
from tests.bots.bridges.test_player import alive
from tests.bots.test_documentation import EXAMPLES
from tests.end_to_end.server import Server
from tests.end_to_end.test_engines import connected, told
from tools.debian import BIN

FAKE = Path(__file__).parents[1] / "bots" / "bridges" / "fake_program.py"

CLOCK = ("--time-controls", "tictactoe=3000+0")
"""No match is decided by the time that a program takes to start."""


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The option for a sandbox; none where this machine has no sandbox."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    return ["--sandbox"] if asyncio.run(find()).sandbox else []


async def test_the_documented_program_plays_rated_matches(tmp_path: Path, sandbox: list[str]) -> None:
    server = Server(tmp_path, "--no-built-in-bots", "--games", "tictactoe", "--ladder", "false", *CLOCK)
    tokens = await server.register("lines", "random")
    await server.start()
    program = str(EXAMPLES / "in_lines.py")
    challenge = ["random", "--game", "tictactoe", "--challenge", "lines", "--rated"]
    try:
        await server.ready()
        async with connected(server, tokens["lines"], "--program", program, *sandbox) as lines:
            assert (await told(lines, "welcome"))["games"] == ["tictactoe"]
            async with connected(server, tokens["random"], *challenge) as other:
                for _ in range(2):
                    over = await told(other, "over")
                    assert over["termination"] == "decided"
                    assert over["rating"] is not None
            for _ in range(2):
                await told(lines, "over")
        rated = {row["bot"]["name"]: row["games"] for row in await server.all("/leaderboard?game=tictactoe")}
        assert rated == {"lines": 2, "random": 2}
    finally:
        await server.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_no_program_outlives_its_bridge(tmp_path: Path, sandbox: list[str], number: signal.Signals) -> None:
    server = Server(tmp_path, "--no-built-in-bots", "--games", "tictactoe", "--ladder", "false", *CLOCK)
    tokens = await server.register("hangs", "random")
    await server.start()
    mark = f"mark-{os.getpid()}-{number}"
    challenge = ["random", "--game", "tictactoe", "--challenge", "hangs", "--count", "2"]
    try:
        await server.ready()
        async with connected(server, tokens["hangs"], "--program", f"{FAKE} hangs {mark}", *sandbox) as bridge:
            await told(bridge, "welcome")
            async with connected(server, tokens["random"], *challenge):
                await told(bridge, "match")
                async with asyncio.timeout(600):
                    while not alive("hangs", mark):  # noqa: ASYNC110  # it happens in another process
                        await asyncio.sleep(0.05)
                bridge.send_signal(number)
                await asyncio.wait_for(bridge.wait(), 600)
                async with asyncio.timeout(600):
                    while alive("hangs", mark):  # noqa: ASYNC110  # it happens in another process
                        await asyncio.sleep(0.05)
    finally:
        await server.stop()
