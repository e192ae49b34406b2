# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers are compressed for clients that accept it, in threads, and charged to the client."""

import asyncio
import gzip
import random
import threading

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from arena.spending import SPEND
from web import compression
from web.compression import SHORT, SMALL, THREADS, compress, gzipped, takes_gzip

TEXT = "the same words again and again " * 10_000


def asking(coding: str | None = "gzip", method: str = "GET") -> web.Request:
    return make_mocked_request(method, "/", headers={} if coding is None else {"Accept-Encoding": coding})


@pytest.mark.parametrize(
    ("coding", "taken"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("deflate, *", True),
        ("*;q=0", False),
        ("gzip; q=0.000, *", False),
        ("gzip;q=0", False),
        ("identity", False),
        ("gzipped", False),
        ("", False),
        (None, False),
    ],
)
def test_accept_encoding_is_parsed(coding: str | None, taken: bool) -> None:
    assert takes_gzip(asking(coding)) is taken


@pytest.mark.parametrize("length", [SMALL + 1, SHORT, SHORT + 1, len(TEXT)])
async def test_a_compressed_text_decompresses_to_the_original(length: int) -> None:
    response = web.Response(text=TEXT[:length])
    assert await compress(asking(), response)
    assert isinstance(response.body, bytes)
    assert len(response.body) < length / 4
    assert gzip.decompress(response.body) == TEXT[:length].encode()
    assert (response.headers["Content-Encoding"], response.headers["Vary"]) == ("gzip", "Accept-Encoding")


async def test_texts_that_do_not_shrink_are_sent_uncompressed() -> None:
    noise = random.Random(1).randbytes(4 * SHORT)
    for response, request in (
        (web.Response(text=TEXT[:SMALL]), asking()),
        (web.Response(body=TEXT.encode(), content_type="image/png"), asking()),
        (web.Response(body=noise, content_type="text/plain"), asking()),
        (web.Response(text=TEXT), asking("identity")),
        (web.Response(text=TEXT), asking(method="POST")),
        (web.Response(text=TEXT, headers={"Content-Encoding": "br"}), asking()),
    ):
        before = response.body
        assert not await compress(request, response)
        assert response.body is before
    assert gzipped(noise) is None


async def test_long_answers_are_compressed_in_a_limited_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop is not blocked, and the client is charged for the thread."""
    here = threading.get_ident()
    running, most = 0, 0
    held = threading.Event()
    seen = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(body: bytes) -> bytes:
        nonlocal running, most
        assert threading.get_ident() != here
        running += 1
        most = max(most, running)
        if running == PLACES_AT_ONCE:
            loop.call_soon_threadsafe(seen.set)
        held.wait(600)
        running -= 1
        return body[:1]

    spent = list[float]()
    token = SPEND.set(spent.append)
    monkeypatch.setattr(compression, "gzipped", slow)
    try:
        tasks = [asyncio.create_task(compress(asking(), web.Response(text=TEXT))) for _ in range(5)]
        await asyncio.wait_for(seen.wait(), 600)
        held.set()
        assert all(await asyncio.gather(*tasks))
    finally:
        held.set()
        SPEND.reset(token)
    assert most == PLACES_AT_ONCE
    assert len(spent) == 5


PLACES_AT_ONCE = THREADS.free
