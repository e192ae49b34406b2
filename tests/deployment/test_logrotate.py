# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/deploy/arena.logrotate with a real logrotate, and the setting log_file."""

import asyncio
import getpass
import grp
import os
import sys
from pathlib import Path

import pytest

from arena.cli import main
from tests.deployment.front import DEPLOY
from tests.end_to_end.server import Server
from tests.web.players import connected
from tools.debian import installed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="open files cannot be renamed")

OPTIONS = ("--no-built-in-bots", "--games", "nim", "--log-format", "json")


def text_of(log: Path) -> str:
    """Return the text of a file; "" if there is none."""
    return log.read_text(encoding="utf-8") if log.exists() else ""


async def logged(server: Server, token: str, log: Path) -> None:
    """Let the server log that a bot connected and disconnected, and wait until both lines are in the file."""
    async with connected(server.play_url) as bot:
        await bot.hello(token, ["nim"])
        await in_file(log, "bot connected")
    await in_file(log, "bot disconnected")


async def in_file(log: Path, words: str) -> None:
    """Wait until a file has these words."""
    async with asyncio.timeout(600):
        while words not in text_of(log):  # noqa: ASYNC110  # another process writes it
            await asyncio.sleep(0.05)


@pytest.mark.skipif(installed("logrotate") is None, reason="logrotate is neither installed nor unpacked here")
async def test_the_server_writes_to_the_new_file_after_a_rotation(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir(mode=0o755)
    log, configuration = folder / "arena.log", tmp_path / "arena.logrotate"
    text = (DEPLOY / "arena.logrotate").read_text(encoding="utf-8")
    for shown, meant in {
        "/var/log/arena/arena.log": str(log),
        "su arena arena": f"su {getpass.getuser()} {grp.getgrgid(os.getgid()).gr_name}",
    }.items():
        assert shown in text
        text = text.replace(shown, meant)
    configuration.write_text(text, encoding="utf-8")
    configuration.chmod(0o644)
    server = Server(tmp_path, "--log-file", str(log), *OPTIONS)
    tokens = await server.register("anna", "bert")
    await server.start()
    try:
        await logged(server, tokens["anna"], log)
        command = [str(installed("logrotate")), "--force", "--state", str(tmp_path / "state"), str(configuration)]
        rotation = await asyncio.create_subprocess_exec(*command)
        assert await rotation.wait() == 0
        assert "anna" in text_of(folder / "arena.log.1")
        await logged(server, tokens["bert"], log)
    finally:
        assert await server.stop() == 0
    assert "anna" not in text_of(log)
    assert "bert" not in text_of(folder / "arena.log.1")
    assert '"stopping"' in text_of(log)


def test_a_log_file_that_cannot_be_opened_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--port", "0", "--data", str(tmp_path), "--log-file", str(tmp_path / "none" / "arena.log")]
    assert main(["serve", *options]) == 2
    assert capsys.readouterr().err == (
        f"arena serve: log_file: cannot open {tmp_path / 'none' / 'arena.log'}: No such file or directory\n"
    )
