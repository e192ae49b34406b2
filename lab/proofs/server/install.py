# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of the installation: the Containerfile and the README's commands on a bare Debian."""

import asyncio
import json
import shlex
import socket
import subprocess
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession

from lab.proofs.ledger import Ledger
from lab.proofs.server.roots import Root, Step, bootstrap, build, steps

CHECKOUT = Path(__file__).parents[3]
CONTAINERFILE = CHECKOUT / "docs" / "deploy" / "Containerfile"

PATIENCE = 3600.0
"""Seconds for the slowest step: a first start compiles on every processor."""

TEN_LINES = CHECKOUT / "docs" / "examples" / "ten_lines.py"
NEEDED = "git make python3-pip python3-venv"
"""What the README says that `make run` needs, as Debian's packages."""


async def prove_install(ledger: Ledger) -> None:
    """An installation from nothing

    The arena runs on a bare Debian. The proof makes a minimal root file system by debootstrap and runs every step of
    docs/deploy/Containerfile in it. As an ordinary user it starts the arena by the file's own command, waits
    until `/readyz` answers with status 200, runs the health check, and waits for the end of a match. In another root
    file system it installs the packages that the README names, clones the project as an ordinary user, runs `make run`,
    and waits for the first live match. Another user there installs the SDK's wheel from this arena into an empty
    environment and connects the bot of docs/examples/ten_lines.py until a rated match of it ends. Then `make test` sets
    up what the tests need, and passes them all. A short version leaves the second root file system out.
    """
    found = steps(CONTAINERFILE.read_text(encoding="utf-8"))
    began = time.monotonic()
    base = await asyncio.to_thread(bootstrap, ledger.folder / "base", _suite(found))
    ledger.note("bare root file system", _since(began))
    await _contained(ledger, base, found)
    if ledger.scale >= 0.5:
        await _cloned(ledger, base)


def _suite(found: list[Step]) -> str:
    """Return the suite of the base image, such as bookworm of debian:bookworm-slim."""
    (image,) = [text for kind, text in found if kind == "FROM"]
    name, _, tag = image.partition(":")
    assert name == "debian", "the base image is Debian's"
    return tag.removesuffix("-slim")


async def _contained(ledger: Ledger, base: Root, found: list[Step]) -> None:
    """Build and run the image of the Containerfile."""
    context, root = ledger.place("context"), base.copy(ledger.folder / "image")
    _export(context)
    began = time.monotonic()
    commands = await asyncio.to_thread(build, root, found, context)
    ledger.note("steps of the Containerfile", f"{len(found)} in {_since(began)}")
    ledger.note(
        "size of the image", f"{_size(root.folder) >> 20:,} MiB, {_size(base.folder) >> 20:,} MiB of them Debian"
    )
    assert root.user != "root", "the server runs as an ordinary user"
    # one game, so that the proof does not compile them all; a port that is free
    port = _free_port()
    command = shlex.join([*commands["CMD"], "--port", str(port), "--games", "tictactoe"])
    began = time.monotonic()
    with root.running(command, ledger.folder / "image.log") as server:
        await _answers(server, port, "/healthz", lambda answer: True, ledger.folder / "image.log")
        ledger.note("container: first answer", _since(began))
        await _answers(server, port, "/readyz", lambda answer: bool(answer["ready"]), ledger.folder / "image.log")
        ledger.note("container: ready", _since(began))
        check = shlex.join([*commands["HEALTHCHECK"], "--url", f"http://127.0.0.1:{port}"])
        await asyncio.to_thread(root.run, check)
        finished = "/api/v1/matches?status=finished&limit=1"
        answer = await _answers(
            server, port, finished, lambda answer: bool(answer["items"]), ledger.folder / "image.log"
        )
        ledger.note("container: first match ended", _since(began))
        (match,) = answer["items"]
        assert match["result"] in ("1-0", "0-1", "1/2-1/2"), match


async def _cloned(ledger: Ledger, base: Root) -> None:
    """Do what the README says, as an ordinary user."""
    root = base.copy(ledger.folder / "clone")
    began = time.monotonic()
    await asyncio.to_thread(root.run, f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {NEEDED}")
    ledger.note("README: the packages it names", _since(began))
    origin = root.folder / "srv" / "bot-arena"
    await asyncio.to_thread(_run, "git", "clone", "--quiet", "--bare", str(CHECKOUT), str(origin))
    await asyncio.to_thread(root.run, "useradd --create-home somebody && chown -R somebody: /srv/bot-arena")
    root.user = "somebody"
    began = time.monotonic()
    await asyncio.to_thread(root.run, "cd && git clone -q /srv/bot-arena && cd bot-arena && make setup")
    ledger.note("README: clone and environment", _since(began))
    port, log = _free_port(), ledger.folder / "clone.log"
    with root.running(f"cd ~/bot-arena && make run ARGS='--port {port}'", log) as server:
        await _answers(server, port, "/healthz", lambda answer: True, log)
        ledger.note("README: `make run` answers", _since(began))
        live = "/api/v1/matches?status=live&limit=1"
        await _answers(server, port, live, lambda answer: bool(answer["items"]), log)
        ledger.note("README: first live board", f"{_since(began)} after the clone began")
        await _connected(ledger, root, port, log, server)
    began = time.monotonic()
    tested = await asyncio.to_thread(root.run, "cd ~/bot-arena && make test")
    ledger.note("README: `make test`", f"{tested.strip().splitlines()[-1].strip(' =')}; {_since(began)}")


async def _connected(ledger: Ledger, root: Root, port: int, log: Path, server: "subprocess.Popen[bytes]") -> None:
    """Connect a bot that has nothing but the SDK, as another user beside the arena of a clone."""
    made = await asyncio.to_thread(root.run, "cd ~/bot-arena && .venv/bin/arena bots add my-bot --json")
    bot = json.loads(made)
    author = Root(root.folder)
    await asyncio.to_thread(author.run, "useradd --create-home author")
    author.user = "author"
    began = time.monotonic()
    wheel = f"http://127.0.0.1:{port}/sdk/bot_arena_sdk-{version('bot-arena-sdk')}-py3-none-any.whl"
    await asyncio.to_thread(author.run, f"cd && python3 -m venv .venv && .venv/bin/pip install --quiet {wheel}")
    ledger.note("SDK: in an empty environment", _since(began))
    program = TEN_LINES.read_text("utf-8").replace(":8080", f":{port}").replace("…", bot["token"])
    command = f"cd && printf %s {shlex.quote(program)} > mine.py && .venv/bin/python mine.py"
    with author.running(command, log.with_name("bot.log")):
        finished = f"/api/v1/matches?status=finished&bot={bot['id']}&limit=1"
        answer = await _answers(server, port, finished, lambda answer: bool(answer["items"]), log)
    assert answer["items"][0]["rated"], answer
    ledger.note("SDK: first rated match ended", f"{_since(began)} after the author began")


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def _export(folder: Path) -> None:
    """Write the files of the current commit to a folder."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=CHECKOUT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)


async def _answers(
    server: "subprocess.Popen[bytes]", port: int, path: str, good: Callable[[Any], bool], log: Path
) -> Any:
    """Wait until a request has a good answer with status 200; return it."""
    async with asyncio.timeout(PATIENCE), ClientSession() as http:
        while True:
            assert server.poll() is None, _end_of(log)
            try:
                async with http.get(f"http://127.0.0.1:{port}{path}") as response:
                    answer = json.loads(await response.text())
                    if response.status == 200 and good(answer):
                        return answer
            except ClientError:
                pass  # it does not listen yet
            await asyncio.sleep(0.2)


def _end_of(log: Path) -> str:
    return log.read_text(encoding="utf-8")[-3000:]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _size(folder: Path) -> int:
    done = subprocess.run(["du", "-s", "-B1", str(folder)], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[0])


def _since(began: float) -> str:
    return f"{time.monotonic() - began:,.0f} s"
