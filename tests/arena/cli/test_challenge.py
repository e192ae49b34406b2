# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena connect --challenge``: a process of its own, against a bot in an arena behind a real port."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from arena.cli import main
from arena.settings import Settings
from bots import Bot
from bots.bot import Challenged, Turn
from bots.client import Client
from tests.arena.conftest import QUICK
from tests.arena.peers import ready
from tests.forked import starts
from tests.web.door import Door, opened


class Choosy(Bot):
    """Takes the first move there is, and every challenge but those at one time control."""

    games = ("tictactoe",)

    def move(self, turn: Turn) -> str:
        assert turn.legal_moves
        return turn.legal_moves[0]

    def challenged(self, challenge: Challenged) -> bool:
        return challenge.time_control != "7+0"


async def challenge(door: Door, token: str, *words: str) -> tuple[int | None, list[str], list[str]]:
    """Run the command and return its exit code, and the lines that it printed and complained with."""
    command = ["-m", "arena.cli", "connect", "random", "--url", door.play_url, "--token", token, *words]
    with starts():
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=PIPE, stderr=PIPE)
    told, complained = await asyncio.wait_for(process.communicate(), 600)
    return process.returncode, told.decode().splitlines(), complained.decode().splitlines()


async def test_challenges_are_played_counted_and_refused(tmp_path: Path) -> None:
    async with opened(tmp_path, Settings(**QUICK)) as door:
        await ready(door.arena)
        (_, token), (name, other) = await door.register(), await door.register()
        words = ["--challenge", name, "--game", "tictactoe"]
        async with Client(Choosy(), url=door.play_url, token=other):
            code, told, complained = await challenge(door, token, *words, "--count", "3", "--json")
            assert (code, complained) == (0, [])
            messages = [json.loads(line) for line in told]
            overs = [message for message in messages if message.get("type") == "over"]
            score = messages[-1]
            assert score["matches"] == [over["match"] for over in overs]
            assert [len(score["matches"]), score["void"]] == [3, 0]
            assert score["wins"] + score["draws"] / 2 == sum(over["score"] for over in overs)
            assert score["wins"] + score["draws"] + score["losses"] == 3

            code, told, complained = await challenge(door, token, *words, "--rated")
            assert (code, len(told), complained) == (0, 3, [])
            assert all("; rating 1" in line for line in told[:2])
            assert told[2].startswith(f"against {name}: ")
            page = await door.arena.store.matches.page("finished")
            assert [row.rated for row in page.items] == [True, True, False, False, False]
            assert [page.items[0].pair, page.items[0].kind] == [page.items[1].id, "challenge"]

            code, told, complained = await challenge(door, token, *words, "--time-control", "7+0")
            assert (code, told) == (2, [])
            assert complained == ["arena connect: the challenge was not accepted: declined"]
        code, told, complained = await challenge(door, token, *words)
        assert (code, told, len(complained)) == (2, [], 1)
        assert "no connected bot has this name" in complained[0]
        code, told, complained = await challenge(door, "wrong", *words)
        assert (code, told, len(complained)) == (2, [], 1)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--rated"], "need --challenge"),
        (["--challenge", "them"], "--challenge needs --game"),
        (["--challenge", "them", "--game", "nim", "--count", "0"], "--count must be 1 or more"),
        (["--challenge", "them", "--game", "nim", "--url", "ws://127.0.0.1:1", "--patience", "0"], "127.0.0.1:1"),
    ],
)
def test_errors_are_one_line(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", "random", "--token", "t", *words]) == 2
    assert why in capsys.readouterr().err.splitlines()[-1]


async def test_a_bot_without_a_game_of_the_arena_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path, Settings(**QUICK)) as door:
        await ready(door.arena)
        _, token = await door.register()
        code, told, complained = await challenge(door, token, "--games", "chequers,tic")
        assert (code, told) == (2, [])
        assert "plays none of chequers,tic" in complained[-1]
