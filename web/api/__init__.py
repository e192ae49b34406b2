# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API under /api/v1: all endpoints, collected from the resources."""

from web.api import (
    bots,
    encounters,
    exports,
    games,
    leaderboard,
    matches,
    openings,
    positions,
    search,
    server,
    tournaments,
)
from web.api.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    *server.ENDPOINTS,
    *games.ENDPOINTS,
    *leaderboard.ENDPOINTS,
    *bots.ENDPOINTS,
    *encounters.ENDPOINTS,
    *matches.ENDPOINTS,
    *exports.ENDPOINTS,
    *positions.ENDPOINTS,
    *openings.ENDPOINTS,
    *tournaments.ENDPOINTS,
    *search.ENDPOINTS,
)
