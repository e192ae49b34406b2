# SPDX-License-Identifier: GPL-3.0-or-later
"""Submitted bots beside a real server, by the command line from another directory: validated, hosted, rated.

The process that validates is killed, and so is the server, in the middle of an upload and of a validation.
"""

import asyncio
import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from arena.connections.admission import hash_token, make_token
from arena.features.accounts.records import Accounts, Tokens
from arena.features.accounts.roles import scopes_of
from arena.features.uploads.records.versions import Uploads
from arena.store import Store
from bots.sandbox import find
from engine.native import child
from lab.proofs.ledger import verified
from tests.end_to_end.server import Server
from tests.forked import starts
from tools.debian import BIN

PATIENCE = 1200.0

BOT = """\
import sys
from bots import Bot, run

class Mine(Bot):
    games = ["tictactoe"]

    def move(self, turn):
        print(f"ply {turn.ply} of {turn.game}", file=sys.stderr)
        return turn.legal_moves[0]

run(Mine(), url="", token="")
"""
WAITING = BOT.replace(
    "        print(",
    """        import os, time
        while not os.path.exists("/bot/go"):
            time.sleep(0.05)
        print(""",
)
"""A bot that moves once the test writes a file into its folder. Its clock, unlike its start, has time for that."""

HOLDING = (
    BOT.replace("    games", '    version = "2"\n    games')
    .replace(
        "        print(",
        """        import time
        while self.opponent == "first":
            time.sleep(0.05)
        print(""",
    )
    .replace(
        "    def move(",
        """    def match_started(self, match):
        self.opponent = match.players[1 - match.seat].name

    def move(""",
    )
)
"""A bot that never moves against the bot ``first``."""

CONTROLS = "--validation-time-control=600+0", "--time-controls=tictactoe=600+0", "--reconnect-grace=1"
"""No clock runs out, and a bot that has left has lost soon."""


class Owner:
    """An account with a token, and a directory with files."""

    def __init__(self, server: Server, folder: Path, name: str) -> None:
        self.name = name
        self.token = make_token()
        self._server = server
        self._folder = folder / name
        self._folder.mkdir()

    async def register(self) -> None:
        """Make the account."""
        async with await Store.open(self._server.database) as store:
            row = await store.records(Accounts).add(self.name, "owner")
            await store.records(Tokens).add(row.id, "", hash_token(self.token), scopes_of("owner"))

    async def submit(self, file: str, source: str | None, *options: str) -> asyncio.subprocess.Process:
        """Start ``arena submit`` in the directory, with a file of this source; None: with a file that is there."""
        if source is not None:
            (self._folder / file).write_text(source, encoding="utf-8")
        with starts():
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "arena.cli",
                "submit",
                file,
                f"--url={self._server.url}",
                "--json",
                *options,
                cwd=self._folder,
                env={**os.environ, "ARENA_TOKEN": self.token},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )

    async def ask(self, path: str) -> Any:
        """Ask the server."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with ClientSession(self._server.url, headers=headers) as http, http.get(f"/api/v1{path}") as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def until(self, path: str, wanted: Callable[[Any], object]) -> Any:
        """Return an answer of the server once it is as wanted."""
        while not wanted(found := await self.ask(path)):  # noqa: ASYNC110  # the API has no event for it
            await asyncio.sleep(0.05)
        return found


async def result(submitting: asyncio.subprocess.Process) -> tuple[int, Any, str]:
    """Return the exit status of a command, its JSON, and what it said."""
    out, said = await submitting.communicate()
    assert out, said.decode()
    assert submitting.returncode is not None
    return submitting.returncode, json.loads(out), said.decode()


def hosting(server: Server) -> list[int]:
    """Return the processes that validate and host for a server."""
    return [pid for pid in children(server.pid) if "bots.hosted.process" in command_of(pid)]


def command_of(pid: int) -> list[str]:
    """Return the command line of a process; empty if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    return []


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that is not started; skips where the machine has no sandbox."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    tmp_path.chmod(0o755)
    if asyncio.run(find()).sandbox is None:
        pytest.skip("no sandbox here")
    folder = tmp_path / "data"
    folder.mkdir()
    return Server(folder, "--games=tictactoe", "--no-built-in-bots", *CONTROLS)


@pytest.mark.timeout(PATIENCE)
async def test_submitted_bots_are_validated_hosted_and_rated(server: Server, tmp_path: Path) -> None:
    anna, berta = Owner(server, tmp_path, "anna"), Owner(server, tmp_path, "berta")
    try:
        async with asyncio.timeout(PATIENCE - 20):
            await server.start()
            await anna.register()
            await berta.register()
            assert (
                await refused(anna) == f"arena submit: this is not a token of an account on {server.url}; "
                "tokens of bots are not accepted; create one on the page Account"
            )
            first, second = await anna.submit("first.py", BOT), await berta.submit("second.py", BOT, "--name=other")
            status, answer, said = await result(first)
            assert (status, answer["name"], answer["version"], answer["state"]) == (0, "first", 1, "accepted")
            assert answer["log"][-1] == "accepted for tictactoe"
            assert "tictactoe, against random: " in said
            assert (await result(second))[1]["name"] == "other"
            bot = f"/bots/{answer['bot']}"
            rated = await anna.until(bot, lambda bot: any(rating["games"] >= 2 for rating in bot["ratings"]))
            assert (rated["owner"], rated["versions"][0]["label"]) == ("anna", "1")
            logs = await anna.until(f"{bot}/logs", lambda logs: logs["items"])
            assert "of tictactoe" in logs["items"][0]["text"]
            faulty = BOT.replace("return turn.legal_moves[0]", "return 'z9'")
            status, answer, said = await result(await anna.submit("first.py", faulty))
            assert (status, answer["version"], answer["state"]) == (1, 2, "rejected")
            assert "illegal move" in answer["reason"]
            assert "ply " in said, "its error output"
            # the version before plays on
            await anna.until(bot, lambda bot: bot["connected"])
            await disabling_stops_a_bot(server, anna, berta)
    finally:
        await server.kill()
    assert (await verified(server.database))["clean"]


async def refused(owner: Owner) -> str:
    """Submit with a token that no account has; return what the command says."""
    submitting = await owner.submit("first.py", BOT, f"--token={make_token()}")
    _, said = await submitting.communicate()
    assert submitting.returncode == 2
    return said.decode().rstrip("\n")


async def disabling_stops_a_bot(server: Server, anna: Owner, berta: Owner) -> None:
    """A bot whose account is disabled in the middle of a move loses the match, and its program ends."""
    status, answer, _ = await result(await berta.submit("second.py", HOLDING, "--name=other"))
    assert (status, answer["version"]) == (0, 2), answer

    def held(match: Any) -> bool:
        return any((player["name"], player["version"]) == ("other", "2") for player in match["players"])

    live = await anna.until("/matches?status=live", lambda page: [*filter(held, page["items"])])
    (match,) = filter(held, live["items"])
    digest = hashlib.sha256(HOLDING.encode()).hexdigest()
    # it happens in other processes
    while not any(sees(pid, digest, unknown=True) for pid in descendants(server.pid)):  # noqa: ASYNC110  # no event
        await asyncio.sleep(0.05)
    status = await run_command("accounts", "disable", "berta", "--database-url", server.database)
    assert status == 0
    over = await anna.until(f"/matches/{match['id']}", lambda match: match["status"] == "finished")
    loser = [player["name"] for player in over["players"]].index("other")
    assert (over["termination"], over["result"]) == ("disconnect", ("0-1", "1-0")[loser])
    while any(sees(pid, digest, unknown=False) for pid in descendants(server.pid)):  # noqa: ASYNC110  # likewise
        await asyncio.sleep(0.05)
    await anna.until(f"/bots/{answer['bot']}", lambda bot: not bot["connected"])


def sees(pid: int, folder: str, *, unknown: bool) -> bool:
    """Return whether a folder of this name is among the mounts of a process; ``unknown``: where nobody may know."""
    try:
        return folder in Path(f"/proc/{pid}/mountinfo").read_text(encoding="utf-8")
    except PermissionError:
        return unknown
    except OSError:  # the process has ended
        return False


async def run_command(*words: str) -> int:
    """Run a command of the arena in a process of its own; return its exit status."""
    with starts():
        process = await asyncio.create_subprocess_exec(
            *child.command("arena.cli", *words), stdout=asyncio.subprocess.DEVNULL, pass_fds=child.pass_fds()
        )
    return await process.wait()


def descendants(pid: int) -> list[int]:
    """Return the processes that a process, and those that it started, have started."""
    found = []
    for child_of_it in children(pid):
        found += [child_of_it, *descendants(child_of_it)]
    return found


def children(pid: int) -> list[int]:
    """Return the processes that a process has started; none for one that has ended."""
    found: list[int] = []
    with suppress(OSError):  # the process, or the thread, has ended
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += [int(each) for each in (task / "children").read_text(encoding="ascii").split()]
    return found


@pytest.mark.timeout(PATIENCE)
@pytest.mark.long
async def test_kills_lose_no_upload(server: Server, tmp_path: Path) -> None:
    anna = Owner(server, tmp_path, "anna")
    try:
        async with asyncio.timeout(PATIENCE - 20):
            await server.start()
            await anna.register()
            submitting = await anna.submit("slow.py", WAITING)
            items = await anna.until("/account/bots", lambda bots: bots["items"])
            path = f"/bots/{items['items'][0]['id']}/versions/1"
            bots = f"/bots/{items['items'][0]['id']}/versions"
            await anna.until(bots, lambda versions: versions["items"])
            await anna.until(path, lambda version: version["state"] == "validating")

            # the kernel may leave out a child while another one ends
            while not (found := hosting(server)):  # noqa: ASYNC110  # it happens in another process
                await asyncio.sleep(0.05)
            (hosted,) = found
            os.kill(hosted, signal.SIGKILL)
            while hosting(server) in ([], [hosted]):  # noqa: ASYNC110  # it happens in another process
                await asyncio.sleep(0.05)
            await attempts(server, 2)

            # half of a file, when the server is killed
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = f"POST /api/v1{bots}?file=half.py HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
            head += f"Expect: 100-continue\r\nAuthorization: Bearer {anna.token}\r\n\r\n"
            writer.write(head.encode())
            assert b"100 Continue" in await reader.readline()
            writer.write(b"print(")
            await writer.drain()
            await server.kill()
            writer.close()
            await server.start()
            await attempts(server, 3)

            version = await anna.ask(path)
            folder = server.folder / "uploads" / f"{version['digest']}.python" / "files"
            (folder / "go").touch()
            status, answer, _ = await result(submitting)
            assert (status, answer["state"]) == (0, "accepted")
            assert [each["version"] for each in (await anna.ask(bots))["items"]] == [1]
            assert [each.name for each in (server.folder / "uploads").iterdir()] == [f"{version['digest']}.python"]
    finally:
        await server.kill()
    assert (await verified(server.database))["clean"]


async def attempts(server: Server, count: int) -> None:
    """Wait until the validation of the only upload has started so many times, and goes on."""
    async with await Store.open(server.database) as store:
        while True:
            (upload,) = (await store.records(Uploads).all()).items
            if upload.state == "validating" and upload.attempts == count:
                return
            await asyncio.sleep(0.05)
