# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns of visitors, and their costs."""

import asyncio
from contextlib import AbstractContextManager
from functools import partial
from math import inf
from unittest.mock import patch

import pytest

from tests.arena.clock import standing_clock
from web.intake import scheduling as module
from web.intake.scheduling import AT_ONCE, DEBT, Metered, VisitorScheduler

pytestmark = pytest.mark.asyncio


async def test_turns_are_in_order_and_limited_in_each_loop_iteration() -> None:
    turns, gone = VisitorScheduler(0.5, 1.0), list[int]()
    assert [turns.now("here", 0.0) for _ in range(AT_ONCE + 1)] == [True] * AT_ONCE + [False]
    for number in range(2 * AT_ONCE):
        turns.later("here", 0.0, partial(gone.append, number))
    assert not turns.now("here", 0.0), "others wait"
    assert not gone
    await asyncio.sleep(0)
    assert gone == list(range(AT_ONCE))
    await asyncio.sleep(0)
    assert gone == list(range(2 * AT_ONCE))
    await asyncio.sleep(0)
    assert turns.now("here", 0.0)


def playing() -> AbstractContextManager[object]:
    """Take bots to play on and on once one was heard."""
    return patch.object(module, "QUIET", inf)


async def test_visitors_have_no_limit_while_bots_are_silent() -> None:
    with standing_clock() as clock:
        turns, gone = VisitorScheduler(0.5, 1.0), list[int]()
        turns.spend("here", 100.0)
        assert turns.now("here", 0.0), "no bot was heard"
        turns.bot_heard()
        turns.spend("here", 100.0)
        turns.later("here", 0.0, lambda: gone.append(1))
        await clock.go(module.QUIET / 2)
        assert not gone
        await clock.go(module.QUIET)
        assert gone


async def test_the_cheapest_lane_is_first() -> None:
    with standing_clock(), playing():
        turns, gone = VisitorScheduler(0.5, 1.0), list[str]()
        for lane, cost in (("dear", 0.5), ("cheap", 0.1)):
            turns.later(lane, cost, partial(gone.append, f"{lane} 1"))
            turns.later(lane, 0.0, partial(gone.append, f"{lane} 2"))
        await asyncio.sleep(0)
        assert gone == ["dear 1", "cheap 1", "cheap 2", "dear 2"]


async def test_addresses_take_turns_whatever_their_number_of_requests() -> None:
    turns, gone = VisitorScheduler(0.5, 1.0), list[str]()
    for number in range(3):
        turns.later("crowded", 0.0, partial(gone.append, f"crowded {number}"))
    turns.later("elsewhere", 0.0, partial(gone.append, "elsewhere"))
    await asyncio.sleep(0)
    assert gone == ["crowded 0", "elsewhere", "crowded 1", "crowded 2"]


async def test_visitors_wait_until_the_debt_is_paid() -> None:
    with standing_clock() as clock, playing():
        turns, gone = VisitorScheduler(0.5, 1.0), list[int]()
        turns.bot_heard()
        turns.spend("here", 3.0)
        assert not turns.now("here", 0.0)
        turns.later("here", 0.0, lambda: gone.append(1))
        await clock.go(2 * DEBT - 0.1)
        assert not gone, "a half of that is not enough to pay a debt"
        await clock.go(0.2)
        assert gone


async def test_waiting_visitors_continue_in_order() -> None:
    with standing_clock() as clock, playing():
        turns = VisitorScheduler(0.5, 1.0)
        assert turns.turn("here", 0.1) is None, "at once"
        turns.bot_heard()
        turns.spend("here", 1.0 + DEBT)
        turn = turns.turn("here", 0.1)
        assert turn is not None
        await clock.go(DEBT)
        assert not turn.done()
        await clock.go(2 * DEBT)
        await turn


async def test_cancelled_turns_are_removed_at_once() -> None:
    with standing_clock() as clock, playing():
        turns, gone = VisitorScheduler(0.5, 1.0), list[str]()
        turns.bot_heard()
        turns.spend("here", 1.0 + DEBT)
        for number in range(100):
            turn = turns.turn("here", 0.1)
            assert turn is not None
            if number % 2:
                turn.cancel()
            else:
                turn.set_exception(ConnectionResetError("closed"))
                with pytest.raises(ConnectionResetError):
                    await turn
            turns.later("here", 0.1, lambda: gone.append("a removed visitor"))()
        await asyncio.sleep(0)
        assert not turns._waiting, "nothing is kept of them"
        stays = turns.turn("here", 0.1)
        assert stays is not None
        await clock.go(3 * DEBT)
        await stays
        assert not gone


async def test_steps_are_measured_without_waiting_times() -> None:
    steps: list[float] = []

    async def work() -> str:
        await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        return "done"

    async def measured() -> str:
        return await Metered(work(), steps.append)

    assert await measured() == "done"
    assert len(steps) == 3
    assert all(step >= 0 for step in steps)


async def test_exceptions_and_cancellations_pass_through() -> None:
    ended = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def fail() -> None:
        raise KeyError("as it should")

    async def measured(what: Metered[None]) -> None:
        await what

    with pytest.raises(KeyError):
        await measured(Metered(fail(), lambda seconds: None))
    task = asyncio.create_task(measured(Metered(wait(), lambda seconds: None)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
