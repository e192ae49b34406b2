# SPDX-License-Identifier: GPL-3.0-or-later
"""A real nginx with the configuration of the documentation, in front of a real arena."""

import asyncio
import os
import signal
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme
from aiohttp import ClientSession, ClientTimeout, TCPConnector

from tests.end_to_end.server import PATIENCE, Server
from tools.debian import installed

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
NAME = "localhost"
"""The host name in place of that in the configuration; every machine knows its address."""

MAIN = """\
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log info;
worker_processes 1;
# sockets that are open when the configuration is reloaded are closed soon
worker_shutdown_timeout 1s;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/arena.conf;
}}
"""
"""The part of nginx's configuration that an installation brings."""


@dataclass(frozen=True)
class Front:
    """A running nginx and the arena behind it."""

    server: Server
    port: int
    """By HTTPS."""
    plain_port: int
    """By HTTP."""
    prefix: str
    trust: ssl.SSLContext
    authority: Path
    """The certificate of the authority, for programs."""
    process: asyncio.subprocess.Process

    @property
    def url(self) -> str:
        """The address of the arena for clients."""
        return f"https://{NAME}:{self.port}{self.prefix}"

    @property
    def play_url(self) -> str:
        """The address of the bots' socket for clients."""
        return f"wss://{NAME}:{self.port}{self.prefix}/api/v1/play"

    def reload(self) -> None:
        """Let nginx read its configuration anew; its old workers end a second later."""
        self.process.send_signal(signal.SIGHUP)

    @asynccontextmanager
    async def http(self, source: str = "127.0.0.1") -> AsyncIterator[ClientSession]:
        """Give an HTTP client at an address of this machine."""
        connector = TCPConnector(ssl=self.trust, local_addr=(source, 0), family=socket.AF_INET)
        async with ClientSession(connector=connector, timeout=ClientTimeout(total=PATIENCE)) as http:
            yield http


def filled(folder: Path, ports: tuple[int, int], upstream: str, prefix: str) -> str:
    """Return the configuration of the documentation for this test."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    plain, secure = ports
    for shown, meant in {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{secure} ssl http2;",
        "arena.example.org;": f"{NAME};",
        "/etc/letsencrypt/live/arena.example.org/fullchain.pem": f"{folder}/chain.pem",
        "/etc/letsencrypt/live/arena.example.org/privkey.pem": f"{folder}/key.pem",
        "https://$host$request_uri": f"https://$host:{secure}$request_uri",
        "unix:/run/arena/arena.sock": upstream,
        "location / {": f"location {prefix}/ {{",
    }.items():
        assert shown in text, shown
        text = text.replace(shown, meant)
    return text


@asynccontextmanager
async def running(folder: Path, *options: str, prefix: str = "", unix: bool = True) -> AsyncIterator[Front]:
    """Run an arena and nginx in front of it, which connects to its Unix socket or to its port."""
    program = installed("nginx")
    assert program is not None
    socket_path = folder / "arena.sock"
    proxies = ["--unix", str(socket_path), "--trusted-proxies", "unix"] if unix else ["--trusted-proxies", "127.0.0.1"]
    server = Server(folder, *proxies, "--path-prefix", prefix, *options)
    async with AsyncExitStack() as stack:
        ports = _free_ports(stack)
        certify(folder)
        upstream = f"unix:{socket_path}" if unix else f"127.0.0.1:{server.port}"
        (folder / "arena.conf").write_text(filled(folder, ports, upstream, prefix), encoding="utf-8")
        # workers must be able to connect to the Unix socket of this user
        user = "user root;" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user), encoding="utf-8")
        await server.start()
        stack.push_async_callback(server.kill)
        command = (str(program), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log"))
        process = await asyncio.create_subprocess_exec(*command)
        stack.push_async_callback(_end, process)
        trust = ssl.create_default_context(cafile=str(folder / "authority.pem"))
        front = Front(server, ports[1], ports[0], prefix, trust, folder / "authority.pem", process)
        await _answers(front, folder)
        yield front


def certify(folder: Path) -> None:
    """Write a certificate for the host name, its key, and the authority's certificate."""
    authority = trustme.CA()
    certificate = authority.issue_cert(NAME)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    for pem in certificate.cert_chain_pems:
        pem.write_to_path(folder / "chain.pem", append=True)


def _free_ports(stack: AsyncExitStack) -> tuple[int, int]:
    """Return two ports that no other program takes meanwhile: a bound socket that does not listen holds each."""
    found = []
    for _ in range(2):
        holder = stack.enter_context(socket.socket())
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        found.append(holder.getsockname()[1])
    return found[0], found[1]


async def _answers(front: Front, folder: Path) -> None:
    """Wait until nginx answers."""
    async with asyncio.timeout(PATIENCE), front.http() as http:
        while True:
            assert front.process.returncode is None, (folder / "error.log").read_text(encoding="utf-8")
            try:
                async with http.get(f"{front.url}/healthz") as answer:
                    assert answer.status == 200, await answer.text()
                    return
            except OSError:
                await asyncio.sleep(0.05)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    await process.wait()
