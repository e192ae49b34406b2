# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of the package, and its section on the page about connecting a bot."""

from html import escape
from pathlib import Path
from typing import Annotated

from aiohttp import web
from msgspec import Meta

from arena.application import Arena
from arena.features.sdk_wheel.part import SdkPart
from web.api.endpoint import Answer, Download, Endpoint, Query
from web.assets import ASSETS
from web.delivery import respond
from web.errors import NotFound
from web.feature import ConnectSection, WebPart
from web.prefix import linked

PATH = "/sdk"

_INDEX = """\
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Packages of the SDK</title><link rel="icon" href="{icon}"></head>
<body>
<h1>Packages of the SDK</h1>
{links}</body>
</html>
"""


class OneFile(Query, frozen=True):
    """Parameter: the name of a file."""

    file: Annotated[str, Meta(max_length=200)]


class Installable(Answer, frozen=True):
    """Data of the section."""

    file: str | None
    """The file name of the wheel; None if this installation has none."""


async def index(arena: Arena, request: web.Request) -> web.Response:
    """The list of files with their hashes, as installers of Python packages read it."""
    wheel = await arena.part(SdkPart).wheel()
    links = ""
    if wheel is not None:
        # relative, so that it holds behind a proxy with a path of its own
        folder = "" if request.path.endswith("/") else f"{PATH[1:]}/"
        links = f'<a href="{escape(f"{folder}{wheel.name}#sha256={wheel.sha256}")}">{escape(wheel.name)}</a>\n'
    page = _INDEX.format(links=links, icon=request.app[ASSETS].url("icon.svg"))
    return respond(request, linked(request, page.encode()), "text/html", {"Cache-Control": "no-cache"})


async def download(arena: Arena, query: OneFile) -> Download:
    """Return the wheel of the SDK."""
    part = arena.part(SdkPart)
    wheel = await part.wheel() if query.file == part.name else None
    if wheel is None:
        raise NotFound(f"there is no such file; {PATH} lists the files")
    return Download(body=wheel.content, filename=wheel.name)


async def section(arena: Arena) -> Installable:
    """Return the data of the section. The wheel itself is not needed for it."""
    return Installable(file=arena.part(SdkPart).name)


EDGE = WebPart(
    anywhere=True,
    endpoints=(Endpoint("GET", f"{PATH}{{slash:/?}}", index), Endpoint("GET", f"{PATH}/{{file}}", download)),
    static=Path(__file__).parent / "static",
    connect_sections=(ConnectSection("sdk_wheel/install.js", section),),
)
