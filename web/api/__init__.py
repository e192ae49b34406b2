# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API under /api/v1: tables of what is read and of what operators order, made of those of each resource."""

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
from web.api.order import AnyOrder
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

ORDERS: tuple[AnyOrder, ...] = (
    *tournaments.ORDERS,
    *populations.ORDERS,
    *portraits.ORDERS,
    *exhibits.ORDERS,
)
