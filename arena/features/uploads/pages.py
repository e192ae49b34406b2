# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of uploads: submitting a bot, a version with its validation, administration; and the part in the web server."""

from pathlib import Path
from typing import Annotated

from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.api import own
from arena.features.accounts.pages import ADMINISTRATION, ADMINISTRATOR_PAGE, MY_BOTS, VISITOR
from arena.features.accounts.rows import Account
from arena.features.uploads import api
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.records.versions import NoResult
from arena.store.rows import BotRow
from web.api import games
from web.api.endpoint import Answer, Endpoint, GameName, Query
from web.feature import BotSection, WebPart
from web.keys import MENUS
from web.language import Text
from web.pages import show

LISTED = 500
"""Uploads that come with their page of administration."""


class SubmitPage(Query, frozen=True):
    """Parameters of the page that submits a bot."""

    bot: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """The bot that gets a new version."""


class BuildPage(Query, frozen=True):
    """Parameters of the page that builds a data bot."""

    bot: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """The bot that gets a new version."""
    game: GameName | None = None
    """The game that is chosen first."""


class BotChoice(Struct, frozen=True):
    """A bot of the account."""

    id: int
    name: str


class Nothing(Answer, frozen=True):
    """The public page of a bot has no data of its uploads: its script asks for them where somebody may see them."""


async def submit_page(arena: Arena, request: web.Request, account: Account, query: SubmitPage) -> web.Response:
    """The form that uploads a bot."""
    part = arena.part(UploadsPart)
    data = {
        "games": await games.list_games(arena),
        **await _targets(arena, account, query.bot),
        "most": part.settings.upload_bytes,
        "approval": part.approval,
        "refused": part.refusal,
    }
    return show(request, "uploads/submit.js", Text("Submit a bot"), data, private=True)


async def build_page(arena: Arena, request: web.Request, account: Account, query: BuildPage) -> web.Response:
    """The form that builds a data bot."""
    data = {
        "options": await api.list_data_bot_options(arena),
        "game": query.game,
        **await _targets(arena, account, query.bot),
    }
    return show(request, "uploads/build.js", Text("Build a bot"), data, private=True)


async def _targets(arena: Arena, account: Account, wanted: int | None) -> dict[str, object]:
    """Return the bots of an account that can get a new version, and the wanted one if it is among them."""
    bots = [BotChoice(bot.id, bot.name) for bot in (await own.list_own_bots(arena, account)).items]
    return {"bots": bots, "bot": wanted if wanted in [bot.id for bot in bots] else None}


async def version_page(arena: Arena, request: web.Request, account: Account, query: api.OneUpload) -> web.Response:
    """An uploaded version, for its owner and administrators."""
    version = await api.get_version(arena, account, query)
    data = {
        "version": version,
        "games": await games.list_games(arena),
        "administrator": "administer" in account.scopes,
    }
    return show(
        request, "uploads/version.js", Text("{0}, version {1}", version.name, version.version), data, private=True
    )


async def uploads_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """All uploads, for administrators."""
    listed = await api.list_uploads(arena, api.PageOfUploads(limit=LISTED))
    data = {"menu": request.app[MENUS][ADMINISTRATION], "uploads": listed}
    return show(request, "uploads/queue.js", Text("Administration: uploads"), data, private=True)


async def _section(arena: Arena, bot: BotRow) -> Nothing:
    return Nothing()


PAGES = (
    Endpoint(
        "GET",
        "/submit",
        submit_page,
        access=VISITOR,
        menu="Submit a bot",
        group="Build",
        menus={MY_BOTS: "Submit a bot", "/connect": "Submit a bot"},
    ),
    Endpoint(
        "GET", "/submit/build", build_page, access=VISITOR, menus={MY_BOTS: "Build a bot", "/connect": "Build a bot"}
    ),
    Endpoint("GET", "/bots/{id}/versions/{version}", version_page, access=VISITOR),
    Endpoint(
        "GET",
        f"{ADMINISTRATION}/uploads",
        uploads_page,
        access=ADMINISTRATOR_PAGE,
        menus={ADMINISTRATION: "Uploads"},
    ),
)

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *PAGES),
    bot_sections=(BotSection("uploads/section.js", _section),),
    static=Path(__file__).parent / "static",
    styles=("uploads/uploads.css",),
    sentences={f"uploads/{page}.js": tuple(NoResult) for page in ("version", "queue", "owned")},
)
