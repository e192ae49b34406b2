# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena serve`` as a process of its own, which tests may end in any way they like.

It ends with the process of the tests, however that ends.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import time
import weakref
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientSession

from arena.connections.admission import hash_token, make_token
from arena.store import Store
from engine.native import child
from tests import databases, forked
from tests.end_to_end import built_in

PATIENCE = 600.0
"""Seconds until the start of a server fails."""

TIMEOUTS = ("hello-timeout", "reconnect-grace", "challenge-expiry", "answer-timeout")
"""Settings with the times in which clients must act. Clients of a test may be stopped for as long as it takes."""


class Server:
    """One arena: a folder, a port that stays the same, and the process that serves it now, if any."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        database: str = "",
        environment: Mapping[str, str] | None = None,
        bots: Collection[str] | None = None,
        python: Path | None = None,
        real: bool = False,
    ) -> None:
        """``database``: the URL of one that is not in the folder; ``environment``: variables added to ours; ``bots``:
        the built-in bots that play, None: all; ``python``: the interpreter of another environment with an arena;
        ``real``: start the program itself and let it make its database, for tests of starts, ends, and limits; other
        servers start as forks (``tests.forked``), with an empty database.
        """
        self.folder = folder
        self.port = self._reserved()
        self.started_in = 0.0
        """Seconds from the start of the process to its first answer."""
        self.database = database or f"sqlite:///{folder / 'arena.db'}"
        self._options = options
        self._bots = bots
        self._python = python
        self._real = real
        self._environment = dict(os.environ) | dict(environment or {})
        self._process: asyncio.subprocess.Process | None = None
        self._log: Path = folder / "log.txt"

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def play_url(self) -> str:
        """Where bots connect."""
        return f"ws://127.0.0.1:{self.port}/api/v1/play"

    @property
    def watch_url(self) -> str:
        """Where spectators connect."""
        return f"ws://127.0.0.1:{self.port}/api/v1/watch"

    @property
    def log(self) -> str:
        """What it has written to standard error so far."""
        return self._log.read_text("utf-8")

    @property
    def pid(self) -> int:
        """Number of the process."""
        assert self._process is not None
        return self._process.pid

    async def register(self, *names: str) -> dict[str, str]:
        """Register bots; returns their tokens by name."""
        tokens = {name: make_token() for name in names}
        async with await Store.open(self.database) as store:
            for name, token in tokens.items():
                await store.bots.add(name, hash_token(token))
        return tokens

    async def start(self) -> None:
        """Start the process and wait until it answers."""
        if self._bots is not None:
            await built_in.keep(self.database, self._bots)
        began = time.monotonic()
        command = child.command("arena.cli", "serve", "--json", "--no-browser", "--port", str(self.port))
        # the ladder keeps everybody busy, whatever is known, and two bots may challenge each other all day
        command += ["--ladder-misordered", "0", "--ladder-busy", "1", "--rated-challenges-per-day", "1000000"]
        command += [word for name in TIMEOUTS for word in (f"--{name}", str(PATIENCE))]
        command += ["--database-url", self.database, *self._options]
        if self._python is not None:
            command[0] = str(self._python)
        quick = contextlib.nullcontext() if self._real else forked.starts()
        if not self._real and self._python is None:
            databases.lay(self.database)
        with self._log.open("ab") as log, quick:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=self._environment,
                # Python imports from the working directory first
                cwd=None if self._python is None else self.folder,
                pass_fds=child.pass_fds(),
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        assert line, f"it ended with code {await self._process.wait()}: {self.log[-2000:]}"
        self.port = urlsplit(json.loads(line)["url"]).port or 0
        await self._healthy("status", "ok")
        self.started_in = time.monotonic() - began

    async def ready(self) -> None:
        """Wait until matches of all its games can start."""
        await self._healthy("ready", True)

    async def health(self) -> Any:
        """Return the server's own status, also while its database does not work."""
        async with ClientSession() as http, http.get(self.url + "/healthz") as response:
            return await response.json()

    async def _healthy(self, what: str, value: object) -> None:
        """Wait until it says so of itself. While its disk is busy it takes the database for broken after 2 s."""
        async with asyncio.timeout(PATIENCE):
            while (await self.health())[what] != value:  # noqa: ASYNC110  # it happens in another process
                await asyncio.sleep(0.05)

    def _reserved(self) -> int:
        """Return a port that no other program gets while this object exists; 0 where that cannot be had.

        Between a kill and the next start nobody listens on the port, and another socket could get it. On Linux a socket
        that is bound and does not listen prevents that, and lets a server with SO_REUSEADDR listen.
        """
        if sys.platform != "linux":
            return 0
        holder = socket.socket()
        weakref.finalize(self, holder.close)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port: int = holder.getsockname()[1]
        return port

    async def kill(self) -> None:
        """End the process with SIGKILL, in the middle of whatever it does."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            await self._process.wait()

    def ask_to_stop(self) -> None:
        """Send SIGTERM, and wait for nothing."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()

    async def stop(self) -> int:
        """End the process with SIGTERM; returns its exit code."""
        assert self._process is not None
        self.ask_to_stop()
        return await self._process.wait()

    async def ended(self) -> int:
        """Wait until the process ends by itself; returns its exit code."""
        assert self._process is not None
        return await self._process.wait()

    async def get(self, path: str) -> Any:
        """Ask it."""
        return json.loads(await self.text(path))

    async def text(self, path: str) -> str:
        """Ask it for what need not be JSON."""
        async with ClientSession() as http, http.get(self.url + path) as response:
            assert response.status == 200, await response.text()
            return await response.text()

    async def match(self, number: int) -> Any:
        """Return a match with all its moves."""
        match = await self.get(f"/api/v1/matches/{number}?limit=500")
        while match["next"] is not None:
            page = await self.get(f"/api/v1/matches/{number}/moves?after={match['next']}&limit=500")
            match["moves"] += page["items"]
            match["next"] = page["next"]
        return match

    async def all(self, path: str) -> list[Any]:
        """Ask it for a whole list, page by page."""
        items: list[Any] = []
        after = ""
        while True:
            page = await self.get(f"/api/v1{path}{after}")
            items += page["items"]
            if page["next"] is None:
                return items
            after = f"{'&' if '?' in path else '?'}after={page['next']}"
