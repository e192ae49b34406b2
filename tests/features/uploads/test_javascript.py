# SPDX-License-Identifier: GPL-3.0-or-later
"""A new user with the examples in JavaScript: signs up, submits a bot, registers another, and plays rated matches."""

import asyncio
import json
import os
import re
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from arena.features.uploads.process import keep_hosting
from tests.bots.test_documentation import EXAMPLES, code, node
from tests.bots.wasm.modules import module
from tests.features.accounts.people import PASSWORD
from tests.web.door import Door, opened, unhurried

PATIENCE = 600.0
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "submitting.md"


async def run(door: Door, *words: str | Path, **environment: str) -> str:
    """Run the example with an arena; return its output."""
    own = {**os.environ, "ARENA_URL": f"http://{door.address}", **environment}
    command = [*await asyncio.to_thread(node), str(EXAMPLES / "arena.mjs"), *map(str, words)]
    process = await asyncio.create_subprocess_exec(*command, env=own, stdout=PIPE, stderr=PIPE)
    try:
        said, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, errors.decode()
    return said.decode().strip()


async def rated(door: Door, bot: str) -> None:
    """Wait until a bot has finished a rated match."""
    while True:
        async with door.http.get("/api/v1/leaderboard?game=tictactoe") as response:
            rows = (await response.json())["items"]
        if any(row["bot"]["name"] == bot and row["games"] for row in rows):
            return
        await asyncio.sleep(0.05)


async def ended(task: asyncio.Task[None]) -> None:
    """End a task."""
    task.cancel()
    await asyncio.wait({task})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that the user of a sandboxed program reaches."""
    tmp_path.chmod(0o755)
    return tmp_path


def test_the_page_shows_the_example_as_it_is() -> None:
    (shown,) = re.findall(r"```js\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown.strip() == code(EXAMPLES / "arena.mjs")


@pytest.mark.timeout(2 * PATIENCE)
async def test_a_new_user_needs_javascript_alone(folder: Path) -> None:
    file = folder / "mine.wasm"
    file.write_bytes(wat2wasm(module(games="tictactoe")))
    settings = unhurried("tictactoe", time_controls="tictactoe=3000+0", ladder_interval=0.1)
    async with asyncio.timeout(PATIENCE), opened(folder, settings) as door:
        hosting = asyncio.create_task(keep_hosting(door.arena, door.play_url))
        players = []
        try:
            token = await run(door, "sign-up", "nora", ARENA_PASSWORD=PASSWORD)
            told = json.loads(await run(door, "submit", file, ARENA_TOKEN=token))
            assert (told["version"], told["state"]) == (1, "accepted"), told
            assert [line.partition(":")[0] for line in told["log"][1:]] == [
                "tictactoe, against itself",
                "tictactoe, against random",
                "accepted for tictactoe",
            ]
            # its opponents would wait until it comes back
            await ended(hosting)
            while door.arena.connected(told["bot"]):  # noqa: ASYNC110  # the arena has no event for it
                await asyncio.sleep(0.05)
            for name in ("one", "other"):
                own = await run(door, "register", name, ARENA_TOKEN=token)
                environment = {**os.environ, "ARENA_URL": door.play_url, "ARENA_TOKEN": own}
                command = [*await asyncio.to_thread(node), str(EXAMPLES / "raw_protocol.mjs")]
                players.append(await asyncio.create_subprocess_exec(*command, env=environment, stdout=PIPE))
            await rated(door, "one")
        finally:
            await ended(hosting)
            for player in players:
                player.kill()
                await player.communicate()
