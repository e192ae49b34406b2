# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the records of webhooks, and the errors of these records."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from arena.store.errors import StoreRejected, Unknown

EventName = Literal["match.over", "tournament.over", "bot.quarantined", "version.accepted", "version.rejected"]
EVENTS: tuple[EventName, ...] = get_args(EventName)

TEST = "test"
"""The event that the owner sends by hand."""


class Filter(NamedTuple):
    """What the events of a webhook must concern; None: anything."""

    bot: int | None = None
    """Number of a bot."""
    tournament: int | None = None
    """Number of a tournament."""
    game: str | None = None


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook, its secret aside."""

    id: int
    account_id: int
    account: str
    """The account's name."""
    url: str
    events: tuple[EventName, ...]
    filter: Filter
    created: float
    seen: float
    failures: int
    disabled: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery of a webhook."""

    id: int
    event: str
    created: float
    attempts: int
    next_try: float | None
    last_try: float | None
    status: int | None
    problem: str

    @property
    def state(self) -> str:
        """``waiting``, ``delivered`` or ``failed``."""
        return "waiting" if self.next_try is not None else "failed" if self.problem else "delivered"


class Due(NamedTuple):
    """A delivery whose time has come."""

    id: int
    webhook: int
    account: int
    url: str
    secret: str
    body: str
    attempts: int
    failures: int


class NewDelivery(NamedTuple):
    """An event for a webhook."""

    webhook: int
    event: str
    key: str
    body: str


class UnknownWebhook(Unknown):
    """The account has no webhook of that number."""


class TooManyWebhooks(StoreRejected):
    """The account has as many webhooks as it may have."""


class WebhookOff(StoreRejected):
    """The webhook is disabled."""


class JustTested(StoreRejected):
    """A test of the webhook was sent just now."""
