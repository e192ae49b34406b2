# SPDX-License-Identifier: GPL-3.0-or-later
"""The page with the form of a new tournament, and the part in the web server."""

from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.accounts.access import identify
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.rows import Account
from arena.tournaments.machine.format_fields import declarations
from web.api import games
from web.api.endpoint import Endpoint
from web.feature import WebPart
from web.language import Text, spoken_to
from web.pages import show


async def new_tournament_page(arena: Arena, request: web.Request) -> web.Response:
    """The form of a new tournament; other visitors than organisers read why they cannot use it."""
    account = await identify(request)
    refused = _refused(arena, account)
    data = {
        "games": await games.list_games(arena),
        "formats": declarations(),
        "account": account is not None,
        "refused": refused and spoken_to(request, refused),
    }
    return show(request, "organising/new_tournament.js", Text("Create a tournament"), data, private=True)


def _refused(arena: Arena, account: Account | None) -> Text | None:
    """Return why a visitor cannot create tournaments, for people; None if the visitor can."""
    if account is None:
        return Text("Organisers and administrators create tournaments. Sign in with such an account.")
    if "organise" in account.scopes:
        return None
    if arena.part(AccountsPart).lacks_second_factor(account):
        return Text(
            "Your role needs a second factor before you can create tournaments. Set it up on the page of your account."
        )
    return Text(
        "Your account has the role {0}. Organisers and administrators create tournaments. "
        "An administrator can change your role.",
        account.role,
    )


PAGES = (
    Endpoint(
        "GET",
        "/tournaments/new",
        new_tournament_page,
        menus={"/tournaments": "Create a tournament", "/tournaments/{id}": "Create another like this"},
    ),
)

EDGE = WebPart(endpoints=PAGES, static=Path(__file__).parent / "static", styles=("organising/organising.css",))
