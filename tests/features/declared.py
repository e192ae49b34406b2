# SPDX-License-Identifier: GPL-3.0-or-later
"""What the features of this arena declare, for tests of all routes and all pages."""

from aiohttp import web

from arena.cli.features import FEATURES

EDGES = [feature.web() for feature in FEATURES if feature.web is not None]

ENDPOINTS = [endpoint for edge in EDGES for endpoint in edge.endpoints]
OTHERS = {"/docs"}
"""Pages that another program makes, if it has run: the documentation has tests of its own."""
SOCKETS = {each.path for each in ENDPOINTS if issubclass(each.signature.answer, web.WebSocketResponse)}
PAGES = [
    each.path
    for each in ENDPOINTS
    if each.signature.raw and not set("{.") & set(each.path) and each.path not in OTHERS | SOCKETS
]
"""Paths of pages that take no number. A path with a suffix, such as /feed.atom, is no page."""
STATIC = [edge.static for edge in EDGES if edge.static is not None]
