# SPDX-License-Identifier: GPL-3.0-or-later
"""The path prefix of an arena that shares its host name with other programs behind a reverse proxy, such as ``/arena``.

The code of the server and of its pages writes paths without the prefix. This module removes it from requests and adds
it to the answers that browsers follow: links of HTML pages and redirects. Requests without the prefix are accepted, for
proxies that remove it, and for programs on the same machine. The prefix is a setting and never read from a request:
other pages and mails contain addresses, and a header of a request could forge them.
"""

import re
from collections.abc import Callable, Iterable

from aiohttp import hdrs, web
from aiohttp.http import RawRequestMessage

from web.clients import client_of

PATH_PREFIX = web.AppKey("path_prefix", str)
"""The path prefix; "" for none."""

_SEGMENT = r"/[A-Za-z0-9._~-]+"
_PREFIX = re.compile(f"({_SEGMENT})+")
_LINK = re.compile(rb'(?<=[ \n])(href|src|action)="/(?!/)')
"""A path in an attribute. Texts of a page cannot contain it, because they escape quotation marks."""


def check_prefix(text: str, paths: Iterable[str]) -> str:
    """Return the setting ``path_prefix`` in normal form. Raises ValueError if it is invalid, or if ``paths``, those of
    the arena, begin like it: then addresses would be ambiguous.
    """
    prefix = text.strip().rstrip("/")
    if not prefix:
        return ""
    if not _PREFIX.fullmatch(prefix) or {".", ".."} & set(prefix.split("/")):
        raise ValueError(f"path_prefix must be a path such as /arena (got {text[:60]!r})")
    first = _first(prefix)
    if any(_first(path) == first for path in paths):
        raise ValueError(f"path_prefix must not begin with a path of the arena itself, such as /{first}")
    return prefix


def _first(path: str) -> str:
    return path.split("/", 2)[1]


def without_prefix(message: RawRequestMessage, prefix: str) -> RawRequestMessage:
    """Return a request without the prefix of its path."""
    path = message.url.raw_path
    if path != prefix and not path.startswith(f"{prefix}/"):
        return message
    url = message.url.with_path(path[len(prefix) :] or "/", encoded=True, keep_query=True)
    return message._replace(url=url, path=str(url))


def request_factory(make: Callable[..., web.BaseRequest], prefix: str) -> Callable[..., web.BaseRequest]:
    """Return a factory of aiohttp's requests that removes the prefix first."""
    if not prefix:
        return make

    def made(message: RawRequestMessage, *others: object, **options: object) -> web.BaseRequest:
        return make(without_prefix(message, prefix), *others, **options)

    return made


def linked(request: web.Request, page: bytes) -> bytes:
    """Return an HTML page with the prefix in its links."""
    prefix = request.app[PATH_PREFIX].encode()
    return _LINK.sub(rb'\1="' + prefix + rb"/", page) if prefix else page


async def add_prefix(request: web.Request, response: web.StreamResponse) -> None:
    """Add the prefix to the address of a redirect (handler of ``on_response_prepare``)."""
    location = response.headers.get(hdrs.LOCATION, "")
    if location.startswith("/"):
        response.headers[hdrs.LOCATION] = request.app[PATH_PREFIX] + location


def base_of(request: web.Request) -> str:
    """Return the address of the arena as the client of a request sees it, without a slash at its end."""
    return f"{client_of(request).scheme}://{request.host}{request.app[PATH_PREFIX]}"


def cookie_path(request: web.Request) -> str:
    """Return the path of the arena's cookies: programs beside the arena on its host receive none of them."""
    return request.app[PATH_PREFIX] or "/"


def cookie_name(request: web.Request, name: str) -> str:
    """Return the name of a cookie that nobody but the server of this host name can set by HTTPS. Browsers accept names
    with ``__Host-`` only for the path ``/``, so below a prefix the name begins with ``__Secure-``.
    """
    if client_of(request).scheme != "https":
        return name
    return f"__Secure-{name}" if request.app[PATH_PREFIX] else f"__Host-{name}"
