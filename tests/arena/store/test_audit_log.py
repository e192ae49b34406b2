# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of operators are logged in the transaction of their changes."""

import json
import time
from typing import Any

import pytest

from arena.store import Store
from arena.store.acting import MAX_DETAILS, Action, acting
from arena.store.errors import NameTaken
from arena.store.operators import AuditRow
from tests.databases import database_url, store

__all__ = ["database_url", "store"]


async def entries(store: Store) -> list[AuditRow]:
    return (await store.audit_log.page()).items


def marion(what: str = "add", **details: Any) -> Action:
    return Action("marion", "192.0.2.7", what, details)


async def test_an_action_is_written_once_with_what_it_changes(store: Store) -> None:
    before = time.time()
    with acting(marion(name="one")) as action:
        await store.bots.add("one", "1")
        await store.bots.add("two", "2")
    await store.audit_log.complete(action)
    await store.bots.add("three", "3")
    (entry,) = await entries(store)
    assert entry[2:] == ("marion", "192.0.2.7", "add", '{"name":"one"}')
    assert before <= entry.time <= time.time()


async def test_an_action_that_is_refused_leaves_no_entry(store: Store) -> None:
    await store.bots.add("one", "1")
    with pytest.raises(NameTaken), acting(marion()):
        await store.bots.add("one", "1")
    assert await entries(store) == []


async def test_an_action_without_a_transaction_is_written_at_its_end(store: Store) -> None:
    with acting(marion()) as action:
        assert await store.bots.named("nobody") is None
    await store.audit_log.complete(action)
    assert len(await entries(store)) == 1


async def test_secrets_and_what_is_too_long_are_left_out(store: Store) -> None:
    await store.audit_log.complete(marion(token="t", bot_token="t", body=[{"password": "p", "kept": 1}]))
    await store.audit_log.complete(marion(long="x" * MAX_DETAILS))
    await store.audit_log.complete(marion(nul="a\0b", surrogate="\ud800".encode("utf-8", "replace").decode()))
    details = [json.loads(entry.details) for entry in reversed(await entries(store))]
    assert details[:2] == [{"body": [{"kept": 1}]}, {"left out": f"{MAX_DETAILS + 11} letters"}]


async def test_pages_and_age(store: Store) -> None:
    for number in range(5):
        await store.audit_log.complete(marion(str(number)))
    page = await store.audit_log.page(limit=2)
    rest = await store.audit_log.page(limit=9, after=page.next)
    assert [entry.action for entry in [*page.items, *rest.items]] == ["4", "3", "2", "1", "0"]
    assert rest.next is None
    middle = page.items[1].time
    assert [entry.action for entry in (await store.audit_log.page(since=middle)).items][:2] == ["4", "3"]
    assert await store.audit_log.prune(time.time() + 1) == 5
    assert await entries(store) == []


async def test_a_server_says_when_it_starts_and_stops(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        await store.claim()
    async with await Store.open(database_url) as store:
        stopped, started = await entries(store)
    assert (started.action, stopped.action) == ("the server starts", "the server stops")
    assert json.loads(started.details).keys() == {"version", "host", "pid"}
