# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API under /api/v1: tables of all GET and POST routes, collected from the resources."""

from web.api import (
    audit,
    bots,
    certainty,
    exhibits,
    export,
    games,
    leaderboard,
    matches,
    populations,
    portraits,
    status,
    tournaments,
)
from web.api.order import AnyPostRoute
from web.api.route import AnyRoute

ROUTES: tuple[AnyRoute, ...] = (
    *status.ROUTES,
    *games.ROUTES,
    *leaderboard.ROUTES,
    *certainty.ROUTES,
    *bots.ROUTES,
    *export.ROUTES,
    *matches.ROUTES,
    *tournaments.ROUTES,
    *populations.ROUTES,
    *portraits.ROUTES,
    *exhibits.ROUTES,
    *audit.ROUTES,
)

ORDERS: tuple[AnyPostRoute, ...] = (
    *tournaments.ORDERS,
    *populations.ORDERS,
    *portraits.ORDERS,
    *exhibits.ORDERS,
)
