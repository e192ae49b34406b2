# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena serve`` as a process: it answers, reports errors, and stops in good order."""

import asyncio
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main
from arena.cli.support.serving.listening import address_of, listen
from bots.built_in import kinds
from tests.end_to_end.server import Server
from tests.web.players import connected


def test_a_taken_port_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--data", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"arena serve: port {port} is in use")
    assert told.count("\n") == 1


def test_a_setting_that_is_none_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--lag-grace", "soon", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "arena serve: lag_grace must be a number (got 'soon')\n"


def test_an_address_of_another_machine_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "192.0.2.1", "--data", str(tmp_path)]) == 2
    assert "cannot listen on 192.0.2.1" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["99999", "x", "-1", "8080.5"])
def test_a_port_that_is_none_is_said(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["serve", f"--port={port}"])
    assert "a port must be a number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "go"], "no game is called 'go'"),
        (["--database-url", "sqlite:////proc/no/such/folder/arena.db"], "the database cannot be opened"),
    ],
)
def test_errors_at_the_start_have_no_traceback(tmp_path: Path, options: list[str], words: str) -> None:
    place = [] if "--database-url" in options else ["--data", str(tmp_path)]
    command = [sys.executable, "-m", "arena.cli", "serve", "--no-browser", "--port", "0", *place, *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 2
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_it_answers_and_stops_in_good_order(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-built-in-bots", "--games", "tictactoe", "--log-format", "json", real=True)
    tokens = await server.register("anna")
    await server.start()
    async with connected(server.play_url) as bot:
        await bot.hello(tokens["anna"], ["tictactoe"])
        code = asyncio.create_task(server.stop())
        goodbye = await bot.hear("goodbye")
        assert goodbye["retry_after"] > 0
        await bot.socket.wait_closed()
        assert bot.socket.close_code == 1001
        assert await code == 0
    # the feature of accounts tells people how to make the first one, beside the log
    events = [json.loads(line)["event"] for line in server.log.splitlines() if line.startswith("{")]
    assert "bot connected" in events
    assert events.count("stopping") == 1


def test_it_prints_its_data_directory_and_number_of_matches(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena.cli", "serve", "--no-built-in-bots", "--no-browser", "--port", "0"]
    with subprocess.Popen([*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(2)]
        process.terminate()
        assert process.wait(600) == 0
    assert told[0].startswith("The arena is at http://127.0.0.1:")
    assert told[1] == f"Data directory: {tmp_path}, 0 matches\n"


async def test_built_in_bots_play_rated_matches(tmp_path: Path) -> None:
    server = Server(tmp_path, "--games", "tictactoe", "--built-in-move-time", "0", real=True)
    await server.start()
    try:
        async with asyncio.timeout(600):
            while not (leaders := await server.all("/leaderboard?game=tictactoe")):  # noqa: ASYNC110  # it is far away
                await asyncio.sleep(0.2)
        bots = await server.all("/bots")
    finally:
        assert await server.stop() == 0
    assert {line["bot"]["kind"] for line in leaders} == {"built-in"}
    # the champion of chess was not bred for this game, and others play only games with hidden information
    assert {"random", "play"} < {bot["name"] for bot in bots}
    assert {bot["name"] for bot in bots} == {
        bot.name for _, bot in kinds.of_process("built-in") if bot.plays("tictactoe")
    }
    assert "Traceback" not in server.log
    # a normal stop reads like one
    assert "bot connected" in server.log
    assert "connection lost" not in server.log


def test_addresses_can_be_visited() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert address_of(listener) == f"127.0.0.1:{listener.getsockname()[1]}"
    with listen("0.0.0.0", 0) as listener:
        assert address_of(listener).startswith("localhost:")
