# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands print cannot steer a terminal, wherever it comes from."""

import ast
import asyncio
import json
import logging
import os
import pty
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import structlog

import arena.cli
import lab.commands
from arena.cli.support.output import Printed, print_json, print_table, say, say_error
from arena.cli.support.serving import logs
from arena.protocol import messages as wire
from arena.protocol.codec import encode
from arena.settings import Settings
from tests.arena.protocol.test_terminal import HOSTILE, obeyed
from tests.bots.client.scripted import Peer, scripted
from tests.forked import starts

FOLDER = Path(arena.cli.__file__).parent


def test_a_table_shows_names_as_they_are_and_obeys_none(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "games"), [(f"one{HOSTILE}\ntwo", 1), ("[link=http://127.0.0.1]x[/link] [red]y", 2000)])
    told = capsys.readouterr().out
    assert not obeyed(told) - {"\n"}
    assert len(told.splitlines()) == 3, "a name cannot make rows"
    assert "[link=http://127.0.0.1]x[/link] [red]y" in told
    assert "2,000" in told


def test_lines_and_json_are_safe(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"bot {HOSTILE}")
    say_error(f"bot {HOSTILE}")
    print_json({"name": HOSTILE})
    told = capsys.readouterr()
    assert not obeyed(told.out + told.err) - {"\n"}
    assert json.loads(told.out.splitlines()[-1]) == {"name": HOSTILE}


def test_a_record_is_unchanged_in_a_file_and_safe_on_a_terminal(tmp_path: Path) -> None:
    with (tmp_path / "record").open("w+", encoding="utf-8") as file:
        Printed(file).write(HOSTILE)
        file.seek(0)
        assert file.read() == HOSTILE.replace("\r", "\n")
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w", encoding="utf-8") as terminal:
        Printed(terminal).write(f'[White "{HOSTILE}"]\n')
        terminal.flush()
        assert not obeyed(os.read(leader, 1000).decode()) - {"\r", "\n"}
    os.close(leader)


def test_commands_print_through_one_module_alone() -> None:
    allowed = {"output.py", "__init__.py"}
    for path in (*FOLDER.rglob("*.py"), *Path(lab.commands.__file__).parent.glob("*.py")):
        calls = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call))
        names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
        assert "print" not in names or path.name in allowed, path.name


@pytest.fixture
def console_log() -> Iterator[None]:
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**before)


@pytest.mark.usefixtures("console_log")
def test_the_console_log_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings())
    log = structlog.get_logger("arena.test")
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        log.exception(HOSTILE, bot=f"{HOSTILE}\nforged=line", names=[HOSTILE])
    logging.getLogger("aiohttp.server").warning("stdlib %s", HOSTILE)
    told = capsys.readouterr().err
    assert "ValueError" in told
    assert "stdlib" in told
    assert not obeyed(told) - {"\n"}
    assert not [line for line in told.splitlines() if line.startswith("forged")]


async def connect(url: str, *words: str) -> tuple[str, str]:
    """Run ``arena connect`` and return its output and its errors."""
    command = ["-m", "arena.cli", "connect", "random", "--url", url, "--token", "t", *words]
    with starts():
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=PIPE, stderr=PIPE)
    told, complained = await asyncio.wait_for(process.communicate(), 600)
    return told.decode(), complained.decode()


async def test_a_hostile_arena_refuses_a_bot(tmp_path: Path) -> None:
    async def refuse(peer: Peer) -> None:
        await peer.hear(wire.Hello)
        await peer.say(wire.Error("unknown-token", f"no bot has that token {HOSTILE}", fatal=True))
        await peer.socket.close(4401)

    async with scripted(refuse) as hostile:
        told, complained = await connect(hostile.url, "--games", "tictactoe")
    assert "no bot has that token" in complained
    assert not obeyed(told + complained) - {"\n"}


async def test_texts_of_a_hostile_arena_about_the_end_are_safe(tmp_path: Path) -> None:
    over = wire.Over(1, "1-0", 1.0, f"decided{HOSTILE}", f"detail {HOSTILE}")
    state = {
        "match": 1, "game": "tictactoe", "seat": 0, "players": [{"name": HOSTILE, "version": HOSTILE}] * 2,
        "rated": False, "time_control": "9+0", "start": "", "opening": [], "moves": [], "position": "", "ply": 0,
        "to_move": 1, "clocks": None,
    }  # fmt: skip

    async def play(peer: Peer) -> None:
        await peer.welcome()
        await peer.hear(wire.Challenge)
        await peer.say(wire.ChallengeOpened(1, "them", "tictactoe"), wire.ChallengeClosed(1, "accepted", [1]))
        await peer.say(msgspec.convert({"type": "match"} | state, wire.Match), over)
        await peer.socket.wait_closed()

    assert "\\u001b" in encode(over)
    async with scripted(play, play) as hostile:
        words = ["--challenge", f"them{HOSTILE}".replace("\x00", ""), "--game", "tictactoe"]
        lines = await connect(hostile.url, *words)
        as_json = await connect(hostile.url, *words, "--json")
    assert "match 1: won" in lines[0]
    assert not obeyed("".join(lines + as_json)) - {"\n"}
