# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of the server itself: its status and its health."""

from http import HTTPStatus
from importlib.metadata import version
from typing import Literal

import msgspec
from aiohttp import web

from arena.application import Arena
from web.api.endpoint import Answer, Endpoint


class GameReadiness(Answer, frozen=True):
    """Whether matches of a game can start."""

    ready: bool
    """Whether the game's code is compiled and the database works."""
    reason: str
    """Reason why not, for people; else ""."""


class StoreState(Answer, frozen=True):
    """Whether the database works."""

    writes: bool
    """Whether the last write, or a probe in the last second, succeeded."""
    reason: str
    """Reason of the failure, for people; else ""."""


class StatusAnswer(Answer, frozen=True):
    """The server's status."""

    ready: bool
    """Whether matches of all games can start; the server answers requests before that."""
    games: dict[str, GameReadiness]
    """Readiness of each game."""
    store: StoreState
    """Whether the database accepts writes."""
    reasons: list[str]
    """Everything that does not work or is still being prepared, for people, such as running compilations."""
    problems: list[str]
    """Reasons that need an operator; pages show them."""
    warming: str
    """Running compilation, for people; else ""."""
    version: str
    """Version of the arena's software."""
    live: int
    """Number of live matches."""
    bots: int
    """Number of connected bots."""


class HealthAnswer(Answer, frozen=True):
    """The health of the server."""

    status: Literal["ok", "failing"]
    """Whether the database works."""
    ready: bool
    """Whether matches can start."""
    games: dict[str, GameReadiness]
    """Readiness of each game, by name."""
    store: StoreState
    """Whether the database accepts writes."""
    reasons: list[str]
    """Everything that does not work or is still being prepared, for people, such as running compilations."""
    problems: list[str]
    """Reasons that need an operator; pages show them."""
    warming: str
    """Running compilation, for people; else ""."""


async def get_status(arena: Arena) -> StatusAnswer:
    """Return the arena's readiness and the numbers of bots, matches and spectators."""
    health = await arena.health()
    return StatusAnswer(
        ready=health.ready,
        games={name: GameReadiness(ready=each.ready, reason=each.reason) for name, each in health.games.items()},
        store=StoreState(writes=not health.trouble, reason=health.trouble),
        reasons=health.reasons,
        problems=health.problems,
        warming=arena.warming,
        version=version("bot-arena"),
        live=len(arena.live),
        bots=len(arena.roster),
    )


async def get_health(arena: Arena) -> web.Response:
    """Return the health of the server: status 200 while the database works, else 503."""
    found = await get_status(arena)
    return _health(found, good=found.store.writes)


async def get_readiness(arena: Arena) -> web.Response:
    """Return the health of the server: 200 if matches of all games can start, else 503 (for example after a start)."""
    found = await get_status(arena)
    return _health(found, good=found.ready)


def _health(found: StatusAnswer, *, good: bool) -> web.Response:
    body = msgspec.json.encode(HealthAnswer.of(found, status="ok" if found.store.writes else "failing"))
    code = HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE
    return web.json_response(body=body, status=code, headers={"Cache-Control": "no-store"})


ENDPOINTS = (
    Endpoint("GET", "/api/v1/status", get_status),
    Endpoint("GET", "/healthz", get_health, answers=HealthAnswer),
    Endpoint("GET", "/readyz", get_readiness, answers=HealthAnswer),
)
