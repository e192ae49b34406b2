# SPDX-License-Identifier: GPL-3.0-or-later
"""REST route of the audit log, for operators."""

from typing import Annotated

import msgspec
from msgspec import Meta

from arena.application import Arena
from web.api.access import OPERATOR
from web.api.endpoint import Answer, Endpoint, Moment, OnePage

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
    """Client address, or the command line of a machine."""
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


ENDPOINTS = (Endpoint("GET", "/api/v1/audit", list_actions, access=OPERATOR),)
