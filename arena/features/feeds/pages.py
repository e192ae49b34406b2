# SPDX-License-Identifier: GPL-3.0-or-later
"""The feed of results, the page of an account's webhooks, and the part in the web server."""

import re
from collections.abc import Sequence
from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.accounts.pages import ACCOUNT, VISITOR
from arena.features.accounts.rows import Account
from arena.features.feeds import api
from arena.features.feeds.atom import MEDIA_TYPE, PATH, query_of, write
from arena.features.feeds.part import DISABLED, FeedsPart
from arena.features.feeds.records.results import Wanted
from arena.features.feeds.records.webhooks import FAILED, FAILED_ONCE
from arena.features.feeds.rows import EVENTS
from web.api import games
from web.api.bots import find_bot
from web.api.endpoint import Endpoint, GameName, Number, Query
from web.delivery import respond
from web.feature import Alternate, WebPart
from web.language import Text
from web.pages import show
from web.prefix import base_of

WEBHOOKS = "/webhooks"

_ABOUT = re.compile("/(bot|tournament)s/([0-9]{1,15})")
"""Pages whose subject has a feed of its own."""


class FeedQuery(Query, frozen=True):
    """Parameters of the feed: an entry must fit all filters."""

    game: GameName | None = None
    bot: Number | None = None
    tournament: Number | None = None


async def feed(arena: Arena, request: web.Request, query: FeedQuery) -> web.Response:
    """The newest results as an Atom feed."""
    game = None if query.game is None else games.offered(arena, query.game).name
    if query.bot is not None:
        await find_bot(arena, query.bot)
    if query.tournament is not None:
        await arena.store.tournaments.get(query.tournament)
    wanted, part = Wanted(game, query.bot, query.tournament), arena.part(FeedsPart)
    results = await part.latest.read(wanted, part.now())
    titles = {each.name: each.title for each in arena.registry.games.values()}
    body = write(results, wanted, base_of(request), titles)
    return respond(request, body, MEDIA_TYPE, {"Cache-Control": "no-cache"})


async def webhooks_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """The webhooks of the visitor."""
    data = {
        "webhooks": await api.list_webhooks(arena, account),
        "events": EVENTS,
        "games": await games.list_games(arena),
    }
    return show(request, "feeds/webhooks.js", Text("Webhooks"), data, private=True)


def alternates(path: str) -> Sequence[Alternate]:
    """Return the feeds of a page: that of its bot or tournament, and that of everything."""
    found = [Alternate(PATH, MEDIA_TYPE, "Results")]
    if (about := _ABOUT.fullmatch(path)) is not None:
        number = int(about[2])
        wanted = Wanted(bot=number) if about[1] == "bot" else Wanted(tournament=number)
        address = PATH + query_of(wanted)
        found.insert(0, Alternate(address, MEDIA_TYPE, f"Results of this {about[1]}"))
    return found


PAGES = (
    Endpoint("GET", PATH, feed),
    Endpoint("GET", WEBHOOKS, webhooks_page, access=VISITOR, menus={ACCOUNT: "Webhooks"}),
)

EDGE = WebPart(
    anywhere=True,
    endpoints=(*api.ENDPOINTS, *PAGES),
    static=Path(__file__).parent / "static",
    styles=("feeds/webhooks.css",),
    sentences={
        "feeds/webhooks.js": (FAILED, FAILED_ONCE),
        "accounts/my_bots.js": (DISABLED, FAILED, FAILED_ONCE),
    },
    alternates=alternates,
)
