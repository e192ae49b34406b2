# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a match for an ``iframe`` of another site: board, players, clocks and replay.

Only this page may be framed. It needs no cookies and no storage of the browser.
"""

from typing import Annotated

import msgspec
from aiohttp import web
from markupsafe import Markup
from msgspec import Meta

from arena.application import Arena
from arena.features.pictures.shown import checked, title_of
from arena.features.pictures.style import Theme
from web.api.endpoint import Number, Query
from web.api.games import describe, recorded
from web.api.matches import OneMatch, get_match
from web.assets import ASSETS
from web.delivery import respond
from web.errors import NotFound
from web.prefix import linked
from web.security import POLICY

SCRIPT = "pictures/embed.js"
STYLES = ("style.css", "board.css", "pictures/embed.css")

_NOWHERE = "frame-ancestors 'none'"
FRAMED = POLICY.replace(_NOWHERE, "frame-ancestors *")
"""The content security policy of a page that every site may frame."""

PAGE = Markup("""\
<!doctype html>
<html lang="en"{theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{title} · Bot Arena</title>
{files}
</head>
{body}
</html>
""")

MATCH = Markup("""\
<body class="embedded">
<main></main>
<noscript><p><a href="/matches/{number}" target="_blank" rel="noopener">{title}</a></p></noscript>
<script type="application/json" id="data">{data}</script>
</body>""")

MISSING = Markup("""\
<body class="embedded">
<main class="missing">
<p>{message}.</p>
<p><a href="/" target="_blank" rel="noopener">Bot Arena</a></p>
</main>
</body>""")


class OneEmbedded(Query, frozen=True):
    """Parameters: a match, and the position that the page shows first. Without a ply: the newest."""

    id: Number
    ply: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    theme: Theme | None = None


async def embedded_match(arena: Arena, request: web.Request, query: OneEmbedded) -> web.Response:
    """A match as a page for an iframe: live view or replay. Without the match, or its moves: a message."""
    try:
        match = await get_match(arena, OneMatch(id=query.id))
        checked(match, query.ply)
    except NotFound as error:
        message = error.message[0].upper() + error.message[1:]
        body = _page(request, query, "Not found", _looks(request), MISSING.format(message=message))
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": FRAMED}
        return web.Response(body=body, content_type="text/html", charset="utf-8", status=error.status, headers=headers)
    game = recorded(match.game)
    data = msgspec.to_builtins(match) | {
        "title": game.title,
        "board": describe(arena.registry, game).board,
        "ply": query.ply,
    }
    # "<" is escaped, so that no text can end the element
    encoded = Markup(msgspec.json.encode(data).decode().replace("<", "\\u003c"))
    title = title_of(match, game.title)
    body = _page(request, query, title, _files(request), MATCH.format(number=match.id, title=title, data=encoded))
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": FRAMED}
    return respond(request, body, "text/html", headers)


def _page(request: web.Request, query: OneEmbedded, title: str, files: Markup, body: Markup) -> bytes:
    """Return a page around its body."""
    theme = Markup(' data-theme="{}"').format(query.theme) if query.theme else ""
    return linked(request, PAGE.format(theme=theme, title=title, files=files, body=body).encode())


def _looks(request: web.Request) -> Markup:
    """Return the elements that load the icon and the style sheets."""
    assets = request.app[ASSETS]
    icon = Markup('<link rel="icon" href="{}" type="image/svg+xml">').format(assets.url("icon.svg"))
    styles = [Markup('<link rel="stylesheet" href="{}">').format(assets.url(name)) for name in STYLES]
    return Markup("\n").join([icon, *styles])


def _files(request: web.Request) -> Markup:
    """Return the elements that load style sheets and scripts."""
    modules = request.app[ASSETS].modules(SCRIPT)
    loaded = [Markup('<link rel="modulepreload" href="{}">').format(each) for each in modules]
    run = Markup('<script type="module" src="{}"></script>').format(modules[0])
    return Markup("\n").join([_looks(request), *loaded, run])
