# SPDX-License-Identifier: GPL-3.0-or-later
"""Three nodes behind a real nginx that knows no sessions: bots, spectators and requests end anywhere."""

import asyncio
import os
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.end_to_end.server import Server
from tests.features.cluster.playing import PATIENCE, Bot, Watcher, cluster, is_
from tests.nats import Nats
from tools.debian import installed

pytestmark = pytest.mark.skipif(installed("nginx") is None, reason="nginx is neither installed nor unpacked here")

UPSTREAM = Path(__file__).parents[3] / "docs" / "deploy" / "cluster" / "nginx.conf"

OPTIONS = ("--games", "tictactoe", "--ladder-pause", "0", "--ladder-interval", "0.1", "--trusted-proxies", "127.0.0.1")

MAIN = """
{user}
daemon off;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
    {upstream}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://arena;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_set_header X-Forwarded-For $remote_addr;
        }}
    }}
}}
"""


def upstream(nodes: list[Server]) -> str:
    """Return the documented servers, with the addresses of these."""
    addresses = iter(f"127.0.0.1:{node.port}" for node in nodes)
    text, replaced = re.subn(r"10\.0\.0\.\d:8080", lambda _: next(addresses), UPSTREAM.read_text("utf-8"))
    assert replaced == len(nodes)
    return text


@asynccontextmanager
async def balanced(folder: Path, nodes: list[Server]) -> AsyncIterator[int]:
    """Run nginx before nodes; return its port."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port: int = holder.getsockname()[1]
        user = "user root;" if os.getuid() == 0 else ""
        text = MAIN.format(folder=folder, user=user, port=port, upstream=upstream(nodes))
        (folder / "nginx.conf").write_text(text, encoding="utf-8")
        command = (str(installed("nginx")), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr")
        process = await asyncio.create_subprocess_exec(*command)
        try:
            yield port
        finally:
            process.terminate()
            await process.wait()


async def test_clients_behind_nginx_need_no_sticky_sessions(tmp_path: Path, database: str, nats: Nats) -> None:
    async with (
        cluster(tmp_path, database, nats.url, "abc", *OPTIONS) as nodes,
        balanced(tmp_path, list(nodes.values())) as port,
        ClientSession(f"http://127.0.0.1:{port}") as http,
    ):
        tokens = await nodes["a"].register("anna", "bert", "cleo", "dora")
        bots = [Bot(token, "tictactoe", f"ws://127.0.0.1:{port}/api/v1/play") for token in tokens.values()]
        try:
            match = (await bots[0].heard(is_("match")))["match"]
            watcher = Watcher(match, f"ws://127.0.0.1:{port}/api/v1/watch")
            await bots[0].heard(is_("over", match=match))
            await watcher.close()
            assert len({name for name, node in nodes.items() if "bot connected" in node.log}) > 1
            # any node answers a request that only the leader can answer
            statuses = set()
            for _ in range(2 * len(nodes)):
                async with http.post("/api/v1/bots", json={"name": ""}) as answer:
                    statuses.add(answer.status)
            assert len(statuses) == 1
            await nodes["c"].kill()
            heard = [len(bot.log) for bot in bots]
            for bot, before in zip(bots, heard, strict=True):
                await bot.heard(is_("over"), before)
            async with asyncio.timeout(PATIENCE):
                for _ in range(10):
                    async with http.get("/api/v1/matches?status=finished") as answer:
                        assert answer.status == 200
                        assert (await answer.json())["items"]
        finally:
            for bot in bots:
                await bot.close()
