# SPDX-License-Identifier: GPL-3.0-or-later
"""Running searches over real sockets: spectators see the newest info, and no bot can harm a match with it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection

from arena.watching.live_search import INTERVAL
from tests.web.door import Door
from tests.web.players import Message, RawBot, first_move, patient
from tests.web.test_match import get
from tests.web.test_peepers import challenged, seated

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Watcher:
    """A spectator of one match."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Message] = []

    async def until(self, kind: str, **fields: object) -> Message:
        """Read up to a message with these fields."""
        while True:
            message: Message = json.loads(await self.socket.recv())
            self.heard.append(message)
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def until_info(self) -> Message:
        """Read up to the next info of a running search."""
        while not (message := await self.until("live-thinking"))["info"]:
            pass
        return message

    @property
    def depths(self) -> list[int]:
        """Return the depths of the running searches that it saw."""
        infos = [message["info"] for message in self.heard if message["type"] == "live-thinking"]
        return [info["depth"] for info in infos if info]


@asynccontextmanager
async def watching(door: Door, match: int, *, thinking: bool = True) -> AsyncIterator[Watcher]:
    """Follow a match; the first message has arrived."""
    async with patient(door.watch_url) as socket:
        watcher = Watcher(socket)
        await socket.send(json.dumps({"type": "follow", "match": match, "thinking": thinking}))
        await watcher.until("snapshot")
        yield watcher


async def to_move(*bots: RawBot) -> tuple[RawBot, RawBot, Message]:
    """Return the bot that is to move first, the other, and the turn."""
    turns = [asyncio.create_task(bot.hear("turn")) for bot in bots]
    done, _ = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
    index = turns.index(next(iter(done)))
    turns[1 - index].cancel()
    await asyncio.gather(*turns, return_exceptions=True)
    return bots[index], bots[1 - index], turns[index].result()


async def think(bot: RawBot, turn: Message, depth: int, **info: object) -> None:
    """Show the search of a turn."""
    await bot.say("thinking", match=turn["match"], ply=turn["ply"], info={"depth": depth, **info})


async def test_spectators_see_the_newest_info_of_a_running_search(door: Door) -> None:
    loop = asyncio.get_running_loop()
    async with seated(door, "thinker", "thinker-too", open_info=True) as bots:
        match = await challenged(bots[0], bots[1], "thinker-too")
        async with watching(door, match) as watcher, watching(door, match, thinking=False) as plain:
            asked = loop.time()
            mover, other, turn = await to_move(*bots)
            began = loop.time()
            begun = await watcher.until("live-thinking", info={})
            assert (begun["ply"], begun["seat"]) == (turn["ply"], turn["seat"])
            assert "elapsed" not in begun
            legal = turn["legal_moves"][0]
            for depth in range(1, 31):
                await think(mover, turn, depth, score=0.5, nodes=1000, pv=[legal, "nonsense"])
            newest = await watcher.until(
                "live-thinking", info={"score": 0.5, "depth": 30, "nodes": 1000, "pv": [legal, "nonsense"]}
            )
            spent = loop.time() - began
            assert 0 < newest["elapsed"] <= 1000 * (loop.time() - asked) + 1
            assert (newest["ply"], newest["line"], len(newest["squares"])) == (turn["ply"], [legal], 1)
            assert watcher.depths == sorted(set(watcher.depths))
            assert len(watcher.depths) <= 2 + spent / INTERVAL, "at most four a second"

            await mover.move(turn, legal)
            made = await watcher.until("move-made")
            await plain.until("move-made")
            assert "info" not in made["made"], "it is not stored"
            assert plain.depths == [], "only spectators who asked for it get it"
            next_turn = await other.hear("turn")
            assert next_turn["watched"]
            # of another ply, and of the side that is not to move: dropped
            await think(mover, turn, 31)
            await think(mover, next_turn, 32)
            await other.move(next_turn, first_move(next_turn))
            await watcher.until("move-made")
            assert max(watcher.depths) == 30
            turn = await mover.hear("turn")
            await think(mover, turn, 40)
            shown = await watcher.until("live-thinking", ply=turn["ply"], info={"depth": 40})
            async with watching(door, match) as late:
                newest = await late.until("live-thinking")
                assert newest["info"] == shown["info"], "who comes later gets the newest info at once"
                assert newest.get("elapsed", 0) == shown.get("elapsed", 0), "zero is left out"
                assert newest.get("age", 0) >= shown.get("age", 0)
            await mover.say("resign", match=match)
            await watcher.until("match-over")
        answer = await get(door, f"/matches/{match}", "MatchDetailAnswer")
        assert all(move.get("info") is None for move in answer["moves"])
        await think(mover, turn, 50)
        assert (await mover.hear("error"))["code"] == "unknown-match", "the match is over"


async def test_a_running_search_is_not_shown_where_search_info_is_delayed(door: Door) -> None:
    async with seated(door, "secret", "secret-too") as bots:
        match = await challenged(bots[0], bots[1], "secret-too")
        async with watching(door, match) as watcher:
            mover, other, turn = await to_move(*bots)
            await think(mover, turn, 1)
            await mover.move(turn, first_move(turn))
            turn = await other.hear("turn")
            assert "watched" not in turn
            await watcher.until("live-thinking", ply=turn["ply"], info={})
            await think(other, turn, 2)
            await other.say("resign", match=match)
            await watcher.until("match-over")
            assert watcher.depths == []


async def test_a_flood_of_search_info_loses_no_match(door: Door) -> None:
    async with seated(door, "flooder", "flooded", open_info=True) as bots:
        match = await challenged(bots[0], bots[1], "flooded")
        async with watching(door, match) as watcher:
            mover, _, turn = await to_move(*bots)
            await asyncio.gather(*(think(mover, turn, depth) for depth in range(1, 301)))
            await mover.move(turn, first_move(turn))
            assert (await mover.hear("accepted", "error", "over"))["type"] == "accepted"
            await watcher.until("move-made")
        await mover.say("resign", match=match)
        await mover.hear("over")


async def test_search_info_that_does_not_fit_the_protocol_is_answered_with_a_code(door: Door) -> None:
    async with seated(door, "clumsy", "witness", open_info=True) as bots, seated(door, "stranger") as [stranger]:
        match = await challenged(bots[0], bots[1], "witness")
        async with watching(door, match) as watcher:
            mover, _, turn = await to_move(*bots)
            await mover.say("thinking", match=match, ply=turn["ply"], info={"depth": "deep"})
            assert (await mover.hear("error"))["code"] == "malformed"
            await think(mover, turn, 1, pv=["a1"] * 257)
            assert (await mover.hear("error"))["code"] == "malformed"
            await think(stranger, turn, 2)
            assert (await stranger.hear("error"))["code"] == "unknown-match"
            await think(mover, turn | {"match": 10**9}, 3)
            assert (await mover.hear("error"))["code"] == "unknown-match"
            await think(mover, turn, 4, pv=["x" * 100] * 256)
            cut = await watcher.until_info()
            assert len(cut["info"]["pv"]) < 32
            assert "line" not in cut, "no legal move"
            assert watcher.depths == [4]
        await mover.say("resign", match=match)
        await mover.hear("over")
