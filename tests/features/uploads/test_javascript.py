# SPDX-License-Identifier: GPL-3.0-or-later
"""A new user with the examples in JavaScript: signs up, submits a bot, registers another, and plays rated matches."""

import asyncio
import json
import os
import re
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from arena.features.uploads.part import UploadsPart
from arena.protocol.hosting import Validated, ValidationLine, ValidationStarted
from tests.bots.test_documentation import EXAMPLES, code, node
from tests.features.accounts.people import PASSWORD
from tests.features.uploads.test_api import newest, tell
from tests.web.door import Door, opened, unhurried

PATIENCE = 600.0
PAGE = Path(__file__).parents[3] / "docs" / "submitting.md"


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


async def validate(door: Door) -> None:
    """Validate the next upload, as the process beside the server would."""
    await door.arena.part(UploadsPart).needed.wait()
    number = await newest(door)
    tell(door, ValidationStarted(number), ValidationLine(number, "accepted for tictactoe"))
    tell(door, Validated(number, True, "", ["tictactoe"], "1"))


async def rated(door: Door, bot: str) -> None:
    """Wait until a bot has finished a rated match."""
    while True:
        async with door.http.get("/api/v1/leaderboard?game=tictactoe") as response:
            rows = (await response.json())["items"]
        if any(row["bot"]["name"] == bot and row["games"] for row in rows):
            return
        await asyncio.sleep(0.05)


def test_the_page_shows_the_example_as_it_is() -> None:
    (shown,) = re.findall(r"```js\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown.strip() == code(EXAMPLES / "arena.mjs")


@pytest.mark.timeout(2 * PATIENCE)
async def test_a_new_user_needs_javascript_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.wasm"
    file.write_bytes(b"\0asm\1\0\0\0")
    settings = unhurried("tictactoe", time_controls="tictactoe=3000+0", ladder_interval=0.1)
    async with asyncio.timeout(PATIENCE), opened(tmp_path, settings) as door:
        handling = asyncio.create_task(door.arena.part(UploadsPart).handle())
        validating = asyncio.create_task(validate(door))
        players = []
        try:
            token = await run(door, "sign-up", "nora", ARENA_PASSWORD=PASSWORD)
            told = json.loads(await run(door, "submit", file, ARENA_TOKEN=token))
            assert told == {"bot": told["bot"], "version": 1, "state": "accepted", "log": ["accepted for tictactoe"]}
            for name in ("one", "other"):
                own = await run(door, "register", name, ARENA_TOKEN=token)
                environment = {**os.environ, "ARENA_URL": door.play_url, "ARENA_TOKEN": own}
                command = [*await asyncio.to_thread(node), str(EXAMPLES / "raw_protocol.mjs")]
                players.append(await asyncio.create_subprocess_exec(*command, env=environment, stdout=PIPE))
            await rated(door, "one")
        finally:
            for task in (handling, validating):
                task.cancel()
            for player in players:
                player.kill()
                await player.communicate()
