# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP cache revalidation by ETags and ``If-None-Match`` (RFC 9110, 13.1.2)."""

import hashlib

from aiohttp import web


def respond(request: web.Request, body: bytes, content_type: str, headers: dict[str, str]) -> web.Response:
    """Return an answer with an ETag, or status 304 if the client's copy is current."""
    etag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {**headers, "ETag": etag}
    if unchanged(request, etag):
        return web.Response(status=304, headers=headers)
    return web.Response(body=body, content_type=content_type, headers=headers, charset="utf-8")


def unchanged(request: web.Request, etag: str) -> bool:
    """Return whether the client's copy is current, by its strong or weak ETag."""
    known = request.headers.get("If-None-Match", "")
    return known == "*" or etag.removeprefix("W/") in (part.strip().removeprefix("W/") for part in known.split(","))
