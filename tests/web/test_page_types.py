# SPDX-License-Identifier: GPL-3.0-or-later
"""The data that a page brings has the type that its script declares."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.tools.test_scripts import project, run
from tests.web.door import Door
from tests.web.players import connected, first_move
from tests.web.test_pages import page
from tests.web.test_tournaments import cup, operator, post
from web.application import STATIC

pytestmark = pytest.mark.asyncio(loop_scope="session")

DECLARED = re.compile(r"/\*\* @type \{(.+)\} \*/\nconst .+ = firstData\(\);")
NAMED = re.compile(r"(?:@typedef .+|^ \* \}\}) (\w+)(?: \*/)?$", re.MULTILINE)
"""The name of a type that a script declares."""

PAGES = {
    "lobby": "/",
    "matches": "/matches?tournament={tournament}",
    "match": "/matches/{match}",
    "game": "/games/tictactoe",
    "leaderboard": "/leaderboard?game=tictactoe&system=elo",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/{tournament}",
    "bots": "/bots",
    "bot": "/bots/{bot}",
    "versus": "/bots/{bot}/versus/{other}",
    "connect": "/connect",
}
"""All pages except those of features and that of the API, whose script declares only a part of its data."""


async def played(door: Door) -> dict[str, int]:
    """Play a tournament; returns its number, and those of a match and of a bot of it."""
    (one, one_token), (other, other_token) = await door.register(), await door.register()
    headers = await operator(door)
    _, made = await post(door, "/tournaments", cup(one, other, games=2), headers)
    async with connected(door.play_url) as first, connected(door.play_url) as second:
        await first.hello(one_token, ["tictactoe"], ladder=False)
        await second.hello(other_token, ["tictactoe"], ladder=False)
        await post(door, f"/tournaments/{made['id']}/status", {"status": "running"}, headers)
        async with asyncio.timeout(300):
            await asyncio.gather(first.play(first_move, 2), second.play(first_move, 2))
    async with door.http.get(f"/api/v1/matches?tournament={made['id']}") as response:
        match = (await response.json())["items"][0]
    bot, opponent = (player["bot"] for player in match["players"])
    return {"tournament": made["id"], "match": match["id"], "bot": bot, "other": opponent}


async def test_pages_have_the_data_that_their_scripts_declare(door: Door, tmp_path: Path) -> None:
    numbers = await played(door)
    project(tmp_path)
    for name, path in PAGES.items():
        script = STATIC / "pages" / f"{name}.js"
        text = script.read_text(encoding="utf-8")
        declared = DECLARED.search(text)
        assert declared, f"{name}.js does not say of which type its first data are"
        types = "".join(f'/** @typedef {{import("{script}").{each}}} {each} */\n' for each in NAMED.findall(text))
        data = (await page(door, path.format(**numbers))).data
        (tmp_path / f"{name}.js").write_text(f"{types}/** @type {{{declared[1]}}} */\nexport const data = {data};\n")
    found = await asyncio.to_thread(run, "tsc", "--project", str(tmp_path), "--noUnusedLocals", "false")
    assert not found.stdout
    assert found.returncode == 0, found
