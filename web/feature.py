# SPDX-License-Identifier: GPL-3.0-or-later
"""A feature's part of the web server: endpoints, static files, and ways to authorise operators."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Middleware
from msgspec import Struct

from arena.application import Arena
from arena.store.rows import BotRow
from web.api.endpoint import Endpoint
from web.clients import Client
from web.keys import Authoriser


@dataclass(frozen=True)
class BotSection:
    """A section that a feature adds to the page of a bot."""

    script: str
    """The module that draws it, a path below the static files: it exports the component ``Section``, whose properties
    are ``SectionProps`` of ``web/static/pages/bot.js``.
    """
    data: Callable[[Arena, BotRow], Awaitable[Struct]]
    """Return the data of the section, which come with the page."""


BOT_SECTIONS = web.AppKey("bot_sections", Sequence[BotSection])
"""The sections that features add to the page of a bot."""


@dataclass(frozen=True)
class MatchSection:
    """A section that a feature adds to the page of a match."""

    script: str
    """The module that draws it, a path below the static files: it exports the component ``Section``, whose properties
    are ``SectionProps`` of ``web/static/pages/match.js``, the component ``Below``, which stands below the board and
    has the properties ``BelowProps``, or both. One of these modules may export the function ``useSeat``, for
    visitors who play the match; its answer is ``Seat`` there.
    """
    below: bool = False
    """Whether the module exports ``Below``: the first paint leaves a line for it."""
    searches: bool = False
    """Whether it searches, so that only matches of games of perfect information have it."""
    wanted: Callable[[Arena, int], Awaitable[bool]] | None = None
    """Returns whether a match, by its number, has the section; None: every match has it."""


MATCH_SECTIONS = web.AppKey("match_sections", Sequence[MatchSection])
"""The sections that features add to the page of a match."""


@dataclass(frozen=True)
class LobbySection:
    """A section that a feature adds to the lobby, beside the latest results."""

    script: str
    """The module that draws it, a path below the static files: it exports the component ``Section``, whose properties
    are ``SectionProps`` of ``web/static/pages/lobby.js``.
    """
    data: Callable[[Arena, str | None], Awaitable[Struct]]
    """Return the data of the section, which come with the page: for a game by its name, or for all games."""


LOBBY_SECTIONS = web.AppKey("lobby_sections", Sequence[LobbySection])
"""The sections that features add to the lobby."""


@dataclass(frozen=True)
class ConnectSection:
    """A section that a feature adds to the page about connecting a bot, before the example in Python."""

    script: str
    """The module that draws it, a path below the static files: it exports the component ``Section``, whose properties
    are ``SectionProps`` of ``web/static/pages/connect.js``.
    """
    data: Callable[[Arena], Awaitable[Struct]]
    """Return the data of the section, which come with the page."""


CONNECT_SECTIONS = web.AppKey("connect_sections", Sequence[ConnectSection])
"""The sections that features add to the page about connecting a bot."""

MetaTags = Callable[[web.Request, str, object], Sequence[tuple[str, str]]]
"""Returns names and contents of ``meta`` elements of a page, from its title and the API's answer that it shows."""

META_TAGS = web.AppKey("meta_tags", Sequence[MetaTags])
"""The functions of features that return ``meta`` elements of pages."""


@dataclass(frozen=True)
class Alternate:
    """Another form of a page, such as a feed, which browsers and feed readers discover."""

    path: str
    media_type: str
    title: str


Alternates = Callable[[str], Sequence[Alternate]]
"""Returns other forms of the page with a path."""

ALTERNATES = web.AppKey("alternates", Sequence[Alternates])
"""The functions of features that return other forms of pages."""


@dataclass(frozen=True)
class HeaderLink:
    """A link at the end of the header of every page."""

    path: str
    label: str
    script: str
    """The module that may replace the link by something for this visitor, a path below the static files. It runs after
    the page's own module. The pages themselves are the same for all visitors.
    """


HEADER_LINKS = web.AppKey("header_links", Sequence[HeaderLink])
"""The links that features add to the header."""


@dataclass(frozen=True, kw_only=True)
class WebPart:
    """A feature's part of the web server. Each field may be left out."""

    endpoints: Sequence[Endpoint] = ()
    """Endpoints of the REST API, and pages; ``web.pages.show`` draws a page."""
    bot_sections: Sequence[BotSection] = ()
    """Sections of the page of a bot, which follow the core's."""
    match_sections: Sequence[MatchSection] = ()
    """Sections of the page of a match, which follow the core's."""
    lobby_sections: Sequence[LobbySection] = ()
    """Sections of the lobby, which follow the core's news."""
    connect_sections: Sequence[ConnectSection] = ()
    """Sections of the page about connecting a bot."""
    meta_tags: MetaTags | None = None
    """Return ``meta`` elements for pages that show one match, bot or tournament, or a leaderboard."""
    alternates: Alternates | None = None
    """Return other forms of a page, by its path."""
    header_link: HeaderLink | None = None
    static: Path | None = None
    """A folder that holds one folder of the feature's name, with its files: they are served beside those of
    ``web/static``, so a module of it imports ``../view.js``.
    """
    styles: Sequence[str] = ()
    """The feature's style sheets, such as ``NAME/style.css``, which every page loads."""
    exclusions: Sequence[str] = ()
    """Why the feature takes bots off the ladder, in the words that pages show beside a bot."""
    sentences: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Sentences that the feature says to people, by the modules that show them, ``NAME/module.js``. "{0}" and "{1}" are
    places for values; ``web/static/sentences.js`` translates them.
    """
    anywhere: bool = False
    """Whether every server can answer its endpoints, where several are one arena; otherwise only the one that leads."""
    middleware: Middleware | None = None
    """Called with every request that passed the checks of hosts and origins, and with its handler."""
    vouch: Callable[[Arena, web.Request], Client | None] | None = None
    """Return the client of a request that a trusted server sent on; None for other requests."""
    authorise: Authoriser | None = None
    """Return the name of the operator that sent a request which shows no operator's token; None where it is none."""
