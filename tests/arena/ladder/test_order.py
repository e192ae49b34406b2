# SPDX-License-Identifier: GPL-3.0-or-later
"""Assessments: kept until there are newer results, made once however many ask, never on the event loop."""

import asyncio
import threading
from typing import Any

import pytest

from arena.ladder import order as standings
from arena.ladder.order import RatingFits
from arena.rating.assessment import assess
from arena.store import Store
from tests.arena.peers import until
from tests.arena.store.company import play, versions


async def test_it_is_kept_until_there_are_newer_results(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "PATIENCE", 0.0)
    marion, tinsley = await versions(store, "marion", "tinsley")
    asked = RatingFits(store)
    assert (await asked.get("checkers", "bullet")).assessment is None
    await play(store, marion, tinsley)
    one = await asked.get("checkers", "bullet")
    assert one.games == 1
    assert one.assessment is not None
    assert await asked.get("checkers", "bullet") is one
    assert (await asked.get("nim", "bullet")).assessment is None
    await play(store, marion, tinsley)
    assert (await asked.get("checkers", "bullet")).games == 2


async def test_newer_results_wait_a_little_where_it_takes_long(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "PATIENCE", 1e9)
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    asked = RatingFits(store)
    one = await asked.get("checkers", "bullet")
    await play(store, marion, tinsley)
    assert await asked.get("checkers", "bullet") is one


async def test_it_is_made_once_and_holds_nobody_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    whole, go_on = assess, threading.Event()

    def slowly(*arguments: Any, **more: Any) -> object:
        made.append(arguments)
        assert go_on.wait(60), "it held up the loop that would let it go on"
        return whole(*arguments, **more)

    monkeypatch.setattr(standings, "assess", slowly)
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    asked = RatingFits(store)
    asking = [asyncio.create_task(asked.get("checkers", "bullet")) for _ in range(5)]
    await until(lambda: bool(made))
    await asyncio.sleep(0.1)  # for the others to ask as well
    assert not any(task.done() for task in asking)
    go_on.set()
    assert len(set(map(id, await asyncio.gather(*asking)))) == len(made) == 1


async def test_a_page_waits_only_a_little_and_shows_the_last_one_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, go_on = assess, threading.Event()

    def slowly(*arguments: Any, **more: Any) -> object:
        assert go_on.wait(60)
        return whole(*arguments, **more)

    monkeypatch.setattr(standings, "assess", slowly)
    monkeypatch.setattr(standings, "PATIENCE", 0.0)
    marion, tinsley = await versions(store, "marion", "tinsley")
    await play(store, marion, tinsley)
    asked = RatingFits(store)
    assert await asked.soon("checkers", "bullet", within=0.01) is None
    go_on.set()
    first = await asked.get("checkers", "bullet")
    assert await asked.soon("checkers", "bullet", within=60) is first
    await play(store, marion, tinsley)
    go_on.clear()
    assert await asked.soon("checkers", "bullet", within=0.01) is first
    go_on.set()
    assert (await asked.get("checkers", "bullet")).games == 2
