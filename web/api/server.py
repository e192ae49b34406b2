# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of the server itself: its status, its health, and the audit log for operators."""

from http import HTTPStatus
from importlib.metadata import version
from typing import Annotated, Literal

import msgspec
from aiohttp import web
from msgspec import Meta

from arena.application import Arena
from web.api.access import OPERATOR
from web.api.endpoint import Answer, Endpoint, Moment, OnePage


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
    reasons: list[str]
    """All reasons why the server is not ready, for people, including running compilations."""
    problems: list[str]
    """Reasons that need an operator; pages show them."""
    warming: str
    """Running compilation, for people; else ""."""
    version: str
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
    store: StoreState
    reasons: list[str]
    problems: list[str]
    warming: str


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
    works = found.store.writes
    body = msgspec.json.encode(HealthAnswer.of(found, status="ok" if works else "failing"))
    code = HTTPStatus.OK if works else HTTPStatus.SERVICE_UNAVAILABLE
    return web.json_response(body=body, status=code, headers={"Cache-Control": "no-store"})


Details = Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "object"})]
"""A JSON object as the audit log keeps it."""


class SomeEntries(OnePage, frozen=True):
    """Parameters: entries from the time ``since`` on."""

    since: Moment = 0.0


class AuditEntryAnswer(Answer, frozen=True):
    """An action of an operator, or a start or stop of the server."""

    id: int
    time: float
    who: str
    """Name of an API operator, or of a user of the machine."""
    origin: str
    """Client address, or "command line on" and the machine's name."""
    action: str
    """A route of the API, or a command."""
    details: Details
    """The requested change, without secrets."""


class AuditAnswer(Answer, frozen=True):
    """A page of the audit log."""

    items: list[AuditEntryAnswer]
    next: str | None


async def list_actions(arena: Arena, query: SomeEntries) -> AuditAnswer:
    """List the actions of operators and the starts and stops of servers, newest first."""
    page = await arena.store.audit_log.page(since=query.since, after=query.after, limit=query.limit)
    items = [AuditEntryAnswer.of(row, details=msgspec.Raw(row.details)) for row in page.items]
    return AuditAnswer(items=items, next=page.next)


ENDPOINTS = (
    Endpoint("GET", "/api/v1/status", get_status),
    Endpoint("GET", "/healthz", get_health),
    Endpoint("GET", "/api/v1/audit", list_actions, access=OPERATOR),
)
