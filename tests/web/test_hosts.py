# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena answers to its own names alone, and lets no website use it unless it is allowed to."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp import WSServerHandshakeError

from arena.connections.admission import hash_token, make_token
from tests.web.door import Door, opened, unhurried

pytestmark = pytest.mark.asyncio(loop_scope="session")

EVIL = "http://evil.example"
FRIEND = "https://friend.example"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def named(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena with a name, a friend, and a proxy on this machine."""
    settings = unhurried(
        "nim",
        ladder=False,
        public_names="arena.example, other.example",
        allowed_origins=FRIEND,
        trusted_proxies="127.0.0.1",
    )
    async with opened(tmp_path_factory.mktemp("named"), settings, host="given.example") as door:
        yield door


def own(door: Door) -> str:
    """Return the origin of the arena's own pages."""
    return f"http://{door.address}"


PATHS = ("/", "/healthz", "/metrics", "/api/v1/status", "/api/v1/play", "/static/style.css", "/nothing")


@pytest.mark.parametrize("path", PATHS)
async def test_unknown_host_names_are_refused(named: Door, path: str) -> None:
    """evil.example, which its owner lets point to 127.0.0.1, reads nothing."""
    for host in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example"):
        async with named.http.get(path, headers={"Host": host}) as response:
            assert response.status == 421
            text = await response.text()
            assert "public_names" in text
            assert "evil.example" in text


async def test_ip_addresses_and_own_names_are_accepted(named: Door) -> None:
    hosts = ["127.0.0.1", "10.1.2.3:80", "[::1]:8080", "[2001:db8::1]", "localhost", "LOCALHOST:1", "arena.example"]
    for host in (*hosts, "Arena.Example.:443", "other.example", "given.example"):
        async with named.http.get("/api/v1/status", headers={"Host": host}) as response:
            assert response.status == 200, host


async def test_an_invalid_host_header_is_refused(named: Door) -> None:
    for host in ("", "a b", "arena.example/x", "user@arena.example", "[::1", "arena.example:99999", "::1"):
        async with named.http.get("/api/v1/status", headers={"Host": host}) as response:
            assert response.status == 400, host


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\n", b"400"),
        (b"GET /healthz HTTP/1.0\r\n", b"200"),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n", b"400"),
        (b"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n", b"421"),
        (b"GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n", b"200"),
    ],
)
async def test_a_request_needs_exactly_one_host_header(named: Door, head: bytes, status: bytes) -> None:
    host, _, port = named.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(head + b"Connection: close\r\n\r\n")
    assert (await reader.read())[9:12] == status
    writer.close()


# ---------------------------------------------------------------- origins


async def test_only_allowed_websites_read_the_api(named: Door) -> None:
    for path in ("/api/v1/games", "/api/v1/nothing", "/api/v1/matches/export?format=jsonl"):
        async with named.http.get(path, headers={"Origin": EVIL}) as response:
            assert "Access-Control-Allow-Origin" not in response.headers, path
            assert "Origin" in response.headers["Vary"]
        async with named.http.get(path, headers={"Origin": FRIEND}) as response:
            assert response.headers["Access-Control-Allow-Origin"] == FRIEND, path
            assert "Origin" in response.headers["Vary"]
            assert "ETag" in response.headers["Access-Control-Expose-Headers"]
        async with named.http.get(path) as response:
            assert "Access-Control-Allow-Origin" not in response.headers
            assert "Origin" in response.headers["Vary"]


async def test_a_preflight_lists_methods_and_headers(named: Door) -> None:
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "if-none-match"}
    async with named.http.options("/api/v1/games", headers={"Origin": FRIEND, **asked}) as response:
        assert response.status == 204
        assert response.headers["Access-Control-Allow-Origin"] == FRIEND
        assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
        assert "If-None-Match" in response.headers["Access-Control-Allow-Headers"]
    async with named.http.options("/api/v1/tournaments", headers={"Origin": FRIEND, **asked}) as response:
        assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, POST"
    async with named.http.options("/api/v1/games", headers={"Origin": EVIL, **asked}) as response:
        assert response.status == 403
        assert "allowed_origins" in await response.text()
        assert "Access-Control-Allow-Origin" not in response.headers
    async with named.http.options("/api/v1/games") as response:
        assert (response.status, response.headers["Allow"]) == (204, "GET, HEAD")
    async with named.http.options("/api/v1/nothing", headers={"Origin": FRIEND, **asked}) as response:
        assert response.status == 404


async def opens(door: Door, url: str, **headers: str) -> int:
    """Return the status with which a socket is answered."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        async with door.http.ws_connect(url, headers=names):
            return 101
    except WSServerHandshakeError as error:
        return error.status


async def test_sockets_check_the_origin(named: Door) -> None:
    for url in (named.play_url, named.watch_url):
        assert await opens(named, url) == 101
        assert await opens(named, url, Origin=own(named)) == 101
        assert await opens(named, url, Origin=FRIEND) == 101
        assert await opens(named, url, Origin="http://ARENA.example", Host="arena.example:80") == 101
        for origin in (EVIL, "null", "https://arena.example", "http://127.0.0.1", "http://localhost:1", "x", ""):
            assert await opens(named, url, Origin=origin) == 403, origin


async def test_the_scheme_of_a_trusted_proxy_decides_the_own_origin(named: Door, door: Door) -> None:
    page = {"Origin": "https://arena.example", "Host": "arena.example"}
    forwarded = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "1.2.3.4"}
    assert await opens(named, named.watch_url, **page, **forwarded) == 101
    assert await opens(named, named.watch_url, **page) == 403
    page = {"Origin": f"https://{door.address}"}
    assert await opens(door, door.watch_url, **page, **forwarded) == 403  # nobody is trusted there


# ---------------------------------------------------------------- counters


async def test_metrics_are_for_this_machine_and_for_operators(named: Door) -> None:
    token = make_token()
    named.arena.store.operators.admit("counter", hash_token(token))
    async with named.http.get("/metrics") as response:
        assert response.status == 200
    elsewhere = {"X-Forwarded-For": "1.2.3.4"}
    for headers in (elsewhere, {**elsewhere, "Authorization": "Bearer guess"}, {"Via": "1.1 somebody"}):
        async with named.http.get("/metrics", headers=headers) as response:
            assert response.status == 401
            assert "arena_matches" not in await response.text()
    async with named.http.get("/metrics", headers={**elsewhere, "Authorization": f"Bearer {token}"}) as response:
        assert "arena_matches" in await response.text()
