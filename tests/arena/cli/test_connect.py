# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena connect``: a bot of one's own on the command line, against an arena in miniature."""

import asyncio
import json
import shlex
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from arena.cli import main
from bots.testing import TOKEN, MiniArena, Positions, Recorded, TicTacToe
from engine.games import find
from tests.bots.bridges.gtp.test_player import FAKE
from tests.bots.wasm.modules import module, write
from tests.forked import starts

MINE = """
import random
from bots import Bot

class Mine(Bot):
    games = ["tictactoe"]
    def move(self, turn):
        return random.choice(turn.legal_moves)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_file_plays_until_it_is_interrupted(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    async with MiniArena(TicTacToe(), seconds=300) as arena:
        command = ["-m", "arena.cli", "connect", "mine.py", "--url", arena.url, "--token", TOKEN, "--json"]
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, "--capacity", "3", "--no-ladder", cwd=tmp_path, stdout=PIPE
        )
        hello = await arena.welcome()
        assert (hello.games, hello.capacity, hello.ladder, hello.challenges) == (["tictactoe"], 3, False, True)
        await asyncio.gather(*[arena.play(await arena.begin(seat)) for seat in (0, 1, 0)])
        process.send_signal(number)
        told, _ = await asyncio.wait_for(process.communicate(), 600)
        assert process.returncode == 0
    kinds = [json.loads(line)["type"] for line in told.splitlines()]
    assert kinds[0] == "welcome"
    assert sorted(kinds[1:]) == ["match"] * 3 + ["over"] * 3


async def test_a_webassembly_module_plays(tmp_path: Path) -> None:
    write(tmp_path, module(games="tictactoe"))
    async with MiniArena(TicTacToe(), seconds=300) as arena:
        command = ["-m", "arena.cli", "connect", "wasm:bot.wat", "--url", arena.url, "--token", TOKEN, "--json"]
        with starts():
            process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=tmp_path, stdout=PIPE)
        hello = await arena.welcome()
        assert (hello.games, len(hello.version)) == (["tictactoe"], 12)
        await arena.play(await arena.begin(0))
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.communicate(), 600)
        assert process.returncode == 0


async def test_a_gtp_engine_plays_the_games_that_it_tells(tmp_path: Path) -> None:
    game = find("go/9x9")
    start = game.look(game.start())
    recorded = Recorded(game.format_position(start.state), list(game.move_texts(start)), 0)
    async with MiniArena(Positions(game.name, [recorded]), seconds=300) as arena:
        engine = shlex.join([sys.executable, "-I", "-S", str(FAKE), "play"])
        command = ["-m", "arena.cli", "connect", "--gtp", engine, "--url", arena.url, "--token", TOKEN]
        with starts():
            process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=tmp_path)
        hello = await arena.welcome()
        assert hello.games == ["go/19x19", "go/9x9"]
        assert hello.version.startswith("Fake Go 1.0 ")
        await arena.play(await arena.begin(0))
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.communicate(), 600)
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["random"], "no token: set --token or ARENA_TOKEN"),
        (["nobody", "--token", "t"], "no bot is called 'nobody'"),
        (["random", "--token", "t", "--url", "nowhere"], "not an address of an arena"),
        (["--token", "t"], "name exactly one of BOT, --program, --uci, --xboard and --gtp"),
        (["random", "--uci", "true", "--token", "t"], "name exactly one of BOT, --program, --uci, --xboard and --gtp"),
        (["random", "--token", "t", "--capacity", "0"], "--capacity must be 1 or more (got 0)"),
        (["random", "--option", "Hash=1", "--token", "t"], "--option needs --uci or --xboard"),
        (["--uci", "no-such-engine", "--token", "t"], "there is no program 'no-such-engine'"),
        (["--uci", "echo hello", "--token", "t"], "echo: engine process died unexpectedly"),
        (["--gtp", "true", "--option", "Hash=1", "--token", "t"], "GTP has no options"),
        (["--gtp", "echo hello", "--token", "t"], "echo: its process ended unexpectedly"),
        (["wasm:no-such-module", "--token", "t"], "there is no file no-such-module"),
        (["random", "--sandbox", "--token", "t"], "--sandbox needs --program"),
        (["random", "--program", "true", "--token", "t"], "exactly one of BOT, --program, --uci, --xboard and --gtp"),
        (["--program", "no-such-program", "--token", "t"], "there is no program 'no-such-program'"),
        (["--program", "true", "--token", "t"], "it ended with exit status 0"),
        (["--program", "sh -c true", "--sandbox", "--token", "t"], "needs a program file"),
        (["--xboard", "true", "--option", "=1", "--token", "t"], "write NAME=VALUE"),
        (["random", "--token", "t", "--games", "nim", "--url", "ws://127.0.0.1:1", "--patience", "0"], "127.0.0.1:1"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARENA_TOKEN", raising=False)
    assert main(["connect", *arguments]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("arena connect: ")
    assert why in told[-1]
