# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of islands (demes) on volunteers' machines."""

from aiohttp import web

from arena.features.volunteers import api
from web.api import games
from web.api.route import One, OnePage
from web.feature import PageHandler
from web.keys import ARENA
from web.pages import show, wanted

DEMES, MIGRATIONS = 500, 200
"""That come with the page of demes, at most: as many as the API lists at once, and the newest."""


async def all_demes(request: web.Request) -> web.Response:
    """What is bred on volunteers' machines."""
    arena = request.app[ARENA]
    data = {
        "games": await games.list_games(arena, games.AllGames()),
        "demes": await api.list_demes(arena, api.OnePageOfGame(limit=DEMES)),
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
        "exams": await api.list_exams(arena, OnePage()),
    }
    return show(request, "volunteers/demes.js", "Demes", data)


async def deme(request: web.Request) -> web.Response:
    """A deme on a volunteer's machine."""
    arena = request.app[ARENA]
    answer = await api.get_deme(arena, wanted(One, request))
    data = {
        "games": await games.list_games(arena, games.AllGames()),
        "deme": answer,
        "migrations": await api.list_migrations(arena, api.OnePageOfGame(limit=MIGRATIONS)),
    }
    return show(request, "volunteers/deme.js", answer.name, data)


PAGES: dict[str, PageHandler] = {"/demes": all_demes, "/demes/{id}": deme}
