# SPDX-License-Identifier: GPL-3.0-or-later
"""The audit log, for administrators."""

from typing import Annotated

import msgspec
from msgspec import Meta

from arena.application import Arena
from arena.features.accounts.access import ADMINISTRATOR
from arena.features.accounts.api.refusals import ERRORS
from arena.features.accounts.rows import Account
from web.api.endpoint import Answer, Endpoint, Moment, OnePage

Details = Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "object"})]
"""A JSON object as the audit log keeps it."""


class SomeEntries(OnePage, frozen=True):
    """Parameters: entries from the time ``since`` on."""

    since: Moment = 0.0


class AuditEntryAnswer(Answer, frozen=True):
    """An action of an account or a command, or a start or stop of the server."""

    id: int
    time: float
    """Time of the request or the command, as Unix time in seconds."""
    account: str
    """Name of an account of the arena, or of an account of the machine for commands."""
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


async def list_actions(arena: Arena, account: Account, query: SomeEntries) -> AuditAnswer:
    """List the actions of accounts and commands, and the starts and stops of servers, newest first."""
    page = await arena.store.audit_log.page(since=query.since, after=query.after, limit=query.limit)
    items = [AuditEntryAnswer.of(row, details=msgspec.Raw(row.details)) for row in page.items]
    return AuditAnswer(items=items, next=page.next)


ENDPOINTS = (Endpoint("GET", "/api/v1/audit", list_actions, access=ADMINISTRATOR, errors=ERRORS),)
