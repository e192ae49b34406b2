# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the handlers find the arena, and what its features add to the web server."""

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set

from aiohttp import web

from arena.application import Arena

ARENA = web.AppKey("arena", Arena)

Authoriser = Callable[[web.Request], Awaitable[str | None]]
"""Returns the name of the operator that sent a request; None where it is none."""

AUTHORISERS = web.AppKey("authorisers", Sequence[Authoriser])
MENUS = web.AppKey("menus", Mapping[str, Sequence[tuple[str, str]]])
"""Path and label of the links in the menus that pages have of their own, by the paths of those pages."""
SUMMARIES = web.AppKey("summaries", Mapping[str, str])
"""Short summaries of requests of the API by their names in the audit log: "POST /api/v1/bots"."""
ANYWHERE = web.AppKey("anywhere", Set[tuple[str, str]])
"""Method and path of what every server can answer, where several are one arena."""
STYLES = web.AppKey("styles", str)
"""The address of the file that holds all style sheets."""

ANSWER_HEADERS = web.RequestKey("answer_headers", list[tuple[str, str]])
"""Headers that a handler, or what admitted its request, adds to the answer; they replace others of their names."""
