# SPDX-License-Identifier: GPL-3.0-or-later
"""Absolute addresses of an arena, as its client sees them."""

from aiohttp import web

from web.prefix import base_of


def absolute(request: web.Request, path: str) -> str:
    """Return the absolute address of a path: the scheme that a trusted proxy names, and the host of the request."""
    return base_of(request) + path
