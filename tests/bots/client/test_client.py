# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK against an arena that says what the test tells it to, over real sockets."""

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest
from websockets.exceptions import ConnectionClosed

from arena.protocol import messages as wire
from arena.protocol.errors import CloseCode
from bots.bot import Answer, Bot, Over, Reply, Resign, Turn
from bots.client import Client, NotReady, Rejected, client, playing
from tests.bots.client.first import First
from tests.bots.client.scripted import PATIENCE, Peer, match, meet, over, scripted, turn


async def test_hello_describes_the_bot() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert hello == wire.Hello(1, "t", ["some", "other"], "3", hello.software, 4, ladder=False)
        assert hello.software.startswith("bot-arena")

    await meet(First(), script, capacity=4, ladder=False)


def test_a_client_without_a_token_is_refused() -> None:
    with pytest.raises(ValueError, match="the token of the bot is empty"):
        Client(First(), url="ws://127.0.0.1:1", token="")


async def test_a_bot_or_its_client_lets_search_info_be_shown_at_once() -> None:
    class Open(First):
        open_info = True

    for bot, chosen, said in ((First(), True, True), (Open(), None, True), (Open(), False, False)):

        async def script(peer: Peer, said: bool = said) -> None:
            assert (await peer.welcome()).open_info == said

        await meet(bot, script, open_info=chosen)


async def test_a_bot_prepares_before_it_enters_and_once_for_each_game() -> None:
    class Careful(First):
        def prepare(self, games: Sequence[str]) -> None:
            self.told.append(list(games))

    bot = Careful()

    async def loses(peer: Peer) -> None:
        await peer.welcome()
        assert bot.told == [["some", "other"]]
        peer.lose()

    async def stays(peer: Peer) -> None:
        await peer.welcome()
        assert len(bot.told) == 1

    await meet(bot, loses, stays)


async def test_a_bot_that_cannot_prepare_does_not_enter(closed_port: int) -> None:
    class Careless(First):
        async def prepare(self, games: Sequence[str]) -> None:
            raise FileNotFoundError("the book is not there")

    with pytest.raises(NotReady, match="FileNotFoundError: the book is not there"):
        await Client(Careless, url=f"ws://127.0.0.1:{closed_port}", token="t", patience=0).run()


async def test_a_match_from_start_to_end() -> None:
    bot = First()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        assert await peer.hear(wire.Move) == wire.Move(1, 0, "a1")
        await peer.say(wire.Accepted(1, 0), turn(ply=2))
        assert await peer.hear(wire.Move) == wire.Move(1, 2, "a1")
        await peer.say(wire.Accepted(1, 2), over())
        await peer.silence()

    await meet(bot, script)
    assert bot.told == [match(), 0, 2, over()]


async def test_a_reply_tells_of_its_search_and_may_offer_a_draw() -> None:
    class Telling(First):
        def move(self, turn: Turn) -> Reply:
            return Reply("b2", score=1.5, depth=7, nodes=123, pv=["b2", "c3"], offer_draw=True)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        assert await peer.hear(wire.OfferDraw) == wire.OfferDraw(1)
        told = wire.Info(score=1.5, depth=7, nodes=123, pv=["b2", "c3"])
        assert await peer.hear(wire.Move) == wire.Move(1, 0, "b2", told)
        await peer.say(wire.Accepted(1, 0), wire.DrawDeclined(1), over())

    await meet(Telling, script)


async def test_async_methods_and_resignation() -> None:
    class Async(First):
        async def move(self, turn: Turn) -> Answer:
            await asyncio.sleep(0)
            return Resign()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        assert await peer.hear(wire.Resign) == wire.Resign(1)
        await peer.say(over())

    await meet(Async, script)


async def test_plain_methods_leave_the_event_loop_alone() -> None:
    thinking, told = threading.Event(), threading.Event()

    class Blocking(First):
        def move(self, turn: Turn) -> str:
            thinking.set()
            assert told.wait(PATIENCE)  # in vain, were it the event loop that waits
            return "a1"

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        while not thinking.is_set():  # noqa: ASYNC110  # another thread sets it
            await asyncio.sleep(0.01)
        told.set()
        await peer.hear(wire.Move)

    await meet(Blocking, script)


async def test_a_factory_gives_each_match_a_bot_that_thinks_beside_the_others() -> None:
    together = threading.Barrier(2, timeout=PATIENCE)

    class Meeting(First):
        capacity = 2

        def move(self, turn: Turn) -> str:
            together.wait()
            return "a1"

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(1), match(2), turn(1), turn(2))
        assert {(await peer.hear(wire.Move)).match, (await peer.hear(wire.Move)).match} == {1, 2}

    await meet(Meeting, script)


async def test_one_bot_for_all_matches_is_asked_one_question_at_a_time() -> None:
    class Alone(First):
        capacity = 4
        inside = 0

        def move(self, turn: Turn) -> str:
            self.inside += 1
            assert self.inside == 1
            time.sleep(0.02)
            self.inside -= 1
            return "a1"

    async def script(peer: Peer) -> None:
        await peer.welcome()
        for number in range(1, 5):
            await peer.say(match(number), turn(number))
        assert {(await peer.hear(wire.Move)).match for _ in range(4)} == {1, 2, 3, 4}

    await meet(Alone(), script, on_crash="raise")


@pytest.mark.parametrize("answer", [RuntimeError("no idea"), None, 7, "", "m" * 101, "\ud800", Reply("a1", pv=[""])])
async def test_a_crash_costs_one_match_only(answer: object) -> None:
    class Clumsy(First):
        def move(self, turn: Turn) -> Answer:
            if turn.match == 1:
                if isinstance(answer, Exception):
                    raise answer
                return answer  # type: ignore[return-value]  # that is the mistake
            return "a1"

    bot = Clumsy()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(1), match(2), turn(1))
        given_up = await peer.hear(wire.Resign)
        assert given_up.match == 1
        assert "Error: " in given_up.failure or "Refusal: " in given_up.failure
        await peer.say(over(1), turn(2))
        assert (await peer.hear(wire.Move)).match == 2

    await meet(bot, script)
    assert over(1) in bot.told


class Closing(First):
    """Notes who was closed, and does not hurry."""

    closed: list["Closing"]

    async def close(self) -> None:
        await asyncio.sleep(0.05)
        self.closed.append(self)


@pytest.fixture
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a client that ends wait for its bots, on a machine that is busy with other things."""
    monkeypatch.setattr(client, "_LAST_MOMENT", PATIENCE)
    monkeypatch.setattr(playing, "_CLOSED_WITHIN", PATIENCE)


@pytest.mark.usefixtures("_patient")
async def test_the_bot_of_a_match_is_closed_with_it_and_all_when_the_client_ends() -> None:
    class Noting(Closing):
        closed: list[Closing] = []  # noqa: RUF012  # shared by the bots

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(1), match(2), over(1))
        async with asyncio.timeout(PATIENCE):
            while not Noting.closed:  # noqa: ASYNC110  # it happens elsewhere
                await asyncio.sleep(0.01)
        assert Noting.closed[0].told[-1] == over(1)

    await meet(Noting, script)
    assert len({id(bot) for bot in Noting.closed}) == len(Noting.closed) == 3


@pytest.mark.usefixtures("_patient")
async def test_a_bot_of_all_matches_is_closed_once() -> None:
    bot = Closing()
    bot.closed = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(1), match(2), over(1))
        await peer.silence()
        assert bot.closed == []

    await meet(bot, script)
    assert bot.closed == [bot]


async def test_a_bot_that_fails_to_close_does_not_block_the_client(caplog: pytest.LogCaptureFixture) -> None:
    class Stuck(First):
        async def close(self) -> None:
            raise OSError("the file is gone")

    async def script(peer: Peer) -> None:
        await peer.welcome()

    await meet(Stuck, script)
    assert "could not be closed" in caplog.text


async def test_a_crash_may_end_the_client() -> None:
    class Clumsy(First):
        def move(self, turn: Turn) -> str:
            raise RuntimeError("no idea")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        assert await peer.hear(wire.Resign) == wire.Resign(1, failure="RuntimeError: no idea")
        with pytest.raises(ConnectionClosed):
            await peer.socket.recv()

    with pytest.raises(RuntimeError, match="no idea"):
        await meet(Clumsy, script, on_crash="raise")


async def test_a_factory_that_fails_gives_the_match_up() -> None:
    made = 0

    def make() -> Bot:
        nonlocal made
        made += 1
        if made > 1:
            raise RuntimeError("no more bots")
        return First()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.hear(wire.Resign)

    await meet(make, script)


async def test_entering_raises_the_reason_of_a_refusal() -> None:
    async def script(peer: Peer) -> None:
        await peer.hear(wire.Hello)
        await peer.socket.close(CloseCode.UNKNOWN_TOKEN, "no such token")

    async with scripted(script) as arena:
        with pytest.raises(Rejected, match="no such token"):
            async with Client(First, url=arena.url, token="t"):
                raise AssertionError("nobody was let in")


async def test_messages_of_a_later_protocol_are_ignored() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.socket.send('{"type": "weather", "sunny": true}')
        await peer.socket.send("no JSON at all")
        await peer.socket.send(b"\xff\xfe")
        await peer.say(match(), turn())
        await peer.hear(wire.Move)

    await meet(First, script)


@pytest.mark.usefixtures("_patient")
async def test_closing_stops_searches_and_reports_the_match_that_ended() -> None:
    thinking, stopped = threading.Event(), threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            thinking.set()
            assert stopped.wait(PATIENCE)
            return "a1"

        def stop(self, match: int) -> None:
            stopped.set()

        def match_over(self, over: Over) -> None:
            time.sleep(0.2)
            self.told.append(over)

    bot = Thinker()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(1), match(2), turn(2), over(1))
        await asyncio.to_thread(thinking.wait, PATIENCE)

    await meet(bot, script)
    assert stopped.is_set()
    assert over(1) in bot.told


async def test_a_bot_that_never_stops_thinking_cannot_keep_the_client_from_ending() -> None:
    forever, ended = threading.Event(), threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            forever.wait(2 * PATIENCE)
            ended.set()
            return "a1"

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.silence(0.05)

    async with asyncio.timeout(PATIENCE):
        await meet(Thinker, script)
    assert not ended.is_set()
    forever.set()
