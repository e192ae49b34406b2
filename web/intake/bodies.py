# SPDX-License-Identifier: GPL-3.0-or-later
"""Request bodies: reading, decompression and checks with limits on size, time and nesting; after authorisation.

aiohttp delivers bodies unchanged (``auto_decompress=False``). This module decompresses a body in a thread and stops at
the size limit. If no handler reads a body, ``web.delivery`` closes the connection after the answer.
"""

import asyncio
import re
import zlib
from http import HTTPStatus

from aiohttp import HttpVersion11, web

from web.errors import BadRequest, RequestError

MAX_BODY = 65_536
"""Maximum bytes of a body, before and after decompression."""

MAX_DEPTH = 100
"""Maximum nesting depth of a JSON body."""

BODY_TIME = 30.0
"""Seconds within which a body must arrive."""

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""zlib's window parameter by encoding."""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))


class TooLarge(RequestError):
    """A body is too large."""

    def __init__(self, most: int) -> None:
        super().__init__(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", f"the body is too large; the limit is {most:,} bytes"
        )


class BadBody(BadRequest):
    """A body does not match its headers, is incomplete, or is nested too deeply."""


async def read_body(request: web.Request, most: int = MAX_BODY) -> bytes:
    """Return the decompressed body of a request. Raises TooLarge for more than ``most`` bytes, before or after
    decompression, BadBody, and RequestError for an unknown encoding (415) or a timeout (408).
    """
    body = await read_file(request, most, BODY_TIME)
    if too_deep(body):
        raise BadBody(f"the body is nested more than {MAX_DEPTH} levels deep")
    return body


async def read_file(request: web.Request, most: int, seconds: float) -> bytes:
    """Return the decompressed body of a request, which need not be JSON; it must arrive within ``seconds``.

    Raises the errors of ``read_body``.
    """
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding != "identity" and encoding not in _WINDOWS:
        raise RequestError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "unsupported-encoding",
            f"unknown Content-Encoding {encoding[:40]!r}; use gzip, deflate or none",
            {"Accept-Encoding": "gzip, deflate"},
        )
    if (request.content_length or 0) > most:
        raise TooLarge(most)
    await _ask_for_it(request)
    try:
        async with asyncio.timeout(seconds):
            body = await _received(request, most)
    except TimeoutError:
        raise RequestError(
            HTTPStatus.REQUEST_TIMEOUT, "timeout", f"the body did not arrive within {seconds:g} seconds"
        ) from None
    except (ConnectionError, web.RequestPayloadError) as error:
        raise BadBody(f"the body is incomplete: {error}") from None
    if encoding != "identity" and body:
        body = await asyncio.to_thread(inflated, body, encoding, most)
    return body


async def expect(request: web.Request) -> None:
    """Do not answer ``Expect: 100-continue`` before the body is read (aiohttp would answer before authorisation)."""


async def _ask_for_it(request: web.Request) -> None:
    """Send ``100 Continue`` to a client that waits for it."""
    if request.version == HttpVersion11 and request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # the answer itself has not begun


async def _received(request: web.Request, most: int) -> bytes:
    body = bytearray()
    while chunk := await request.content.readany():
        body += chunk
        if len(body) > most:
            raise TooLarge(most)
    return bytes(body)


def inflated(body: bytes, encoding: str, most: int) -> bytes:
    """Return a decompressed body. Raises TooLarge as soon as it has more than ``most`` bytes, and BadBody."""
    raw = encoding == "deflate" and body[0] & 0x0F != zlib.DEFLATED  # some clients send deflate without the zlib header
    inflater = zlib.decompressobj(-15 if raw else _WINDOWS[encoding])
    try:
        text = inflater.decompress(body, most + 1)
    except zlib.error as error:
        raise BadBody(f"the body is not valid {encoding}: {error}") from None
    if len(text) > most:
        raise TooLarge(most)
    if not inflater.eof or inflater.unused_data:
        raise BadBody(f"the {encoding} body is incomplete or has extra bytes")
    return text


def too_deep(body: bytes, most: int = MAX_DEPTH) -> bool:
    """Return whether JSON is nested more than ``most`` levels deep; the result for other text has no meaning."""
    deep = 0
    for bracket in _STRING.sub(b"", body).translate(None, _NO_BRACKET):
        if bracket in b"[{":
            deep += 1
            if deep > most:
                return True
        else:
            deep -= 1
    return False
