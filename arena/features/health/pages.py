# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of quarantines: a section of a bot's page, and administration; and the part in the web server."""

from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.accounts.pages import ADMINISTRATION, ADMINISTRATOR_PAGE
from arena.features.accounts.rows import Account
from arena.features.health import api
from arena.features.health.judging import SENTENCES
from arena.features.health.part import LIFT, MATCHES, NOTICE, QUARANTINE, STATE, VALIDATION, HealthPart
from arena.features.health.records import ACCEPTED, BY_HAND
from arena.store.rows import BotRow
from web.api.endpoint import Answer, Endpoint, OnePage
from web.feature import BotSection, WebPart
from web.keys import MENUS
from web.language import Text
from web.pages import show

LISTED = 500
"""Quarantines that come with their page of administration."""


class Quarantines(Answer, frozen=True):
    """What everybody sees of a bot's quarantines."""

    count: int
    """Quarantines so far; its owner and administrators ask for them."""


async def quarantines_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """All bots in quarantine, for administrators."""
    listed = await api.list_quarantines(arena, OnePage(limit=LISTED))
    data = {"menu": request.app[MENUS][ADMINISTRATION], "quarantines": listed}
    return show(request, "health/quarantines.js", Text("Administration: quarantine"), data, private=True)


async def _section(arena: Arena, bot: BotRow) -> Quarantines:
    rows = await arena.part(HealthPart).records.of_bot(bot.id, api.LISTED)
    return Quarantines(count=len(rows))


PAGES = (
    Endpoint(
        "GET",
        f"{ADMINISTRATION}/quarantine",
        quarantines_page,
        access=ADMINISTRATOR_PAGE,
        menus={ADMINISTRATION: "Quarantine"},
    ),
)

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *PAGES),
    bot_sections=(BotSection("health/section.js", _section),),
    static=Path(__file__).parent / "static",
    exclusions=(STATE,),
    sentences={
        **dict.fromkeys(("uploads/version.js", "uploads/queue.js", "uploads/owned.js"), SENTENCES),
        "health/quarantines.js": SENTENCES,
        "health/bot_quarantines.js": (*SENTENCES, BY_HAND, ACCEPTED),
        "accounts/my_bots.js": (*SENTENCES, NOTICE),
        "accounts/audit_log.js": (QUARANTINE, LIFT, MATCHES, VALIDATION),
    },
)
