# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the handlers find the arena."""

from aiohttp import web

from arena.application import Arena

ARENA = web.AppKey("arena", Arena)
