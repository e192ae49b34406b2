# SPDX-License-Identifier: GPL-3.0-or-later
"""HTML pages: one template with the API's answer embedded, so that a page paints from its first response."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

import jinja2
import msgspec
from aiohttp import web
from markupsafe import Markup
from msgspec import Meta

from arena.application import Arena
from arena.rating import assessment
from arena.store.rows import BotOrder
from web import first_paint, keys
from web.api import bots, encounters, exports, games, leaderboard, matches, openapi, tournaments
from web.api.endpoint import Endpoint, GameName, One, OnePage, Query
from web.assets import ASSETS
from web.delivery import respond
from web.drawing import scripts_of
from web.errors import BadRequest, NotFound, RequestError
from web.feature import (
    ALTERNATES,
    BOT_SECTIONS,
    CONNECT_SECTIONS,
    HEADER_LINKS,
    LOBBY_SECTIONS,
    MATCH_SECTIONS,
    META_TAGS,
)
from web.language import ENGLISH, VARY, Text, codes, current, in_context, language_of, plural, speaking, spoken, t
from web.navigation import NAVIGATION
from web.prefix import linked

LOBBY_BOARDS = 64
"""Live boards in the lobby; the script follows the same number."""

RECENT = 20
"""Matches on a bot's page."""

B = TypeVar("B", bound=bots.BotAnswer)

_NONE = matches.MatchesAnswer(items=[], next=None, previous=None)

templates = jinja2.Environment(
    loader=jinja2.PackageLoader("web"), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
)
templates.filters.update(first_paint.FILTERS)
templates.globals |= {"t": t, "plural": plural, "in_context": in_context, "language": current, "codes": codes}


class LobbyPage(Query, frozen=True):
    """Parameters of the lobby; without a game: all games."""

    game: GameName | None = None


class MatchesPage(matches.SomeMatches, frozen=True):
    """Parameters of the list of matches: the API's, and the name of a bot."""

    status: matches.Status = "all"
    name: Annotated[str, Meta(max_length=200)] = ""
    """Name of a bot; the page redirects to the address with the bot's number."""


class LeaderboardPage(leaderboard.FilteredLeaders, frozen=True):
    """Parameters of the leaderboard; without a game: the first game."""

    game: GameName | None = None
    time_class: leaderboard.TimeClass | None = None
    system: leaderboard.SystemName = assessment.DEFAULT
    top: leaderboard.Players = 12
    """Number of bots in the matrix of likelihoods."""


async def lobby(arena: Arena, request: web.Request, query: LobbyPage) -> web.Response:
    """The lobby: live matches and latest results."""
    name = query.game
    if name is not None:
        games.offered(arena, name)
    played = await games.list_games(arena)
    seen = arena.lobby(name, LOBBY_BOARDS)
    offered = {game.name: game for game in played.items}
    first = {"games": offered, "game": name, "lobby": seen} | first_paint.lobby_values(seen, offered)
    sections = request.app[LOBBY_SECTIONS]
    data = {
        "games": played,
        "game": name,
        "lobby": seen,
        "sections": [
            {"script": request.app[ASSETS].url(section.script), "data": await section.data(arena, name)}
            for section in sections
        ],
    }
    scripts = [section.script for section in sections] + scripts_of([game.board for game in played.items])
    return _page(request, "lobby", Text("Lobby"), data, first, imported=scripts)


async def all_matches(arena: Arena, request: web.Request, query: MatchesPage) -> web.Response:
    """The list of matches, newest first."""
    unknown = None
    if "name" in request.query:
        name = query.name.strip()
        found = await arena.store.bots.named(name)
        if found or not name:
            raise _again(request, name=None, bot=found.id if found else query.bot)
        unknown = name
    # no bot has this name: list nothing
    shown = _NONE if unknown else await matches.list_matches(arena, query)
    if query.before is not None and len(shown.items) < query.limit:
        raise _again(request, before=None)  # the newest matches: show a full page
    bot = await bots.find_bot(arena, query.bot) if query.bot else None
    tournament = await arena.store.tournaments.get(query.tournament) if query.tournament else None
    data = {
        "games": await games.list_games(arena),
        "asked": query,
        "unknown": unknown,
        "matches": shown,
        "bot": bot and bot.name,
        "tournament": tournament and tournament.name,
        "exports": exports.formats(*([query.game] if query.game else arena.registry.games)),
    }
    return _page(request, "matches", Text("Matches"), data)


class MatchPage(One, frozen=True):
    """Parameters of the page of a match."""

    ply: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    """The position to show; without it the newest."""
    seat: matches.Seat | None = None
    """Show what this seat saw, if that is public; else, and without it, the view of everybody."""


async def match(arena: Arena, request: web.Request, query: MatchPage) -> web.Response:
    """A match: live view or replay."""
    try:
        answer = await matches.get_match(arena, matches.OneMatch(id=query.id, seat=query.seat))
    except BadRequest:  # the match has no such view, or not yet
        answer = await matches.get_match(arena, matches.OneMatch(id=query.id))
    views = matches.has_views(answer)
    if query.ply is not None and query.ply > answer.plies:
        have = f"match {answer.id} has {answer.plies} plies" + (" so far" if answer.status == "live" else "")
        raise NotFound(f"{have}, and there is no ply {query.ply}; /matches/{answer.id} shows the newest position")
    at = await matches.shown_move(arena, answer, query.ply)
    event = None if answer.tournament is None else await arena.store.tournaments.get(answer.tournament)
    title = " – ".join(player.name for player in answer.players if player.name) or Text("Match {0}", answer.id)
    game = games.recorded(answer.game)
    board = games.describe(arena.registry, game).board
    if answer.pruned:
        data = msgspec.to_builtins(answer) | {"title": game.title, "board": board, "event": event and event.name}
        return _page(request, "pruned", title, data, about=answer)
    sections = [
        each
        for each in request.app[MATCH_SECTIONS]
        if (game.perfect_information or not each.searches)
        and (each.wanted is None or await each.wanted(arena, answer.id))
    ]
    scripts = [section.script for section in sections]
    data = msgspec.to_builtins(answer) | {
        "title": game.title,
        "board": board,
        "scale": game.scale,
        "hidden_information": game.secrets is not None,
        "views": not game.perfect_information,
        "exports": exports.formats(answer.game),
        "at": at,
        "event": event and event.name,
        "sections": [request.app[ASSETS].url(script) for script in scripts],
    }
    first = first_paint.match_values(answer, board, query.ply, at) | {
        "heading": game.title,
        "event": event,
        "views": views,
        "below": sum(section.below for section in sections),
    }
    live = ["match/following.js"] if answer.status == "live" else []
    imported = [*scripts, *live, *scripts_of([board])]
    return _page(request, "match", title, data, first, about=answer, imported=imported)


async def game(arena: Arena, request: web.Request, query: games.OneGame) -> web.Response:
    """A game: its rules and its board."""
    played = games.offered(arena, query.name)
    # until a game is ready, its first position needs code that is not compiled yet
    ready = arena.registry.is_ready(played.name)
    start = await asyncio.to_thread(lambda: played.diagram(played.start())) if ready else None
    answer = games.describe(arena.registry, played)
    data = {"game": answer, "start": start}
    return _page(request, "game", Text(played.title), data, imported=scripts_of([answer.board]))


async def leaders(arena: Arena, request: web.Request, query: LeaderboardPage) -> web.Response:
    """The leaderboard. A rating fit that is not cached is requested by the page's script."""
    name = query.game or next(iter(arena.registry.games))
    game = games.offered(arena, name)
    time_class = query.time_class or arena.registry.time_class(game)
    filters: dict[str, Any] = {"kind": query.kind, "active": query.active, "name": query.name}
    board = leaderboard.OneLeaderboard(game=name, time_class=time_class, system=query.system, **filters)
    shown = None
    if assessment.SYSTEMS[query.system].rate is None:
        shown = await leaderboard.get_leaderboard(arena, board)
    elif (assessed := await arena.rating_fits.soon(game.name, time_class)) is not None:
        found = leaderboard.assessed_board(assessed, game.name, time_class, board)
        shown = leaderboard.marked(arena, found)
    played = await games.list_games(arena)
    data = {
        "games": played,
        "game": game.name,
        "time_class": time_class,
        "system": query.system,
        "systems": (await leaderboard.list_systems(arena)).items,
        "time_classes": await leaderboard.time_classes(arena, game.name),
        "filters": filters,
        "top": query.top,
        "leaderboard": shown,
    }
    kept = {key: str(value) for key, value in filters.items() if value not in ("all", 0, "")}
    first = data | {"games": {each.name: each for each in played.items}, "kept": kept and f"&{urlencode(kept)}"}
    title = Text("Leaderboard: {0}", Text(games.recorded(game.name).title))
    return _page(request, "leaderboard", title, data, first, about=shown or board)


async def all_tournaments(arena: Arena, request: web.Request, query: OnePage) -> web.Response:
    """The list of tournaments."""
    data = {
        "games": await games.list_games(arena),
        "tournaments": await tournaments.list_tournaments(arena, query),
        "menu": request.app[keys.MENUS].get("/tournaments", ()),
    }
    return _page(request, "tournaments", Text("Tournaments"), data)


async def tournament(arena: Arena, request: web.Request, query: One) -> web.Response:
    """A tournament: live boards, standings, crosstable or bracket, and rounds."""
    answer = await tournaments.get_tournament(arena, query)
    bots = await asyncio.gather(*[arena.store.bots.named(name) for name in answer.entries])
    game = games.recorded(answer.game)
    board = games.describe(arena.registry, game).board
    data = {
        "title": game.title,
        "tournament": answer,
        "walk": None if answer.test is None else await tournaments.get_walk(arena, query),
        "board": board,
        "exports": exports.formats(answer.game),
        "bots": [bot and bot.id for bot in bots],
        "menu": request.app[keys.MENUS].get("/tournaments/{id}", ()),
    }
    return _page(request, "tournament", answer.name, data, about=answer, imported=scripts_of([board]))


class BotsPage(bots.SomeBots, frozen=True):
    """Parameters of the list of bots: the API's; connected bots come first."""

    sort: BotOrder = "status"


async def all_bots(arena: Arena, request: web.Request, query: BotsPage) -> web.Response:
    """The list of bots."""
    found = await bots.list_bots(arena, query)
    shown = msgspec.structs.replace(found, items=[_described(request, each) for each in found.items])
    data = {"asked": query, "bots": shown}
    return _page(request, "bots", Text("Bots"), data)


async def bot(arena: Arena, request: web.Request, query: One) -> web.Response:
    """A bot: ratings, history, games, and the sections of features."""
    answer = await bots.get_bot(arena, query)
    row = await bots.find_bot(arena, query.id)
    sections = request.app[BOT_SECTIONS]
    data = {
        "games": await games.list_games(arena),
        "bot": _described(request, answer),
        "matches": await matches.list_matches(arena, matches.SomeMatches(bot=query.id, limit=RECENT)),
        "sections": [
            {"script": request.app[ASSETS].url(section.script), "data": await section.data(arena, row)}
            for section in sections
        ],
    }
    return show(request, "pages/bot.js", answer.name, data, [section.script for section in sections], about=answer)


def _described(request: web.Request, bot: B) -> B:
    """Return a bot with its description in the language of the request, if it is a built-in bot."""
    if bot.kind != "built-in":
        return bot
    return msgspec.structs.replace(bot, description=language_of(request).translate(bot.description))


class VersusPage(encounters.OneVersus, frozen=True):
    """Parameters of the page of two bots: numbers of both, a game, and the time class of the rating list."""


async def versus(arena: Arena, request: web.Request, query: VersusPage) -> web.Response:
    """Two bots against each other: score, difference in rating, openings, matches."""
    answer = await encounters.get_versus(arena, query)
    shown = _NONE
    if answer.game is not None:
        offered = answer.game if answer.game in arena.registry.games else None
        wanted = matches.SomeMatches(bot=query.id, opponent=query.other, game=offered, limit=RECENT)
        shown = await matches.list_matches(arena, wanted)
    one, other = answer.bots
    data = {"games": await games.list_games(arena), "versus": answer, "matches": shown}
    return _page(request, "versus", f"{one.name} – {other.name}", data)


async def connect(arena: Arena, request: web.Request) -> web.Response:
    """How to connect a bot."""
    sections = request.app[CONNECT_SECTIONS]
    data = {
        "games": await games.list_games(arena),
        "menu": request.app[keys.MENUS].get("/connect", ()),
        "sections": [
            {"script": request.app[ASSETS].url(section.script), "data": await section.data(arena)}
            for section in sections
        ],
    }
    return _page(request, "connect", Text("Connect a bot"), data, imported=[section.script for section in sections])


async def api(request: web.Request) -> web.Response:
    """The reference of the REST API."""
    return _page(request, "api", Text("API"), {"openapi": await openapi.served(request)})


def error(request: web.Request, refused: RequestError) -> web.Response:
    """Return an error page."""
    title = Text("Not found") if refused.status == 404 else Text("Error")
    # the list that the thing would be in
    links = [link for group in request.app[NAVIGATION] for link in group.links]
    found = next((link for link in links if link.path != "/" and request.path.startswith(f"{link.path}/")), None)
    text = _render(request, "error.html", title, "shell.js", message=refused.message, list=found)
    body = linked(request, text.encode())
    headers = {**refused.headers, "Vary": VARY}
    return web.Response(body=body, content_type="text/html", charset="utf-8", status=refused.status, headers=headers)


PAGES = (
    Endpoint("GET", "/", lobby, menu="Lobby", group="Watch", symbol="M4 4h16v16H4z M4 12h16 M12 4v16"),
    Endpoint("GET", "/matches", all_matches, menu="Matches", group="Watch", symbol="M4 6h16 M4 12h16 M4 18h16"),
    Endpoint("GET", "/matches/{id}", match),
    Endpoint("GET", "/games/{name:.+}", game),
    Endpoint("GET", "/leaderboard", leaders, menu="Leaderboard", group="Compete", symbol="M6 20v-6 M12 20V4 M18 20v-9"),
    Endpoint("GET", "/tournaments", all_tournaments, menu="Tournaments", group="Compete"),
    Endpoint("GET", "/tournaments/{id}", tournament),
    Endpoint("GET", "/bots", all_bots, menu="Bots", group="Compete"),
    Endpoint("GET", "/bots/{id}", bot),
    Endpoint("GET", "/bots/{id}/versus/{other}", versus),
    Endpoint("GET", "/connect", connect, menu="Connect a bot", group="Build"),
)
HELP = (Endpoint("GET", "/api", api, menu="API", group="Build"),)
"""The last page of the menu; the pages of features come before it."""


def _again(request: web.Request, **changed: object) -> web.HTTPSeeOther:
    """Return a redirect to the same page with changed parameters; None removes a parameter."""
    query = {**request.query, **changed}
    return web.HTTPSeeOther(
        request.rel_url.with_query({name: str(value) for name, value in query.items() if value is not None})
    )


def _page(
    request: web.Request,
    name: str,
    title: str,
    data: object,
    first: Mapping[str, object] | None = None,
    *,
    about: object = None,
    imported: Sequence[str] = (),
) -> web.Response:
    """Return the page of the module ``name`` with ``data``; ``first``: values of the template ``name`` for the first
    paint, if the page has one. The other parameters are as in ``show``.
    """
    if first is None:
        return show(request, f"pages/{name}.js", title, data, imported, about=about)
    shown = {**first, **first_paint.painters(request.app[ASSETS])}
    script = f"pages/{name}.js"
    text = _render(request, f"{name}.html", title, script, imported, about, data=_embed(data), **shown)
    return _answered(request, text)


def show(
    request: web.Request,
    script: str,
    title: str,
    data: object,
    imported: Sequence[str] = (),
    *,
    private: bool = False,
    about: object = None,
) -> web.Response:
    """Return the page that the module ``script``, a path below the static files, draws from ``data``.

    ``imported``: further modules that the script imports when it runs. ``private``: no cache stores the page.
    ``about``: the API's answer from which features make ``meta`` elements.
    """
    text = _render(request, "page.html", title, script, imported, about, data=_embed(data))
    return _answered(request, text, "no-store" if private else "no-cache")


def _answered(request: web.Request, text: str, cache: str = "no-cache") -> web.Response:
    headers = {"Cache-Control": cache, "Vary": VARY}
    return respond(request, linked(request, text.encode()), "text/html", headers)


def _render(
    request: web.Request,
    template: str,
    title: str,
    script: str,
    imported: Sequence[str] = (),
    about: object = None,
    /,
    **values: object,
) -> str:
    """Return a page in the language of the request; a title that is a ``Text`` is translated. ``script``: its module,
    which is preloaded with all its imports, as are those ``imported``.
    """
    assets = request.app[ASSETS]
    modules = dict.fromkeys(module for each in (script, *imported) for module in assets.modules(each))
    links = {"navigation": request.app[NAVIGATION], "header_links": request.app[HEADER_LINKS]}
    # previews of links are English: other sites keep them for everybody
    tags = [] if about is None else [tag for made in request.app[META_TAGS] for tag in made(request, title, about)]
    alternates = [each for made in request.app[ALTERNATES] for each in made(request.path)]
    shell = {"path": request.path, "meta_tags": tags, "alternates": alternates, **links}
    files = {"styles": request.app[keys.STYLES], "asset": assets.url, "modules": [*modules]}
    language = language_of(request)
    loaded = (script, *imported, *(link.script for link in request.app[HEADER_LINKS]))
    texts = None if language is ENGLISH else language.script(assets, loaded)
    with speaking(language):
        shown = {"title": spoken(title), "texts": texts}
        return templates.get_template(template).render(**shown, **shell, **files, **values)


def _embed(data: object) -> Markup:
    """Return JSON for a script element; "<" is escaped, so that no text can end the element."""
    return Markup(msgspec.json.encode(data).decode().replace("<", "\\u003c"))
