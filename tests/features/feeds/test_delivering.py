# SPDX-License-Identifier: GPL-3.0-or-later
"""The queue of webhooks: retried over restarts with longer pauses, disabled after too many failures."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from arena.features.accounts.records import Accounts
from arena.features.feeds.records import webhooks as records_of_webhooks
from arena.features.feeds.records.webhooks import FOUND_AGAIN, Webhooks
from arena.features.feeds.rows import (
    EVENTS,
    DeliveryRow,
    Filter,
    JustTested,
    NewDelivery,
    TooManyWebhooks,
    UnknownWebhook,
    WebhookOff,
    WebhookRow,
)
from arena.features.feeds.webhooks.addresses import Guard
from arena.features.feeds.webhooks.delivering import ATTEMPTS, FIRST_PAUSE, JITTER, LONGEST_PAUSE, Sender, pause
from arena.features.feeds.webhooks.requests import Requests
from arena.features.feeds.webhooks.signing import make_secret
from arena.store import Store
from tests.features.feeds.receiver import Receiver, allowing, receiving

NOW = 1_000_000.0


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> float:
        return self.time


@asynccontextmanager
async def sending(store: Store, receiver: Receiver, clock: Clock, most: int = 10) -> AsyncIterator[Sender]:
    """Open a sender, which the test drives."""
    requests = Requests(Guard(allowing(receiver)), seconds=300.0)
    try:
        yield Sender(store.records(Webhooks), requests, most, clock, Random(1))
    finally:
        await requests.close()


async def hook(store: Store, url: str, name: str = "anna") -> WebhookRow:
    """Register a webhook of a new account."""
    account = await store.records(Accounts).add(name, "owner")
    return await add(store, account.id, url)


async def add(store: Store, account: int, url: str, most: int | None = None) -> WebhookRow:
    """Register a webhook."""
    records = store.records(Webhooks)
    return await records.add(account, url, make_secret(), EVENTS, Filter(), now=NOW, most=most)


async def queued(store: Store, number: int, *keys: str) -> int:
    """Queue events; return how many are new."""
    events = [NewDelivery(number, "match.over", key, f'{{"key": "{key}"}}') for key in keys]
    return await store.records(Webhooks).queue(events, {}, NOW)


async def log_of(store: Store, number: int) -> list[DeliveryRow]:
    """Return the deliveries of a webhook, the oldest first."""
    return (await store.records(Webhooks).deliveries(number)).items[::-1]


async def sent(sender: Sender) -> int:
    """Send the deliveries whose time has come; return the number of requests."""
    begun = await sender.begin()
    await sender.settle()
    return begun


async def test_a_failed_delivery_is_tried_again_after_a_restart(tmp_path: Path) -> None:
    url, clock = f"sqlite:///{tmp_path / 'arena.db'}", Clock()
    async with receiving() as receiver:
        receiver.statuses = [500]
        async with await Store.open(url) as store, sending(store, receiver, clock) as sender:
            row = await hook(store, receiver.url)
            assert await queued(store, row.id, "match:1") == 1
            assert await sent(sender) == 1
            first = await receiver.next()
            assert await sent(sender) == 0, "it waits"
            (delivery,) = await log_of(store, row.id)
            assert (delivery.state, delivery.attempts, delivery.status) == ("waiting", 1, 500)
            assert delivery.next_try is not None
            assert FIRST_PAUSE * (1 - JITTER) <= delivery.next_try - NOW <= FIRST_PAUSE * (1 + JITTER)
            assert (await store.records(Webhooks).get(row.id)).failures == 1
        clock.time = NOW + 2 * FIRST_PAUSE
        async with await Store.open(url) as store, sending(store, receiver, clock) as sender:
            assert await sent(sender) == 1
            second = await receiver.next()
            (delivery,) = await log_of(store, row.id)
            assert (delivery.state, delivery.attempts, delivery.status) == ("delivered", 2, 204)
            assert (await store.records(Webhooks).get(row.id)).failures == 0
            assert await sent(sender) == 0
    assert second.body == first.body
    assert second.headers["Webhook-Id"] == first.headers["Webhook-Id"], "receivers tell repeats by it"
    assert second.headers["Webhook-Timestamp"] == str(int(clock.time))
    assert second.headers["Webhook-Signature"] != first.headers["Webhook-Signature"]


async def test_a_webhook_that_keeps_failing_is_disabled(store: Store) -> None:
    clock, records = Clock(), store.records(Webhooks)
    async with receiving() as receiver, sending(store, receiver, clock, most=3) as sender:
        row = await hook(store, receiver.url)
        await queued(store, row.id, "match:1", "match:2")
        receiver.statuses = [500, 500, 500]
        for _ in range(3):
            assert await sent(sender) == 1
            assert (await receiver.next()).json["key"].startswith("match:")
            clock.time += LONGEST_PAUSE
        found = await records.get(row.id)
        assert found.disabled is not None
        assert found.reason == "3 attempts in a row failed: status 500"
        assert {each.state for each in await log_of(store, row.id)} == {"failed"}
        assert await records.active() == []
        with pytest.raises(WebhookOff):
            await records.test(row.id, "{}", now=clock())
        assert await sent(sender) == 0
        enabled = await records.enable(row.id, now=clock())
        assert (enabled.disabled, enabled.failures, enabled.reason, enabled.seen) == (None, 0, "", clock())
        await records.test(row.id, "{}", now=clock())
        assert await sent(sender) == 1
        await receiver.next()


async def test_one_bad_event_does_not_keep_others_back(store: Store) -> None:
    clock = Clock()
    async with receiving() as receiver, sending(store, receiver, clock) as sender:
        row = await hook(store, receiver.url)
        await queued(store, row.id, "match:1", "match:2")
        receiver.statuses = [400]
        bodies = []
        for _ in range(3):
            assert await sent(sender) == 1
            bodies.append((await receiver.next()).json["key"])
            clock.time += 2 * FIRST_PAUSE
        assert bodies == ["match:1", "match:2", "match:1"]


async def test_each_event_is_queued_once_and_at_most_so_many_wait(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await hook(store, "http://example.org/")
    assert await queued(store, row.id, "match:1", "match:1", "match:2") == 2
    assert await queued(store, row.id, "match:1", "match:2") == 0
    monkeypatch.setattr(records_of_webhooks, "WAITING", 3)
    assert await queued(store, row.id, "match:3", "match:4") == 1


async def test_one_account_takes_few_connections(store: Store) -> None:
    clock = Clock()
    async with receiving() as receiver, sending(store, receiver, clock) as sender:
        row = await hook(store, receiver.url)
        mine = [row, *[await add(store, row.account_id, receiver.url) for _ in range(3)]]
        other = await hook(store, receiver.url, "ben")
        for each in (*mine, other):
            await queued(store, each.id, "match:1", "match:2")
        assert await sender.begin() == 3
        assert await sender.begin() == 0, "a webhook sends one request at a time"
        await sender.settle()


async def test_old_deliveries_are_dropped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_of_webhooks, "KEPT", 1)
    clock = Clock()
    async with receiving() as receiver, sending(store, receiver, clock) as sender:
        row = await hook(store, receiver.url)
        await queued(store, row.id, "match:1", "match:2", "match:3")
        await sent(sender)
        clock.time += 2 * FOUND_AGAIN
        for _ in range(2):
            await sent(sender)
        assert len(await log_of(store, row.id)) == 1


async def test_limits_and_owners(store: Store) -> None:
    records, row = store.records(Webhooks), await hook(store, "http://example.org/")
    other = await hook(store, "http://example.org/", "ben")
    with pytest.raises(TooManyWebhooks):
        await add(store, row.account_id, "http://example.org/", most=1)
    with pytest.raises(UnknownWebhook):
        await records.remove(other.id, row.account_id)
    await records.test(row.id, "{}", row.account_id, now=NOW)
    with pytest.raises(JustTested):
        await records.test(row.id, "{}", row.account_id, now=NOW + 1)
    assert (await records.disable(row.id, row.account_id, now=NOW)).reason == ""
    assert [each.state for each in await log_of(store, row.id)] == ["failed"]
    await records.remove(row.id, row.account_id)
    assert [each.id for each in await records.all()] == [other.id]
    await store.records(Accounts).set_disabled(other.account_id, True)
    assert await records.active() == []
    await store.records(Accounts).delete(other.account_id)
    assert await records.forget_deleted() == 1
    assert await records.forget_deleted() == 0


def test_pauses_grow_and_have_a_limit() -> None:
    pauses = [pause(failures, Random(2)) for failures in range(1, 20)]
    assert all(one < other for one, other in pairwise(pauses[:7]))
    assert max(pauses) <= LONGEST_PAUSE * (1 + JITTER)
    assert 2 * 3600 < sum(pauses[: ATTEMPTS - 1]) < 4 * 3600
