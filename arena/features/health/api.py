# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of quarantines: for the owner of a bot, and for administrators."""

from arena.application import Arena
from arena.features.accounts.access import ADMINISTRATOR, PLAY, SIGNED_IN, changeable
from arena.features.accounts.api.refusals import ERRORS
from arena.features.accounts.api.signing import Empty
from arena.features.accounts.rows import Account
from arena.features.health.part import HealthPart
from arena.features.health.rows import NeedsValidation, NotQuarantined, QuarantineRow
from web.api.endpoint import Answer, Endpoint, One, OnePage
from web.errors import Conflicting

LISTED = 20
"""Quarantines of a bot in an answer: the newest."""


class BotQuarantineAnswer(Answer, frozen=True):
    """A quarantine of a bot."""

    bot: int
    """Number of the bot."""
    name: str
    """Name of the bot."""
    owner: str
    """Name of the account that manages the bot; empty: none."""
    version: str
    """The version that failed."""
    reason: str
    """How the version failed, in words."""
    matches: list[int]
    """The matches in which it failed, oldest first."""
    began: float
    """Unix time in seconds at which the bot was taken off the ladder."""
    lifted: float | None
    """When the bot was put back on the ladder; null while the quarantine lasts."""
    how: str
    """How the quarantine ended; empty while it lasts."""


class BotQuarantinesAnswer(Answer, frozen=True):
    """The newest quarantines of a bot, the newest first; at most 20."""

    items: list[BotQuarantineAnswer]


class BotsInQuarantineAnswer(Answer, frozen=True):
    """A page of the bots in quarantine, the newest quarantine first."""

    items: list[BotQuarantineAnswer]
    next: str | None


async def list_bot_quarantines(arena: Arena, account: Account, query: One) -> BotQuarantinesAnswer:
    """List the quarantines of a bot, with reasons and matches."""
    bot = await changeable(arena, account, query.id)
    rows = await arena.part(HealthPart).records.of_bot(bot.id, LISTED)
    return BotQuarantinesAnswer(items=[_answer(row) for row in rows])


async def lift_quarantine(arena: Arena, account: Account, query: One, body: Empty) -> BotQuarantineAnswer:
    """Put a bot back on the ladder and reset its failures. Refused (409) for a hosted bot: it needs a validation."""
    bot = await changeable(arena, account, query.id)
    try:
        return _answer(await arena.part(HealthPart).lift(bot.id))
    except (NotQuarantined, NeedsValidation) as error:
        raise Conflicting(str(error)) from None


async def list_quarantines(arena: Arena, query: OnePage) -> BotsInQuarantineAnswer:
    """List the bots in quarantine."""
    page = await arena.part(HealthPart).records.lasting(after=query.after, limit=query.limit)
    return BotsInQuarantineAnswer(items=[_answer(row) for row in page.items], next=page.next)


def _answer(row: QuarantineRow) -> BotQuarantineAnswer:
    return BotQuarantineAnswer.of(row, bot=row.bot_id, name=row.bot)


_QUARANTINE = "/api/v1/bots/{id}/quarantine"
ENDPOINTS = (
    Endpoint("GET", _QUARANTINE, list_bot_quarantines, access=SIGNED_IN, errors=ERRORS),
    Endpoint("POST", f"{_QUARANTINE}/lift", lift_quarantine, access=PLAY, errors=ERRORS),
    Endpoint("GET", "/api/v1/quarantines", list_quarantines, access=ADMINISTRATOR, errors=ERRORS),
)
