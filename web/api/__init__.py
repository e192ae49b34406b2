# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API under /api/v1: all endpoints, collected from the resources."""

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
    status,
    tournaments,
)
from web.api.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    *status.ENDPOINTS,
    *games.ENDPOINTS,
    *leaderboard.ENDPOINTS,
    *certainty.ENDPOINTS,
    *bots.ENDPOINTS,
    *export.ENDPOINTS,
    *matches.ENDPOINTS,
    *tournaments.ENDPOINTS,
    *populations.ENDPOINTS,
    *exhibits.ENDPOINTS,
    *audit.ENDPOINTS,
)
