# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of runners for administrators, and the feature's part in the web server."""

from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.accounts.pages import ADMINISTRATION, ADMINISTRATOR_PAGE
from arena.features.accounts.rows import Account
from arena.features.runners import api
from web.api.endpoint import Endpoint
from web.feature import MatchSection, WebPart
from web.keys import MENUS
from web.language import Text
from web.pages import show


async def runners_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """All runners, for administrators."""
    data = {"menu": request.app[MENUS][ADMINISTRATION], "runners": await api.list_runners(arena)}
    return show(request, "runners/runners.js", Text("Administration: runners"), data, private=True)


PAGES = (
    Endpoint(
        "GET",
        f"{ADMINISTRATION}/runners",
        runners_page,
        access=ADMINISTRATOR_PAGE,
        menus={ADMINISTRATION: "Runners"},
    ),
)

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *PAGES),
    match_sections=(MatchSection("runners/match.js", wanted=api.has_runners),),
    static=Path(__file__).parent / "static",
)
