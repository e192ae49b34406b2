# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API under /api/v1: tables of what is read and of what operators order, made of those of each resource."""

from typing import Any

from web.api import (
    audit,
    bots,
    certainty,
    demes,
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
from web.api.dispatch import Dispatch
from web.api.order import Order, Testimony
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
    *demes.ROUTES,
    *audit.ROUTES,
)

AnyOrder = Order[Any, Any, Any] | Testimony[Any, Any, Any] | Dispatch[Any, Any, Any]

ORDERS: tuple[AnyOrder, ...] = (
    *tournaments.ORDERS,
    *populations.ORDERS,
    *portraits.ORDERS,
    *exhibits.ORDERS,
    *demes.ORDERS,
)
