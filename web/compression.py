# SPDX-License-Identifier: GPL-3.0-or-later
"""Gzip compression of answers: in threads, a few at a time; waiting client addresses take turns.

``web.delivery`` counts an answer (``web.answer_limits``) before it compresses it, so waiting answers are within the
memory limits. The time of the thread is charged to the client (``arena.spending``).
"""

import asyncio
import re
import time
import zlib

from aiohttp import web

from arena.spending import SPEND
from web.answer_limits import FairSemaphore

GZIP = "gzip"

SMALL = 1400
"""Bodies up to this many bytes fit into one packet and are not compressed."""

SHORT = 16_384
"""Bodies up to this many bytes are compressed on the event loop, in less than a millisecond."""

LEVEL = 5
"""zlib's compression level: 1 is the fastest, 9 the smallest."""

_SLICE = 65_536
_WINDOW = 31
"""zlib's window parameter: the largest window, with a gzip header."""

_ZERO = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")
"""Quality value 0: the client does not accept the coding."""

_TYPES = ("text/", "application/json", "application/xml", "image/svg+xml")
"""Prefixes of media types that compress well."""

THREADS = FairSemaphore(2)
"""Limits the threads that compress."""


def takes_gzip(request: web.BaseRequest) -> bool:
    """Return whether a client accepts gzip (``Accept-Encoding``, RFC 9110, 12.5.3)."""
    taken = dict[str, bool]()
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        coding, _, weight = part.partition(";")
        taken[coding.strip()] = _ZERO.fullmatch(weight) is None
    return taken.get(GZIP, taken.get("*", False))


async def compress(request: web.BaseRequest, response: web.StreamResponse) -> bool:
    """Compress the body of an answer if that helps and the client accepts it; return whether it is compressed."""
    if not _worth_it(request, response) or not isinstance(response, web.Response):
        return False
    response.headers["Vary"] = ", ".join(filter(None, (response.headers.get("Vary"), "Accept-Encoding")))
    if not takes_gzip(request):
        return False
    body = response.body
    assert isinstance(body, bytes), "only answers with bytes are compressed"
    if len(body) <= SHORT:
        packed: bytes | None = gzipped(body)
    else:
        async with THREADS.taken(patient=True):
            packed, seconds = await asyncio.to_thread(_timed, body)
        SPEND.get()(seconds)
    if packed is None:
        return False
    response.body = packed
    response.headers["Content-Encoding"] = GZIP
    return True


def gzipped(body: bytes) -> bytes | None:
    """Return a compressed body, or None if it is not smaller. Uses at most twice the memory of the body."""
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
    """Return a compressed body and the processor seconds of its compression."""
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
