# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK against an arena that says what the test tells it to, over real sockets."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Sequence
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from arena.protocol import messages as wire
from arena.protocol.errors import CloseCode, ErrorCode
from bots.bot import Answer, Bot, Challenged, Match, Over, Reply, Resign, Turn
from bots.client import ArenaError, ChallengeRefused, Client, NotReady, Rejected, Unreachable
from tests.bots.client.scripted import PLAYERS, Peer, match, meet, over, scripted, turn


class First(Bot):
    """Plays the first legal move and remembers what it is told."""

    name = "first"
    version = "3"
    games = ("some", "other")

    def __init__(self) -> None:
        self.told: list[object] = []

    def move(self, turn: Turn) -> Answer | Awaitable[Answer]:
        assert turn.legal_moves
        self.told.append(turn.ply)
        return turn.legal_moves[0]

    def match_started(self, match: Match) -> None:
        self.told.append(match)

    def match_over(self, over: Over) -> None:
        self.told.append(over)


async def test_hello_says_what_the_bot_is() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert hello == wire.Hello(1, "t", ["some", "other"], "3", hello.software, 4, ladder=False)
        assert hello.software.startswith("bot-arena")

    await meet(First(), script, capacity=4, ladder=False)


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


async def test_a_bot_that_cannot_prepare_does_not_enter(unused_tcp_port: int) -> None:
    class Careless(First):
        async def prepare(self, games: Sequence[str]) -> None:
            raise FileNotFoundError("the book is not there")

    with pytest.raises(NotReady, match="FileNotFoundError: the book is not there"):
        await Client(Careless, url=f"ws://127.0.0.1:{unused_tcp_port}", token="t", patience=0).run()


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
    class Blocking(First):
        def move(self, turn: Turn) -> str:
            assert threading.current_thread() is not threading.main_thread()
            time.sleep(0.3)
            return "a1"

    ticks = 0

    async def script(peer: Peer) -> None:
        nonlocal ticks
        await peer.welcome()
        await peer.say(match(), turn())
        hearing = asyncio.create_task(peer.hear(wire.Move))
        while not hearing.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await hearing

    await meet(Blocking, script)
    assert ticks > 10


async def test_a_factory_gives_each_match_a_bot_that_thinks_beside_the_others() -> None:
    together = threading.Barrier(2, timeout=5)

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
        assert await peer.hear(wire.Resign) == wire.Resign(1)
        await peer.say(over(1), turn(2))
        assert (await peer.hear(wire.Move)).match == 2

    await meet(bot, script)
    assert over(1) in bot.told


async def test_a_crash_may_end_the_client() -> None:
    class Clumsy(First):
        def move(self, turn: Turn) -> str:
            raise RuntimeError("no idea")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.hear(wire.Resign)
        with pytest.raises(ConnectionClosed):
            await peer.socket.recv()

    with pytest.raises(RuntimeError, match="no idea"):
        await meet(Clumsy, script, on_crash="raise")


async def test_a_factory_that_fails_resigns_the_match() -> None:
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


# ---------------------------------------------------------------- lost connections


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
            assert lost.wait(5)
            return "c3"

    bot = Patient()

    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await asyncio.to_thread(thinking.wait, 5)
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
            assert turn.ply == 2 or stopped.wait(5)
            return f"a{turn.ply}"

        def stop(self, match: int) -> None:
            stopped.set()

    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await asyncio.to_thread(thinking.wait, 5)
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
            assert stopped.wait(5)
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


async def test_goodbye_says_when_to_come_back() -> None:
    left = back = 0.0

    async def leaves(peer: Peer) -> None:
        nonlocal left
        await peer.welcome()
        await peer.say(wire.Goodbye("back in a moment", retry_after=500))
        await peer.socket.close(CloseCode.GOING_AWAY)
        left = time.monotonic()

    async def returns(peer: Peer) -> None:
        nonlocal back
        back = time.monotonic()
        await peer.welcome()

    await meet(First, leaves, returns)
    assert 0.5 <= back - left < 2


@pytest.mark.parametrize(
    "code", [CloseCode.UNKNOWN_TOKEN, CloseCode.REMOVED, CloseCode.REPLACED, CloseCode.UNSUPPORTED_PROTOCOL]
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


async def test_no_arena_there(unused_tcp_port: int) -> None:
    client = Client(First, url=f"ws://127.0.0.1:{unused_tcp_port}", token="t", patience=0.5)
    with pytest.raises(Unreachable, match=str(unused_tcp_port)):
        await client.run()


async def test_closing_while_no_arena_is_there(unused_tcp_port: int) -> None:
    client = Client(First, url=f"ws://127.0.0.1:{unused_tcp_port}", token="t")
    running = asyncio.create_task(client.run())
    await asyncio.sleep(0.1)
    await client.close()
    await asyncio.wait_for(running, 1)


# ---------------------------------------------------------------- draws and challenges


class Peaceful(First):
    """Accepts every draw."""

    def draw_offered(self, match: int) -> bool:
        self.told.append(("offer", match))
        return True


async def test_an_offer_is_answered_once() -> None:
    class Stubborn(First):
        def draw_offered(self, match: int) -> bool:
            self.told.append(("offer", match))
            return False

    bot = Stubborn()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), wire.DrawOffered(1))
        assert await peer.hear(wire.AnswerDraw) == wire.AnswerDraw(1, False)
        await peer.say(turn(draw_offered=True))
        assert (await peer.hear(wire.Move)).ply == 0
        await peer.say(wire.Accepted(1, 0), turn(ply=2, draw_offered=True))

    await meet(bot, script)
    assert bot.told.count(("offer", 1)) == 1


async def test_an_offer_that_comes_with_the_turn() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn(draw_offered=True))
        assert await peer.hear(wire.AnswerDraw) == wire.AnswerDraw(1, True)
        await peer.say(over())
        await peer.silence()

    await meet(Peaceful, script)


async def test_an_offer_that_is_gone_when_it_is_accepted_leaves_the_move_to_make() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn(draw_offered=True))
        await peer.hear(wire.AnswerDraw)
        await peer.say(wire.Error(ErrorCode.NO_OFFER, "there is none", match=1))
        assert (await peer.hear(wire.Move)).ply == 0

    await meet(Peaceful, script)


@pytest.mark.parametrize("accepts", [True, False, None])
async def test_being_challenged(accepts: bool | None) -> None:
    class Choosy(First):
        async def challenged(self, challenge: Challenged) -> bool:
            if accepts is None:
                raise RuntimeError("cannot decide")
            return accepts

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(wire.Challenged(9, PLAYERS[1], "some", False, None, 1000))
        assert await peer.hear(wire.AnswerChallenge) == wire.AnswerChallenge(9, bool(accepts))

    await meet(Choosy, script)


async def test_challenging() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        asked = await peer.hear(wire.Challenge)
        assert asked == wire.Challenge("them", "some", rated=True)
        await peer.say(wire.ChallengeOpened(5, "them", "some"), wire.ChallengeClosed(5, "accepted", [11, 12]))
        await peer.hear(wire.Challenge)
        await peer.say(wire.ChallengeOpened(6, "them", "some"), wire.ChallengeClosed(6, "declined"))
        await peer.hear(wire.Challenge)
        await peer.say(wire.Error(ErrorCode.UNKNOWN_BOT, "nobody is called them"))
        await peer.hear(wire.Challenge)
        await peer.say(wire.ChallengeOpened(7, "them", "some"))
        assert await peer.hear(wire.WithdrawChallenge) == wire.WithdrawChallenge(7)
        await peer.hear(wire.Challenge)
        await peer.say(wire.ChallengeOpened(8, "them", "some"))
        peer.lose()

    async def again(peer: Peer) -> None:
        await peer.welcome()

    async with scripted(script, again) as arena, Client(First, url=arena.url, token="t") as client:
        assert await client.challenge("them", "some", rated=True) == [11, 12]
        with pytest.raises(ChallengeRefused, match="declined"):
            await client.challenge("them", "some")
        with pytest.raises(ChallengeRefused, match="nobody"):
            await client.challenge("them", "some")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.challenge("them", "some"), 0.2)
        with pytest.raises(ArenaError, match="lost"):
            await client.challenge("them", "some")


async def test_orders_from_outside_the_bot() -> None:
    async def script(peer: Peer) -> None:
        assert (await peer.welcome()).games == ["some", "other"]
        await peer.say(match(1))
        assert await peer.hear(wire.OfferDraw) == wire.OfferDraw(1)
        assert await peer.hear(wire.Resign) == wire.Resign(1)
        assert await peer.hear(wire.Availability) == wire.Availability(False, True)
        with pytest.raises(ConnectionClosed):
            await peer.socket.recv()

    async def again(peer: Peer) -> None:
        hello = await peer.welcome(1)
        assert (hello.games, hello.ladder, hello.challenges) == (["other"], False, True)

    async with scripted(script, again) as arena, Client(First, url=arena.url, token="t") as client:
        assert client.connected
        assert client.name == "us"
        await client.offer_draw(1)
        await client.resign(1)
        await client.be_available(ladder=False, challenges=True)
        await client.play_games(["other"])
        await arena.done()


async def test_entering_raises_what_keeps_the_bot_out() -> None:
    async def script(peer: Peer) -> None:
        await peer.hear(wire.Hello)
        await peer.socket.close(CloseCode.UNKNOWN_TOKEN, "no such token")

    async with scripted(script) as arena:
        with pytest.raises(Rejected, match="no such token"):
            async with Client(First, url=arena.url, token="t"):
                raise AssertionError("nobody was let in")


async def test_what_a_later_protocol_says_is_passed_over() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.socket.send('{"type": "weather", "sunny": true}')
        await peer.socket.send("no JSON at all")
        await peer.socket.send(b"\xff\xfe")
        await peer.say(match(), turn())
        await peer.hear(wire.Move)

    await meet(First, script)


async def test_closing_stops_who_thinks_and_lets_the_ended_match_be_told() -> None:
    thinking, stopped = threading.Event(), threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            thinking.set()
            assert stopped.wait(5)
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
        await asyncio.to_thread(thinking.wait, 5)

    await meet(bot, script)
    assert stopped.is_set()
    assert over(1) in bot.told


async def test_a_bot_that_never_stops_thinking_cannot_keep_the_client_from_ending() -> None:
    forever = threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            forever.wait(30)
            return "a1"

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        await peer.silence(0.05)

    began = time.monotonic()
    await meet(Thinker, script)
    assert time.monotonic() - began < 5
    forever.set()
