# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena serve --unix``: its permissions, sockets that dead and live servers left, and bots behind it."""

import asyncio
import json
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, UnixConnector

from arena.cli import main
from arena.cli.support.command_line import CommandError
from arena.cli.support.serving.listening import listen_unix
from tests.end_to_end.server import Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets")


@contextmanager
def dead(path: Path) -> Iterator[None]:
    """Leave a socket at ``path`` as a server that was killed does."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
    yield


def test_permissions_are_set_before_anybody_can_connect(tmp_path: Path) -> None:
    path = tmp_path / "arena.sock"
    for mode in (0o660, 0o600, 0o666):
        with listen_unix(path, mode):
            assert stat.S_IMODE(path.stat().st_mode) == mode
    assert [each.name for each in tmp_path.iterdir()] == ["arena.sock"]


def test_the_socket_of_a_dead_server_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "arena.sock"
    with dead(path), listen_unix(path) as listener, socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        listener.accept()[0].close()


def test_the_socket_of_a_live_server_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "arena.sock"
    with listen_unix(path) as listener:
        with pytest.raises(CommandError, match=r"another program listens there; stop it, or choose another path"):
            listen_unix(path)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
        listener.accept()[0].close()


def test_other_files_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "arena.sock"
    path.write_text("mine")
    with pytest.raises(CommandError, match="it exists and is not a socket"):
        listen_unix(path)
    assert path.read_text() == "mine"


def test_a_missing_folder_and_a_long_path_are_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no folder"):
        listen_unix(tmp_path / "none" / "arena.sock")
    with pytest.raises(CommandError, match="cannot listen on"):
        listen_unix(tmp_path / ("a" * 120))


@pytest.mark.parametrize("mode", ["rw", "888", "1777", "-1"])
def test_permissions_that_are_none_are_said(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--unix", "arena.sock", f"--unix-mode={mode}"])
    assert "permissions must be an octal number from 0 to 777, such as 660" in capsys.readouterr().err


async def test_a_server_listens_on_both_and_removes_its_socket(tmp_path: Path) -> None:
    path = tmp_path / "arena.sock"
    options = ("--no-built-in-bots", "--games", "nim", "--trusted-proxies", "unix")
    server = Server(tmp_path, "--unix", str(path), *options, real=True)
    with dead(path):
        await server.start()
    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    async with ClientSession(connector=UnixConnector(str(path))) as http:
        async with http.get("http://localhost/healthz", headers=forwarded) as answer:
            assert answer.status == 200
            assert "Strict-Transport-Security" in answer.headers, "the proxy is trusted"
        async with http.get("http://localhost/metrics", headers=forwarded) as answer:
            assert answer.status == 401, "the client is on another machine"
    async with ClientSession() as http, http.get(f"{server.url}/healthz", headers=forwarded) as answer:
        assert "Strict-Transport-Security" not in answer.headers, "this peer is not trusted"
    # a second server would take its place
    command = [sys.executable, "-m", "arena.cli", "serve", "--no-browser", "--data", str(tmp_path / "other")]
    second = await asyncio.create_subprocess_exec(*command, "--unix", str(path), stderr=asyncio.subprocess.PIPE)
    _, told = await second.communicate()
    assert second.returncode == 2
    assert "another program listens there" in told.decode()
    assert path.exists()
    assert await server.stop() == 0
    assert not path.exists()


def test_the_port_is_any_free_one_beside_a_unix_socket(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena.cli", "serve", "--json", "--no-built-in-bots", "--no-browser"]
    command += ["--data", str(tmp_path), "--unix", str(tmp_path / "arena.sock"), "--path-prefix", "/arena/"]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            process.terminate()
            assert process.wait(600) == 0
    assert url.startswith("http://127.0.0.1:")
    assert url.endswith("/arena/")
