# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of webhooks: accounts register addresses, test them, and list their deliveries."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.access import MANAGE, SIGNED_IN
from arena.features.accounts.api.refusals import ERRORS
from arena.features.accounts.api.signing import DoneAnswer, Empty
from arena.features.accounts.rows import Account
from arena.features.feeds.part import FeedsPart
from arena.features.feeds.records.webhooks import TEST_PAUSE
from arena.features.feeds.rows import (
    EventName,
    Filter,
    JustTested,
    TooManyWebhooks,
    WebhookOff,
    WebhookRow,
)
from arena.features.feeds.webhooks.addresses import LONGEST_URL, BadUrl
from arena.features.feeds.webhooks.events import body_of_test
from arena.features.feeds.webhooks.signing import make_secret
from web.api.bots import find_bot
from web.api.endpoint import Answer, Endpoint, GameName, Number, One, OnePage
from web.api.games import offered
from web.errors import BadRequest, Conflicting, TooManyRequests

LATER = 3600.0
"""Seconds until a refused request may succeed, once the owner has removed a webhook."""


class WebhookRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A new webhook. Its events must fit all filters that are given."""

    url: Annotated[str, Meta(min_length=1, max_length=LONGEST_URL)]
    """Address that gets the events."""
    events: Annotated[list[EventName], Meta(min_length=1, max_length=20)]
    """Names of the events to send; others are not sent."""
    bot: Number | None = None
    """Only events of this bot."""
    tournament: Number | None = None
    """Only events of this tournament."""
    game: GameName | None = None
    """Only events of this game."""


class WebhookAnswer(Answer, frozen=True):
    """A webhook. Without a bot and a tournament it hears only of matches of the account's own bots."""

    id: int
    url: str
    """Address that gets a request for each event."""
    events: list[EventName]
    """Names of the events that it gets."""
    bot: int | None
    """Number of the bot whose events it gets; null: this is no filter."""
    tournament: int | None
    """Number of the tournament whose events it gets; null: this is no filter."""
    game: str | None
    """Name of the game whose events it gets; null: of all games."""
    created: float
    failures: int
    """Failed attempts in a row."""
    disabled: float | None
    """When it was disabled; null while it is enabled."""
    reason: str
    """Why the arena disabled it; empty where its owner did."""


class WebhooksAnswer(Answer, frozen=True):
    """The webhooks of the account."""

    items: list[WebhookAnswer]


class NewWebhookAnswer(Answer, frozen=True):
    """A new webhook."""

    webhook: WebhookAnswer
    """The webhook, enabled from now on."""
    secret: str
    """The secret that signs the requests. It is not shown again."""


class WebhookSecretAnswer(Answer, frozen=True):
    """A new secret of a webhook."""

    secret: str
    """The secret that signs the requests from now on. It is not shown again."""


class DeliveryAnswer(Answer, frozen=True):
    """An event that a webhook sends or has sent."""

    id: int
    event: str
    """Name of the event, such as match.over."""
    state: str
    """waiting, delivered or failed."""
    created: float
    attempts: int
    """Number of requests that the arena has sent for it."""
    last_try: float | None
    """When the last attempt ended."""
    next_try: float | None
    """When the next attempt may begin; null: there is none."""
    status: int | None
    """HTTP status of the last attempt; null where no answer came."""
    problem: str
    """Why the last attempt failed; empty where it succeeded."""


class DeliveriesAnswer(Answer, frozen=True):
    """A page of deliveries, newest first."""

    items: list[DeliveryAnswer]
    next: str | None


class DeliveriesPage(OnePage, frozen=True, kw_only=True):
    """Parameters: a webhook and a page of its deliveries."""

    id: Number
    """Number of the webhook."""


@contextmanager
def refusals() -> Iterator[None]:
    """Convert refusals to answers."""
    try:
        yield
    except BadUrl as error:
        raise BadRequest(str(error)) from None
    except WebhookOff as error:
        raise Conflicting(str(error)) from None
    except JustTested as error:
        raise TooManyRequests(str(error), TEST_PAUSE) from None
    except TooManyWebhooks as error:
        raise TooManyRequests(str(error), LATER) from None


async def list_webhooks(arena: Arena, account: Account) -> WebhooksAnswer:
    """List the webhooks of one's account."""
    return WebhooksAnswer(items=[_answer(row) for row in await arena.part(FeedsPart).records.all(account.id)])


async def register_webhook(arena: Arena, account: Account, body: WebhookRequest) -> NewWebhookAnswer:
    """Register an address that gets signed requests about events."""
    part, secret = arena.part(FeedsPart), make_secret()
    if body.bot is not None:
        await find_bot(arena, body.bot)
    if body.tournament is not None:
        await arena.store.tournaments.get(body.tournament)
    game = None if body.game is None else offered(arena, body.game).name
    with refusals():
        part.guard.check_url(body.url)
        wanted = Filter(body.bot, body.tournament, game)
        most = part.settings.webhooks_per_account
        row = await part.records.add(account.id, body.url, secret, body.events, wanted, now=part.now(), most=most)
    return NewWebhookAnswer(webhook=_answer(row), secret=secret)


async def remove_webhook(arena: Arena, account: Account, query: One, body: Empty) -> DoneAnswer:
    """Remove a webhook and its deliveries."""
    await arena.part(FeedsPart).records.remove(query.id, account.id)
    return DoneAnswer()


async def enable_webhook(arena: Arena, account: Account, query: One, body: Empty) -> WebhookAnswer:
    """Enable a webhook; it receives events from now on."""
    part = arena.part(FeedsPart)
    return _answer(await part.records.enable(query.id, account.id, now=part.now()))


async def disable_webhook(arena: Arena, account: Account, query: One, body: Empty) -> WebhookAnswer:
    """Disable a webhook; deliveries that wait are given up."""
    part = arena.part(FeedsPart)
    return _answer(await part.records.disable(query.id, account.id, now=part.now()))


async def replace_webhook_secret(arena: Arena, account: Account, query: One, body: Empty) -> WebhookSecretAnswer:
    """Give a webhook another secret."""
    secret = make_secret()
    await arena.part(FeedsPart).records.replace_secret(query.id, secret, account.id)
    return WebhookSecretAnswer(secret=secret)


async def test_webhook(arena: Arena, account: Account, query: One, body: Empty) -> DoneAnswer:
    """Send a test to a webhook; its deliveries show the outcome."""
    part = arena.part(FeedsPart)
    now = part.now()
    with refusals():
        await part.records.test(query.id, body_of_test(now, query.id), account.id, now=now)
    part.wake()
    return DoneAnswer()


async def list_deliveries(arena: Arena, account: Account, query: DeliveriesPage) -> DeliveriesAnswer:
    """List the deliveries of a webhook, newest first. Old ones are dropped."""
    records = arena.part(FeedsPart).records
    await records.get(query.id, account.id)
    page = await records.deliveries(query.id, after=query.after, limit=query.limit)
    return DeliveriesAnswer(items=[DeliveryAnswer.of(row) for row in page.items], next=page.next)


def _answer(row: WebhookRow) -> WebhookAnswer:
    return WebhookAnswer.of(row, **row.filter._asdict(), events=list(row.events))


_WEBHOOKS = "/api/v1/account/webhooks"
ENDPOINTS = (
    Endpoint("GET", _WEBHOOKS, list_webhooks, access=SIGNED_IN, errors=ERRORS),
    Endpoint("POST", _WEBHOOKS, register_webhook, access=MANAGE, errors=ERRORS),
    Endpoint("POST", f"{_WEBHOOKS}/{{id}}/remove", remove_webhook, access=MANAGE, errors=ERRORS),
    Endpoint("POST", f"{_WEBHOOKS}/{{id}}/enable", enable_webhook, access=MANAGE, errors=ERRORS),
    Endpoint("POST", f"{_WEBHOOKS}/{{id}}/disable", disable_webhook, access=MANAGE, errors=ERRORS),
    Endpoint("POST", f"{_WEBHOOKS}/{{id}}/secret", replace_webhook_secret, access=MANAGE, errors=ERRORS),
    Endpoint("POST", f"{_WEBHOOKS}/{{id}}/test", test_webhook, access=MANAGE, errors=ERRORS),
    Endpoint("GET", f"{_WEBHOOKS}/{{id}}/deliveries", list_deliveries, access=SIGNED_IN, errors=ERRORS),
)
