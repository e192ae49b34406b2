# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of requests: nobody without a token has one read, and none is inflated further than a body may be long."""

import asyncio
import gzip
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable

import pytest

from arena.connections.admission import hash_token, make_token
from lab.proofs.attacks.slow_peers import gzipped, posting
from tests.arena.peers import PATIENCE
from tests.features import declared
from tests.web.door import Door
from tests.web.players import bearer
from tests.web.test_tournaments import operator
from web.api import ENDPOINTS
from web.api.access import BOT, EVERYBODY, OPERATOR
from web.errors import RequestError
from web.intake import bodies

pytestmark = pytest.mark.asyncio(loop_scope="session")

SPEC = {"name": "Cup", "game": "tictactoe", "format": {"kind": "round-robin"}, "entries": []}
OWN_PATHS = [
    each.path.replace("{id}", "1")
    for each in (*ENDPOINTS, *declared.ENDPOINTS)
    if each.method == "POST" and each.access in (OPERATOR, BOT)
]
PATHS = [
    each.path.replace("{id}", "1").replace("{version}", "1")
    for each in (*ENDPOINTS, *declared.ENDPOINTS)
    if each.method == "POST" and each.access is not EVERYBODY
]
DEEP = (101, 500, 980, 990, 20_000)


def deflated(body: bytes) -> bytes:
    """Compress without zlib's header, as some clients understand "deflate"."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


async def answer_of(door: Door, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """Post a tournament; return the status and the error message."""
    async with door.http.post("/api/v1/tournaments", data=body, headers=headers) as response:
        return response.status, (await response.json()).get("error", {}).get("message", "")


@pytest.mark.parametrize("path", PATHS)
async def test_a_body_without_a_token_is_neither_read_nor_decompressed(
    door: Door, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor awaited: the answer comes, and the connection is closed, before the body is there."""

    async def read_body(*_: object) -> bytes:
        raise AssertionError("read")

    users = [module for module in list(sys.modules.values()) if vars(module).get("read_body") is bodies.read_body]
    for module in users:
        monkeypatch.setattr(module, "read_body", read_body)
    assert {"web.api.endpoint", "web.intake.bodies"} <= {module.__name__ for module in users}
    host, _, port = door.address.partition(":")
    for token in ("", "Authorization: Bearer nobodys\r\n"):
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"POST {path} HTTP/1.1\r\nHost: {door.address}\r\nContent-Encoding: gzip\r\nContent-Length: 50000\r\n"
        writer.write((head + token + "Expect: 100-continue\r\n\r\n").encode())
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 401 "), answer
        assert b"Connection: close\r\n" in answer
        writer.close()


async def test_a_client_that_sends_much_without_a_token_receives_the_error(door: Door) -> None:
    counts = Counter[str]()
    body = gzipped(300_000)
    port = int(door.address.rpartition(":")[2])
    await asyncio.gather(
        *(posting(port, path, counts, body, {"Content-Encoding": "gzip"}, rounds=1) for path in PATHS[:4])
    )
    assert counts == {"401": 4}


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [("gzip", gzip.compress), ("x-gzip", gzip.compress), ("deflate", zlib.compress), ("Deflate", deflated)],
)
async def test_compressed_bodies_are_understood(door: Door, encoding: str, pack: Callable[[bytes], bytes]) -> None:
    headers = await operator(door) | {"Content-Encoding": encoding}
    status, message = await answer_of(door, pack(json.dumps(SPEC).encode()), headers)
    assert status == 400
    assert message == "the tournament has no entries", "the decompressed body was read"


@pytest.mark.parametrize(
    ("encoding", "body", "status", "said"),
    [
        ("gzip", gzip.compress(b" " * 100_000, mtime=0), 413, "65,536 bytes"),
        ("deflate", zlib.compress(b" " * 65_537), 413, "65,536 bytes"),
        ("identity", b" " * 65_537, 413, "65,536 bytes"),
        ("gzip", b"no gzip at all", 400, "gzip"),
        ("gzip", gzip.compress(b"{}", mtime=0)[:-3], 400, "incomplete"),
        ("gzip", gzip.compress(b"{}", mtime=0) + b"more", 400, "gzip"),
        ("deflate", b"\xff\xff\xff", 400, "not valid deflate"),
        ("br", b"{}", 415, "gzip, deflate or none"),
        ("gzip, gzip", b"{}", 415, "gzip, deflate or none"),
    ],
)
async def test_a_bad_body_is_refused_in_words(door: Door, encoding: str, body: bytes, status: int, said: str) -> None:
    headers = await operator(door) | {"Content-Encoding": encoding}
    assert (await answer_of(door, body, headers))[0] == status
    assert said in (await answer_of(door, body, headers))[1]


async def test_a_body_with_too_large_a_length_header_is_not_read(door: Door) -> None:
    host, _, port = door.address.partition(":")
    token = (await operator(door))["Authorization"]
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST /api/v1/tournaments HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n"
        "Content-Length: 65537\r\n\r\n".encode()
    )
    async with asyncio.timeout(PATIENCE):
        assert (await reader.read()).startswith(b"HTTP/1.1 413 ")
    writer.close()


async def test_a_client_that_expects_100_continue_receives_it(door: Door) -> None:
    host, _, port = door.address.partition(":")
    token = (await operator(door))["Authorization"]
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST /api/v1/tournaments HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n"
        "Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n".encode()
    )
    async with asyncio.timeout(PATIENCE):
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"{}")
        assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
    writer.close()


async def test_a_missing_body_ends_in_a_timeout(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_TIME", 0.1)
    host, _, port = door.address.partition(":")
    token = (await operator(door))["Authorization"]
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST /api/v1/tournaments HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n"
        "Content-Length: 20\r\n\r\n{".encode()
    )
    async with asyncio.timeout(PATIENCE):
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
    writer.close()


def nested(deep: int) -> str:
    """Return a body with this number of levels, wherever a genome may stand: ``msgspec`` reads about 1,000 levels, but
    cannot write them.
    """
    genome = '{"a":' * deep + "1" + "}" * deep
    body = {
        "bot": "x", "version": "1", "game": "tictactoe", "genome": "GENOME", "name": "x",
        "view": {"schema": "x", "nodes": 1, "formula": "x", "program": [], "modules": [], "search_traces": []},
    }  # fmt: skip
    return json.dumps(body).replace('"GENOME"', genome)


@pytest.mark.parametrize("path", OWN_PATHS)
@pytest.mark.parametrize("deep", DEEP)
async def test_too_deeply_nested_bodies_are_bad_requests(door: Door, path: str, deep: int) -> None:
    bot = make_token()
    await door.arena.store.bots.admit_built_in(f"deep-{hash_token(bot)}"[:20], hash_token(bot), description="")
    statuses = set()
    for headers in (await operator(door), bearer(bot)):
        async with door.http.post(path, data=nested(deep), headers=headers) as response:
            statuses.add(response.status)
    assert statuses in ({401, 400}, {401, 413})


@pytest.mark.parametrize(
    ("body", "deep"),
    [
        (b"[" * 100 + b"]" * 100, False),
        (b"[" * 101, True),
        (b'{"a":[{"' + b"[" * 200 + b'":1}]}', False),
        (rb'{"a":"\"[[[","b":"\\"}' + b"[" * 101, True),
        (b'"' + b"[" * 200, False),
        (b"[]" * 30_000, False),
        (b"]" * 300 + b"[" * 101, False),
    ],
)
async def test_nesting_depth_ignores_strings(body: bytes, deep: bool) -> None:
    assert bodies.too_deep(body) is deep


async def test_decompression_stops_at_the_limit() -> None:
    with pytest.raises(RequestError, match="limit"):
        bodies.inflated(gzipped(60_000), "gzip", bodies.MAX_BODY)
