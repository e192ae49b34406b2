# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of the documentation, and the page of an arena without it."""

from pathlib import Path
from typing import Annotated

from aiohttp import web
from msgspec import Meta

from arena.application import Arena
from arena.data_directory import checkout
from arena.features.docs_site.part import DocsPart
from web.api.endpoint import Answer, Endpoint, Query
from web.assets import FOR_EVER
from web.delivery import unchanged
from web.errors import NotFound
from web.feature import WebPart
from web.language import Text
from web.pages import show

PATH = "/docs"


class OneDocument(Query, frozen=True):
    """Parameter: the path of a page or file below the documentation."""

    path: Annotated[str, Meta(max_length=500)]


class Missing(Answer, frozen=True):
    """Data of the page of an arena without documentation."""

    checkout: bool
    """Whether the arena runs from a checkout, where a command builds the documentation."""


async def index(arena: Arena, request: web.Request) -> web.StreamResponse:
    """The documentation, or how to get it."""
    if await arena.part(DocsPart).exists():
        raise _slash(request)
    return _missing(request)


async def document(arena: Arena, request: web.Request, query: OneDocument) -> web.StreamResponse:
    """A page or a file of the documentation."""
    part = arena.part(DocsPart)
    found = await part.read(query.path)
    if found is None:
        if await part.is_folder(query.path):
            raise _slash(request)
        if await part.exists():
            raise NotFound(f"the documentation has no page {query.path[:100]!r}; {PATH}/ has its contents and a search")
        if not query.path:
            return _missing(request)
        raise NotFound(f"this arena has no documentation; {PATH} says how to build it")
    headers = {"ETag": found.etag, "Cache-Control": FOR_EVER if found.lasting else "no-cache"}
    if found.policy:
        headers["Content-Security-Policy"] = found.policy
    if unchanged(request, found.etag):
        return web.Response(status=304, headers=headers)
    charset = None if found.media_type == "image/png" else "utf-8"
    return web.Response(body=found.body, content_type=found.media_type, charset=charset, headers=headers)


def _missing(request: web.Request) -> web.StreamResponse:
    """Return the page of an arena without documentation."""
    return show(request, "docs_site/missing.js", Text("Documentation"), Missing(checkout=checkout() is not None))


def _slash(request: web.Request) -> web.HTTPFound:
    """Return a redirect to the same path with a slash at its end: links of a page are relative to it."""
    url = request.rel_url
    return web.HTTPFound(url.with_path(f"{url.raw_path}/", encoded=True, keep_query=True))


EDGE = WebPart(
    anywhere=True,
    endpoints=(
        Endpoint("GET", PATH, index, menu="Documentation", group="Build"),
        Endpoint("GET", f"{PATH}/{{path:.*}}", document),
    ),
    static=Path(__file__).parent / "static",
)
