# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API under /api/v1: one table of routes, made of those of each resource."""

from web.api import bots, export, games, leaderboard, matches, status
from web.api.route import AnyRoute

ROUTES: tuple[AnyRoute, ...] = (
    *status.ROUTES,
    *games.ROUTES,
    *leaderboard.ROUTES,
    *bots.ROUTES,
    *matches.ROUTES,
    *export.ROUTES,
)
