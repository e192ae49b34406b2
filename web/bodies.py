# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of requests: read, inflated and checked within bounds, after whoever sent them has shown a token.

aiohttp hands bodies over as they came (``auto_decompress=False``). A compressed body is inflated here, in a thread, and
no further than a body may be long. A body that no handler reads is not read after the answer either: ``web.delivery``
closes the connection.
"""

import asyncio
import re
import zlib
from http import HTTPStatus

from aiohttp import HttpVersion11, web

from web.errors import BadRequest, Refused

MAX_BODY = 65_536
"""Bytes of a body at most, as it was sent and once it is inflated."""

MAX_DEPTH = 100
"""Lists and objects inside each other in a body of JSON at most."""

BODY_TIME = 30.0
"""Seconds in which a body must have come."""

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Of zlib, by the name of the encoding."""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))


class TooLarge(Refused):
    """A body has too many bytes."""

    def __init__(self, most: int) -> None:
        super().__init__(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", f"a body has at most {most:,} bytes")


class BadBody(BadRequest):
    """A body is not what its headers say, was cut off, or is nested too deeply."""


async def read_body(request: web.Request, most: int = MAX_BODY) -> bytes:
    """Return the body of a request, inflated. Raises TooLarge for more than ``most`` bytes, before or after inflating,
    BadBody, and Refused for an unknown encoding (415) or a body that takes too long to come (408).
    """
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding != "identity" and encoding not in _WINDOWS:
        raise Refused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "unsupported-encoding",
            f"bodies come plain, or as gzip or deflate, not as {encoding[:40]!r}",
            {"Accept-Encoding": "gzip, deflate"},
        )
    if (request.content_length or 0) > most:
        raise TooLarge(most)
    await _ask_for_it(request)
    try:
        async with asyncio.timeout(BODY_TIME):
            body = await _received(request, most)
    except TimeoutError:
        raise Refused(
            HTTPStatus.REQUEST_TIMEOUT, "timeout", f"the body must come within {BODY_TIME:g} seconds"
        ) from None
    except (ConnectionError, web.RequestPayloadError) as error:
        raise BadBody(f"the body was cut off: {error}") from None
    if encoding != "identity" and body:
        body = await asyncio.to_thread(inflated, body, encoding, most)
    if too_deep(body):
        raise BadBody(f"the body has more than {MAX_DEPTH} lists and objects inside each other")
    return body


async def expect(request: web.Request) -> None:
    """Let ``Expect: 100-continue`` wait until the body is wanted (aiohttp would answer it before the token is seen)."""


async def _ask_for_it(request: web.Request) -> None:
    """Tell a client that waits to be asked that it may send its body."""
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
    """Return what a body was before it was compressed. Raises TooLarge, as soon as it has more than ``most`` bytes, and
    BadBody.
    """
    raw = encoding == "deflate" and body[0] & 0x0F != zlib.DEFLATED  # some send it without its header
    inflater = zlib.decompressobj(-15 if raw else _WINDOWS[encoding])
    try:
        text = inflater.decompress(body, most + 1)
    except zlib.error as error:
        raise BadBody(f"the body is not {encoding}: {error}") from None
    if len(text) > most:
        raise TooLarge(most)
    if not inflater.eof or inflater.unused_data:
        raise BadBody(f"the body is not {encoding}, or not all of it")
    return text


def too_deep(body: bytes, most: int = MAX_DEPTH) -> bool:
    """Tell whether JSON has more than ``most`` lists and objects inside each other; what is no JSON is not judged."""
    deep = 0
    for bracket in _STRING.sub(b"", body).translate(None, _NO_BRACKET):
        if bracket in b"[{":
            deep += 1
            if deep > most:
                return True
        else:
            deep -= 1
    return False
