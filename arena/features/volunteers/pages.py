# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of islands (demes) on volunteers' machines."""

from aiohttp import web

from arena.application import Arena
from arena.features.volunteers import api
from web.api import games
from web.api.endpoint import Endpoint, One, OnePage
from web.pages import show

DEMES, MIGRATIONS = 500, 200
"""Largest numbers of islands and migrations that come with the page of islands."""


async def all_demes(arena: Arena, request: web.Request) -> web.Response:
    """All islands."""
    data = {
        "games": await games.list_games(arena),
        "demes": await api.list_demes(arena, api.OnePageOfGame(limit=DEMES)),
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
        "exams": await api.list_exams(arena, OnePage()),
    }
    return show(request, "volunteers/islands.js", "Islands", data)


async def deme(arena: Arena, request: web.Request, query: One) -> web.Response:
    """An island."""
    answer = await api.get_deme(arena, query)
    data = {
        "games": await games.list_games(arena),
        "deme": answer,
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
    }
    return show(request, "volunteers/island.js", answer.name, data)


PAGES = (Endpoint("GET", "/islands", all_demes, menu="Islands"), Endpoint("GET", "/islands/{id}", deme))
