# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of pictures: positions as SVG and PNG, games as animated GIF; and the part in the web server."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from aiohttp import web
from msgspec import Meta

from arena.application import Arena
from arena.features.pictures.cards import meta_tags
from arena.features.pictures.drawing import document, frame
from arena.features.pictures.embedding import embedded_match
from arena.features.pictures.part import PicturesPart, key_of
from arena.features.pictures.process import Form, Job
from arena.features.pictures.shown import Shown, position_of, positions_of
from arena.features.pictures.style import Theme
from web.api.endpoint import Endpoint, Number, Query
from web.api.matches import Seat
from web.assets import ASSETS
from web.delivery import unchanged
from web.feature import MatchSection, WebPart

MOST_FRAMES = 200
"""Positions in one animation."""

WIDTH, WIDEST = 600, 1200
"""Pixels of a PNG picture: without a parameter, and at most."""

GIF_WIDTH, GIF_WIDEST = 360, 480
"""Pixels of an animation."""

STYLED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Content security policy of an SVG document, which has its style sheet inside."""

Ply = Annotated[int, Meta(ge=0, le=100_000)]


class OnePosition(Query, frozen=True):
    """Parameters: a position of a match. Without a ply: the newest."""

    id: Number
    ply: Ply | None = None
    seat: Seat | None = None
    theme: Theme | None = None


class OnePicture(OnePosition, frozen=True):
    """Parameters: a position, and the width of its picture in pixels."""

    width: Annotated[int, Meta(ge=64, le=WIDEST)] = WIDTH


class OneAnimation(Query, frozen=True):
    """Parameters: a range of plies of a match, and the picture's width in pixels."""

    id: Number
    start: Ply | None = None
    end: Ply | None = None
    seat: Seat | None = None
    theme: Theme = "light"
    width: Annotated[int, Meta(ge=64, le=GIF_WIDEST)] = GIF_WIDTH


async def position_svg(arena: Arena, request: web.Request, query: OnePosition) -> web.Response:
    """A position of a match as an SVG picture."""
    shown = await position_of(arena, query.id, query.ply, query.seat)
    title = f"{shown.title}, ply {shown.first}"
    text = document(request.app[ASSETS], shown.board, shown.positions[0], title, query.theme)
    headers = {"Content-Security-Policy": STYLED}
    return await _answer(request, key_of(text), partial(_encoded, text), "image/svg+xml", headers)


async def position_png(arena: Arena, request: web.Request, query: OnePicture) -> web.Response:
    """A position of a match as a PNG picture."""
    shown = await position_of(arena, query.id, query.ply, query.seat)
    return await _rendered(arena, request, shown, "png", query.width, query.theme or "light")


async def game_gif(arena: Arena, request: web.Request, query: OneAnimation) -> web.Response:
    """A game as an animated GIF picture: at most 200 positions, chosen by ``start`` and ``end``."""
    shown = await positions_of(arena, query.id, query.start, query.end, MOST_FRAMES, query.seat)
    return await _rendered(arena, request, shown, "gif", query.width, query.theme)


async def _rendered(
    arena: Arena, request: web.Request, shown: Shown, form: Form, width: int, theme: Theme
) -> web.Response:
    assets = request.app[ASSETS]

    def make() -> Job:
        frames = [frame(assets, shown.board, position, theme) for position in shown.positions]
        return Job(form, width, frames)

    # the drawings depend on nothing else; the version of the files is that of shapes and colours
    key = key_of(assets.version, form, width, theme, shown.board, list(shown.positions))
    return await _answer(request, key, partial(arena.part(PicturesPart).picture, key, make), f"image/{form}")


async def _answer(
    request: web.Request,
    key: str,
    make: Callable[[], Awaitable[bytes]],
    media_type: str,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> web.Response:
    """Return a picture with an ETag, or status 304 if the client's copy is current; then nothing is drawn."""
    etag = f'W/"{key}"'
    known = {"ETag": etag, "Cache-Control": "no-cache", **headers}
    if unchanged(request, etag):
        return web.Response(status=304, headers=known)
    return web.Response(body=await make(), content_type=media_type, headers=known)


async def _encoded(text: str) -> bytes:
    return text.encode()


EDGE = WebPart(
    anywhere=True,
    endpoints=(
        Endpoint("GET", "/matches/{id}/position.svg", position_svg),
        Endpoint("GET", "/matches/{id}/position.png", position_png),
        Endpoint("GET", "/matches/{id}/game.gif", game_gif),
        Endpoint("GET", "/embed/matches/{id}", embedded_match),
    ),
    match_sections=(MatchSection("pictures/section.js"),),
    meta_tags=meta_tags,
    static=Path(__file__).parent / "static",
)
