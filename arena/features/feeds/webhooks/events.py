# SPDX-License-Identifier: GPL-3.0-or-later
"""The events of webhooks: their subjects, the filter of webhooks, and the body of the request."""

from collections.abc import Collection
from typing import NamedTuple

import msgspec
from msgspec import Struct

from arena.features.feeds.rows import TEST, EventName, WebhookRow

BACK = 30.0
"""Seconds that a look at the records goes back: a record is stored at most so long after the time in it."""


class Happened(NamedTuple):
    """An event."""

    event: EventName
    key: str
    """The event's name in the queue: a webhook hears of each name once."""
    time: float
    data: object
    """The body's ``data``."""
    bots: Collection[int] = ()
    """The bots that it concerns."""
    tournament: int | None = None
    games: Collection[str] = ()

    @property
    def private(self) -> bool:
        """Whether only the owner of the bot may hear of it."""
        return self.event not in ("match.over", "tournament.over")


class Body(Struct, frozen=True):
    """The JSON body of a request."""

    type: str
    """Name of the event."""
    timestamp: float
    """Unix time of the event."""
    data: object
    """Depends on the event."""


def wanted(hook: WebhookRow, happened: Happened, own: Collection[int]) -> bool:
    """Tell whether a webhook hears of an event; ``own``: the bots of its account.

    Without a bot and a tournament in its filter, it hears only of the matches of its account's bots.
    """
    only = hook.filter
    if happened.event not in hook.events or happened.time < max(hook.created, hook.seen - BACK):
        return False
    if only.game is not None and only.game not in happened.games:
        return False
    if only.tournament is not None and only.tournament != happened.tournament:
        return False
    if only.bot is not None and only.bot not in happened.bots:
        return False
    everybodys = happened.event == "tournament.over" or only.bot is not None or only.tournament is not None
    return (everybodys and not happened.private) or any(bot in own for bot in happened.bots)


def body_of(happened: Happened) -> str:
    """Return the body of an event."""
    return msgspec.json.encode(Body(happened.event, happened.time, happened.data)).decode()


def body_of_test(now: float, webhook: int) -> str:
    """Return the body of a test."""
    return msgspec.json.encode(Body(TEST, now, {"webhook": webhook})).decode()
