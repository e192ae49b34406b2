# SPDX-License-Identifier: GPL-3.0-or-later
"""Compression of answers by gzip: off the event loop, a few at a time, in turn for all addresses.

``web.delivery`` compresses an answer when its bytes are counted already (``web.flights``), so what waits here is within
the bounds of answers in flight. Whoever asked pays for the thread (``arena.spending``).
"""

import asyncio
import re
import time
import zlib

from aiohttp import web

from arena.spending import SPEND
from web.places import Places

GZIP = "gzip"

SMALL = 1400
"""Bytes of a body that go into one packet anyway."""

SHORT = 16_384
"""Bytes of a body that are compressed at once: that takes less than a millisecond, as a thread would."""

LEVEL = 5
"""Of zlib: 1 is the fastest, 9 the smallest."""

_SLICE = 65_536
_WINDOW = 31
"""Of zlib: the largest, with a header of gzip."""

_ZERO = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")
"""The weight of a coding that a client does not take."""

_TYPES = ("text/", "application/json", "application/xml", "image/svg+xml")
"""What media types that gain by compression begin with."""

PLACES = Places(2)
"""For compressing in threads."""


def takes_gzip(request: web.BaseRequest) -> bool:
    """Tell whether a client takes gzip (``Accept-Encoding``, RFC 9110, 12.5.3)."""
    taken = dict[str, bool]()
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        coding, _, weight = part.partition(";")
        taken[coding.strip()] = _ZERO.fullmatch(weight) is None
    return taken.get(GZIP, taken.get("*", False))


async def compress(request: web.BaseRequest, response: web.StreamResponse) -> bool:
    """Compress the body of an answer where that helps and the client takes it; tell whether it is compressed now."""
    if not _worth_it(request, response) or not isinstance(response, web.Response):
        return False
    response.headers["Vary"] = "Accept-Encoding"
    if not takes_gzip(request):
        return False
    body = response.body
    assert isinstance(body, bytes), "what else is sent is not worth it"
    if len(body) <= SHORT:
        packed: bytes | None = gzipped(body)
    else:
        async with PLACES.taken(patient=True):
            packed, seconds = await asyncio.to_thread(_timed, body)
        SPEND.get()(seconds)
    if packed is None:
        return False
    response.body = packed
    response.headers["Content-Encoding"] = GZIP
    return True


def gzipped(body: bytes) -> bytes | None:
    """Return a body compressed, or None where that is not smaller. Never holds more than twice the body."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, _WINDOW)
    parts, size = list[bytes](), 0
    view = memoryview(body)
    for start in range(0, len(view), _SLICE):
        parts.append(compressor.compress(view[start : start + _SLICE]))
        size += len(parts[-1])
        if size >= len(body):
            return None
    packed = b"".join([*parts, compressor.flush()])
    return packed if len(packed) < len(body) else None


def _timed(body: bytes) -> tuple[bytes | None, float]:
    """Return a body compressed, and the seconds of a processor that it took."""
    began = time.thread_time()
    return gzipped(body), time.thread_time() - began


def _worth_it(request: web.BaseRequest, response: web.StreamResponse) -> bool:
    return (
        isinstance(response, web.Response)
        and request.method in ("GET", "HEAD")
        and isinstance(response.body, bytes)
        and len(response.body) > SMALL
        and "Content-Encoding" not in response.headers
        and response.content_type.startswith(_TYPES)
    )
