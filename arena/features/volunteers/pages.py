# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of islands (demes) on volunteers' machines."""

from aiohttp import web

from arena.features.volunteers import api
from web.api import games
from web.api.route import One, OnePage
from web.feature import PageHandler
from web.keys import ARENA
from web.pages import show, wanted

DEMES, MIGRATIONS = 500, 200
"""Largest numbers of islands and migrations that come with the page of islands."""


async def all_demes(request: web.Request) -> web.Response:
    """All islands."""
    arena = request.app[ARENA]
    data = {
        "games": await games.list_games(arena, games.AllGames()),
        "demes": await api.list_demes(arena, api.OnePageOfGame(limit=DEMES)),
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
        "exams": await api.list_exams(arena, OnePage()),
    }
    return show(request, "volunteers/islands.js", "Islands", data)


async def deme(request: web.Request) -> web.Response:
    """An island."""
    arena = request.app[ARENA]
    answer = await api.get_deme(arena, wanted(One, request))
    data = {
        "games": await games.list_games(arena, games.AllGames()),
        "deme": answer,
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
    }
    return show(request, "volunteers/island.js", answer.name, data)


PAGES: dict[str, PageHandler] = {"/islands": all_demes, "/islands/{id}": deme}
