# SPDX-License-Identifier: MIT
"""Search info while the clock runs: the newest of a turn is sent, as seldom as the arena shows it."""

import asyncio
from functools import partial

import pytest

from arena.protocol import messages as wire
from bots import Reply, thinking
from bots.built_in.kinds.searching import BOTS, SearchingBot
from bots.thinking import telling, think

TURN = wire.Turn(7, "tictactoe", 3, ".../.x./...", 1)


class Sent:
    """What was sent, and an event for each message."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[wire.Thinking] = asyncio.Queue()

    def __call__(self, message: wire.Thinking) -> None:
        self.messages.put_nowait(message)


@pytest.mark.asyncio
async def test_the_newest_info_is_sent_and_only_that_is_made() -> None:
    sent, made = Sent(), list[int]()

    def reply(depth: int) -> Reply:
        made.append(depth)
        return Reply("a1", depth=depth, pv=["a1"])

    with telling(TURN, sent):
        for depth in range(1, 100):
            think(TURN, partial(reply, depth))
        first = await sent.messages.get()
        assert first == wire.Thinking(7, 3, wire.Info(depth=99, pv=["a1"]))
        think(TURN, Reply("a1", depth=100))
        think(TURN, Reply("a1", depth=101))
        assert (await sent.messages.get()).info.depth == 101
    assert made == [99]


@pytest.mark.asyncio
async def test_info_from_another_thread_is_sent() -> None:
    sent = Sent()
    with telling(TURN, sent):
        await asyncio.to_thread(think, TURN, Reply("a1", score=0.5))
        assert (await sent.messages.get()).info.score == 0.5


@pytest.mark.asyncio
async def test_nothing_is_sent_after_the_turn_or_in_local_matches() -> None:
    sent = Sent()
    think(TURN, Reply("a1", depth=1))
    with telling(TURN, sent):
        think(TURN, Reply("a1", depth=2))
    loop = asyncio.get_running_loop()
    settled = loop.create_future()
    loop.call_soon(settled.set_result, None)
    await settled  # after the call that would have sent it
    assert sent.messages.empty()
    assert thinking._telling == {}


@pytest.mark.asyncio
async def test_info_that_the_arena_would_refuse_is_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    sent = Sent()
    with telling(TURN, sent):
        think(TURN, Reply("a1", pv=["x" * 101]))
        loop = asyncio.get_running_loop()
        settled = loop.create_future()
        loop.call_soon(settled.set_result, None)
        await settled
    assert sent.messages.empty()
    assert "the search info cannot be sent" in caplog.text


@pytest.mark.asyncio
async def test_built_in_searches_show_each_iteration_of_a_watched_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "INTERVAL", 0.0)
    settings = next(bot for bot in BOTS if bot.name == "play-1k")
    for watched in (False, True):
        sent, bot = Sent(), SearchingBot(settings)
        turn = wire.Turn(7, "tictactoe", 0, ".../.../...", 0, watched=watched)
        with telling(turn, sent):
            reply = await asyncio.to_thread(bot.move, turn)
            if watched:
                message = await sent.messages.get()
                assert (message.match, message.ply) == (7, 0)
                assert 1 <= (message.info.depth or 0) <= (reply.depth or 0)
                assert message.info.pv
            else:
                assert sent.messages.empty()
