# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests of islands on volunteers' machines: their tokens, their bodies, and the answers to refused ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from aiohttp import web

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.features.volunteers.checking import Reason, Unacceptable
from arena.features.volunteers.exchange import Exchange, Stranger
from arena.features.volunteers.island import Island
from arena.protocol.island_messages import MAX_REPORT
from web.api.access import Access, token_of
from web.api.endpoint import Unread
from web.errors import NotAllowed, RequestError
from web.intake.bodies import BadBody, TooLarge
from web.keys import ARENA

STATUS: dict[Reason, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "genome": HTTPStatus.BAD_REQUEST,
    "statistics": HTTPStatus.BAD_REQUEST,
    "forged": HTTPStatus.FORBIDDEN,
    "game": HTTPStatus.CONFLICT,
    "order": HTTPStatus.CONFLICT,
    "run": HTTPStatus.CONFLICT,
    "too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "version": HTTPStatus.UPGRADE_REQUIRED,
    "too-soon": HTTPStatus.TOO_MANY_REQUESTS,
}

ERRORS = {
    403: "The report is in the name of another island.",
    426: "The island's client uses another version of the messages between islands and the arena.",
    429: "The report comes too soon after the last one.",
}
"""Errors of requests of islands, for the OpenAPI document."""


async def find_island(request: web.Request) -> Island:
    """Return the island that sent a request, by its token. Raises NotAllowed."""
    try:
        return await request.app[ARENA].part(Exchange).identify(hash_token(token_of(request, "an island's")))
    except Stranger:
        raise NotAllowed("this token does not belong to an island; `arena islands add` creates one") from None


ISLAND = Access("island", find_island)


async def read_report(arena: Arena, island: Island, body: Unread[Any]) -> bytes:
    """Return the body of a request, up to the size limit. Raises Unacceptable, and counts the refusal."""
    try:
        return await body.read()
    except TooLarge:
        raise arena.part(Exchange).refuse(island, "too-large", f"a report has at most {MAX_REPORT:,} bytes") from None
    except BadBody as error:
        raise arena.part(Exchange).refuse(island, "malformed", error.message) from None


@contextmanager
def refusals() -> Iterator[None]:
    """Convert Unacceptable to the HTTP answer for a refused exchange of genomes."""
    try:
        yield
    except Unacceptable as error:
        raise RequestError(STATUS[error.reason], error.reason, str(error)) from None
