# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK comes back when its connection is lost, resumes its matches, and knows when it is not wanted."""

import asyncio
import re
import threading
import time
from collections.abc import Sequence
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from arena.protocol import messages as wire
from arena.protocol.errors import CloseCode, ErrorCode
from bots.bot import Turn
from bots.client import Client, Rejected, Unreachable
from tests.bots.client.first import First
from tests.bots.client.scripted import PATIENCE, Peer, match, meet, over, scripted, turn


async def test_a_move_that_was_not_accepted_is_sent_again() -> None:
    bot = First()

    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.hear(wire.Move)
        peer.lose()

    async def resumes(peer: Peer) -> None:
        await peer.welcome(1)
        await peer.say(match(), turn())
        assert await peer.hear(wire.Move) == wire.Move(1, 0, "a1")
        await peer.say(wire.Accepted(1, 0), over())

    await meet(bot, loses, resumes)
    assert bot.told == [match(), 0, match(), over()], "the bot is asked once"


async def test_a_move_found_while_the_connection_was_lost_is_sent_after() -> None:
    thinking, lost = threading.Event(), threading.Event()

    class Patient(First):
        def move(self, turn: Turn) -> str:
            self.told.append(turn.ply)
            thinking.set()
            assert lost.wait(PATIENCE)
            return "c3"

    bot = Patient()

    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await asyncio.to_thread(thinking.wait, PATIENCE)
        peer.lose()

    async def resumes(peer: Peer) -> None:
        lost.set()
        await peer.welcome(1)
        await peer.say(match(), turn())
        assert (await peer.hear(wire.Move)).move == "c3"

    await meet(bot, loses, resumes)
    assert bot.told.count(0) == 1


async def test_a_move_whose_acceptance_was_lost_is_not_sent_again() -> None:
    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.hear(wire.Move)
        peer.lose()

    async def resumes(peer: Peer) -> None:
        await peer.welcome(1)
        await peer.say(match(ply=2, moves=("a1", "b2")), turn(ply=2))
        assert (await peer.hear(wire.Move)).ply == 2

    await meet(First, loses, resumes)


async def test_thinking_about_a_ply_that_has_gone_by_is_given_up() -> None:
    """The bot played on through another connection, say."""
    thinking, stopped = threading.Event(), threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            thinking.set()
            assert turn.ply == 2 or stopped.wait(PATIENCE)
            return f"a{turn.ply}"

        def stop(self, match: int) -> None:
            stopped.set()

    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await asyncio.to_thread(thinking.wait, PATIENCE)
        peer.lose()

    async def resumes(peer: Peer) -> None:
        await peer.welcome(1)
        await peer.say(match(ply=2, moves=("b2", "c3")), turn(ply=2))
        assert await peer.hear(wire.Move) == wire.Move(1, 2, "a2")
        await peer.silence()

    await meet(Thinker, loses, resumes)
    assert stopped.is_set()


async def test_a_turn_that_is_asked_twice_is_thought_about_once() -> None:
    bot = First()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn(), turn())
        assert (await peer.hear(wire.Move)).ply == 0
        await peer.say(turn())
        assert (await peer.hear(wire.Move)).ply == 0
        await peer.say(wire.Accepted(1, 0), over())
        await peer.silence(0.05)

    await meet(bot, script)
    assert bot.told.count(0) == 1


async def test_a_match_that_ended_unseen_is_forgotten() -> None:
    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(1), match(2))
        await peer.silence(0.05)
        peer.lose()

    async def resumes(peer: Peer) -> None:
        await peer.welcome(2)
        await peer.say(match(2))
        await peer.silence(0.05)
        assert client.matches == [2]

    async with scripted(loses, resumes) as arena, Client(First, url=arena.url, token="t") as client:
        await arena.done()


async def test_thinking_stops_when_the_match_is_over() -> None:
    stopped = threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            assert stopped.wait(PATIENCE)
            return "a1"

        def stop(self, match: int) -> None:
            assert match == 1
            stopped.set()

    bot = Thinker()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.silence(0.05)
        await peer.say(over())
        await peer.silence()

    await meet(bot, script)
    assert stopped.is_set()
    assert bot.told[-1] == over()


async def test_goodbye_says_when_to_come_back(caplog: pytest.LogCaptureFixture) -> None:
    left = back = 0.0

    async def leaves(peer: Peer) -> None:
        nonlocal left
        await peer.welcome()
        left = time.monotonic()
        await peer.say(wire.Goodbye("back in a moment", retry_after=500))
        await peer.socket.close(CloseCode.GOING_AWAY)

    async def returns(peer: Peer) -> None:
        nonlocal back
        back = time.monotonic()
        await peer.welcome()

    await meet(First, leaves, returns)
    assert back - left >= 0.5
    assert re.search(r"next try in 0\.[67] s", caplog.text)


@pytest.mark.parametrize(
    "code",
    [
        CloseCode.UNKNOWN_TOKEN,
        CloseCode.REMOVED,
        CloseCode.REPLACED,
        CloseCode.TOO_MANY_VERSIONS,
        CloseCode.UNSUPPORTED_PROTOCOL,
    ],
)
async def test_a_bot_that_is_not_wanted_stays_away(code: CloseCode) -> None:
    async def script(peer: Peer) -> None:
        await peer.hear(wire.Hello)
        await peer.say(wire.Error(ErrorCode.UNKNOWN_TOKEN, "because of this", fatal=True))
        await peer.socket.close(code)

    async with scripted(script) as arena:
        with pytest.raises(Rejected, match="because of this") as caught:
            await Client(First, url=arena.url, token="t").run()
    assert caught.value.code == code


async def test_goodbye_for_good() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(wire.Goodbye("we close down"))
        await peer.socket.close()

    with pytest.raises(Rejected, match="we close down"):
        await meet(First, script)


async def test_a_server_that_is_no_arena_is_left_alone_and_one_in_trouble_is_not() -> None:
    answers = [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.NOT_FOUND]

    def answer(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(answers.pop(0), "")

    async def refuse(connection: ServerConnection) -> None:
        raise AssertionError("nobody is let in here")

    async with serve(refuse, "127.0.0.1", 0, process_request=answer) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(Rejected, match="HTTP 404"):
            await Client(First, url=f"ws://127.0.0.1:{port}", token="t").run()
    assert not answers


async def test_no_arena_there(closed_port: int) -> None:
    client = Client(First, url=f"ws://127.0.0.1:{closed_port}", token="t", patience=0.5)
    with pytest.raises(Unreachable, match=str(closed_port)):
        await client.run()


async def test_closing_while_no_arena_is_there(closed_port: int) -> None:
    client = Client(First, url=f"ws://127.0.0.1:{closed_port}", token="t")
    running = asyncio.create_task(client.run())
    await asyncio.sleep(0.1)
    await client.close()
    await asyncio.wait_for(running, PATIENCE)


async def test_closing_while_the_connection_is_being_made() -> None:
    connecting, go_on = asyncio.Event(), asyncio.Event()

    async def hold_up(connection: ServerConnection, request: Request) -> None:
        connecting.set()
        await go_on.wait()

    async def never_speaks(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with serve(never_speaks, "127.0.0.1", 0, process_request=hold_up) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        client = Client(First, url=f"ws://127.0.0.1:{port}", token="t")
        running = asyncio.create_task(client.run())
        await asyncio.wait_for(connecting.wait(), PATIENCE)
        await client.close()
        go_on.set()
        await asyncio.wait_for(running, PATIENCE)


async def test_other_games_while_the_bot_gets_ready_for_the_first() -> None:
    getting_ready, go_on = threading.Event(), threading.Event()

    class Slow(First):
        def prepare(self, games: Sequence[str]) -> None:
            getting_ready.set()
            assert go_on.wait(PATIENCE)

    async def hears_too_late(peer: Peer) -> None:
        await peer.socket.wait_closed()

    async def script(peer: Peer) -> None:
        assert (await peer.welcome()).games == ["other"]

    async with scripted(hears_too_late, script) as arena:
        client = Client(Slow, url=arena.url, token="t")
        running = asyncio.create_task(client.run())
        assert await asyncio.to_thread(getting_ready.wait, PATIENCE)
        await client.play_games(["other"])
        go_on.set()
        await arena.done()
        await client.close()
        await running
