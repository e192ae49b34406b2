# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of islands on volunteers' machines, and the feature's part of the web server."""

from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.volunteers import api
from arena.features.volunteers.trials import REFUTED
from web.api import games
from web.api.endpoint import Endpoint, One, OnePage
from web.feature import WebPart
from web.language import Text
from web.pages import show

ISLANDS, MIGRATIONS = 500, 200
"""Largest numbers of islands and migrations that come with the page of islands."""


async def all_islands(arena: Arena, request: web.Request) -> web.Response:
    """All islands."""
    data = {
        "games": await games.list_games(arena),
        "islands": await api.list_islands(arena, api.OnePageOfGame(limit=ISLANDS)),
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
        "verifications": await api.list_verifications(arena, OnePage()),
    }
    return show(request, "volunteers/islands.js", Text("Islands"), data)


async def island(arena: Arena, request: web.Request, query: One) -> web.Response:
    """An island."""
    answer = await api.get_island(arena, query)
    data = {
        "games": await games.list_games(arena),
        "island": answer,
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
    }
    return show(request, "volunteers/island.js", answer.name, data)


PAGES = (
    Endpoint("GET", "/islands", all_islands, menu="Islands", group="Build"),
    Endpoint("GET", "/islands/{id}", island),
)

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *PAGES),
    static=Path(__file__).parent / "static",
    styles=("volunteers/islands.css",),
    sentences={f"volunteers/{page}.js": (REFUTED,) for page in ("island", "islands")},
)
