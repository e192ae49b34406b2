# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that a client need not be sent again: ETags and ``If-None-Match`` (RFC 9110, 13.1.2)."""

import hashlib

from aiohttp import web


def respond(request: web.Request, body: bytes, content_type: str, headers: dict[str, str]) -> web.Response:
    """Return an answer with an ETag, or 304 when the client has it already."""
    etag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {**headers, "ETag": etag}
    if unchanged(request, etag):
        return web.Response(status=304, headers=headers)
    return web.Response(body=body, content_type=content_type, headers=headers, charset="utf-8")


def unchanged(request: web.Request, etag: str) -> bool:
    """Tell whether the client has what it asks for, by its ETag, strong or weak."""
    known = request.headers.get("If-None-Match", "")
    return known == "*" or etag.removeprefix("W/") in (part.strip().removeprefix("W/") for part in known.split(","))
