# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw offers, challenges, and orders from outside the bot."""

import asyncio
import threading

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from arena.protocol import messages as wire
from arena.protocol.errors import ErrorCode
from bots.bot import Challenged, Turn
from bots.client import ArenaError, ChallengeRefused, Client
from bots.client.challenges import Challenges
from tests.bots.client.first import First
from tests.bots.client.scripted import PATIENCE, PLAYERS, Peer, match, meet, over, scripted, turn


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


async def test_an_acceptance_that_is_lost_with_the_connection_is_given_again() -> None:
    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn(draw_offered=True))
        await peer.hear(wire.AnswerDraw)
        peer.lose()

    async def resumes(peer: Peer) -> None:
        await peer.welcome(1)
        await peer.say(match(), turn(draw_offered=True))
        assert await peer.hear(wire.AnswerDraw) == wire.AnswerDraw(1, True)
        await peer.say(over())

    await meet(Peaceful, loses, resumes)


async def test_an_offer_that_was_missed_is_seen_in_the_state_of_the_match() -> None:
    async def loses(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(ply=1))
        peer.lose()

    async def resumes(peer: Peer) -> None:
        await peer.welcome(1)
        await peer.say(replace(match(ply=1), draw_offered=True))
        assert await peer.hear(wire.AnswerDraw) == wire.AnswerDraw(1, True)
        await peer.say(over())

    await meet(Peaceful, loses, resumes)


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


async def test_a_challenge_is_answered_while_the_bot_thinks() -> None:
    thinking, answered = threading.Event(), threading.Event()

    class Thinker(First):
        def move(self, turn: Turn) -> str:
            thinking.set()
            assert answered.wait(PATIENCE)
            return "a1"

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(match(), turn())
        assert await asyncio.to_thread(thinking.wait, PATIENCE)
        await peer.say(wire.Challenged(9, PLAYERS[1], "some", False, None, 1000))
        assert await peer.hear(wire.AnswerChallenge) == wire.AnswerChallenge(9, True)
        answered.set()
        await peer.hear(wire.Move)

    await meet(Thinker(), script, on_crash="raise")


async def test_a_challenge_that_is_closed_is_not_answered() -> None:
    asked: list[int] = []
    choosing, closed = threading.Event(), threading.Event()

    class Slow(First):
        def challenged(self, challenge: Challenged) -> bool:
            asked.append(challenge.challenge)
            choosing.set()
            assert closed.wait(PATIENCE)
            return True

    def challenged(number: int) -> wire.Challenged:
        return wire.Challenged(number, PLAYERS[1], "some", False, None, 1000)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(challenged(1), challenged(2), challenged(3))
        assert await asyncio.to_thread(choosing.wait, PATIENCE)
        await peer.say(wire.ChallengeClosed(1, "withdrawn"), wire.ChallengeClosed(2, "expired"), match(), turn())
        await peer.hear(wire.Move)  # so that it has heard what came before
        closed.set()
        assert await peer.hear(wire.AnswerChallenge) == wire.AnswerChallenge(3, True)

    await meet(Slow(), script)
    assert asked == [1, 3]


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


async def test_a_lost_connection_fails_all_challenges() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.hear(wire.Challenge)
        await peer.hear(wire.Challenge)
        await peer.say(wire.ChallengeOpened(1, "them", "some"))
        peer.lose()

    async def again(peer: Peer) -> None:
        await peer.welcome()
        await peer.hear(wire.Challenge)
        await peer.say(wire.ChallengeOpened(2, "them", "some"), wire.ChallengeClosed(2, "accepted", [7]))

    async with scripted(script, again) as arena, Client(First, url=arena.url, token="t") as client:
        challenges = [client.challenge("them", "some") for _ in range(2)]
        async with asyncio.timeout(PATIENCE):
            for failed in await asyncio.gather(*challenges, return_exceptions=True):
                assert isinstance(failed, ArenaError)
        assert await client.challenge("them", "some") == [7]


async def test_challenging_without_a_connection() -> None:
    async def nowhere(message: wire.BotMessage) -> bool:
        return False

    with pytest.raises(ArenaError, match="lost"):
        await asyncio.wait_for(Challenges(nowhere).make(wire.Challenge("them", "some")), PATIENCE)


async def test_a_challenge_that_is_cancelled_before_it_is_opened_is_withdrawn_then() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        assert (await peer.hear(wire.Challenge)).opponent == "first"
        first.cancel()
        assert (await peer.hear(wire.Challenge)).opponent == "second"
        await peer.say(wire.ChallengeOpened(1, "first", "some"), wire.ChallengeOpened(2, "second", "some"))
        assert await peer.hear(wire.WithdrawChallenge) == wire.WithdrawChallenge(1)
        await peer.say(wire.ChallengeClosed(1, "withdrawn"), wire.ChallengeClosed(2, "accepted", [7]))

    async with scripted(script) as arena, Client(First, url=arena.url, token="t") as client:
        first = asyncio.create_task(client.challenge("first", "some"))
        await asyncio.wait({first}, timeout=PATIENCE)
        assert first.cancelled()
        assert await client.challenge("second", "some") == [7]
        await arena.done()


@pytest.mark.parametrize("early", [True, False], ids=["asked before", "asked after"])
async def test_a_client_that_has_ended_refuses_to_challenge(early: bool, closed_port: int) -> None:
    client = Client(First, url=f"ws://127.0.0.1:{closed_port}", token="t")
    running = asyncio.create_task(client.run())
    await asyncio.sleep(0)
    challenge = client.challenge("them", "some")
    asking = asyncio.create_task(challenge) if early else None
    await asyncio.sleep(0)
    await client.close()
    await running
    with pytest.raises(ArenaError, match="ended"):
        await asyncio.wait_for(asking or challenge, PATIENCE)


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
