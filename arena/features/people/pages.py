# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on which a person chooses a match, and the part in the web server."""

from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.people import api, learning
from web.api import games
from web.api.endpoint import Endpoint
from web.feature import MatchSection, WebPart
from web.language import Text
from web.pages import show


async def play_page(arena: Arena, request: web.Request) -> web.Response:
    """The form that starts a match of a person."""
    data = {"games": await games.list_games(arena), "opponents": await api.list_opponents(arena)}
    return show(request, "people/play.js", Text("Play"), data)


PAGES = (Endpoint("GET", "/play", play_page, menu="Play", group="Play", symbol="M8 5v14l11-7z"),)

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *learning.ENDPOINTS, *PAGES),
    match_sections=(MatchSection("people/seat.js"),),
    static=Path(__file__).parent / "static",
    styles=("people/people.css",),
)
