# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of peers that vanish, stall and flood."""

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.protocol.errors import CloseCode
from lab.processes import usage_of
from lab.proofs.attacks.bad_connections import Fault, Proxy, RawSocket
from lab.proofs.clients import playing, undisturbed, witnesses_play
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

ROUNDS = 40
"""Of each kind of misbehaviour."""

TABLES = 8
"""Of the matches beside."""

HELLO_TIMEOUT = 6.0
OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe,checkers", "--time-controls", "checkers=60+2",
    "--ladder-interval", "0.1",
    "--ladder-pause", "0", "--hello-timeout", str(HELLO_TIMEOUT), "--outbox-messages", "200",
    # all its peers come from one address, which may do here what many may do together
    "--connection-rate", "100000", "--silent-rate", "100000", "--token-rate", "1000",
)  # fmt: skip


async def prove_floods(ledger: Ledger) -> None:
    """Peers that vanish, stall and flood

    A misbehaving peer loses its own connection, in good time and with the documented code, and delays no other: matches
    beside it keep their pace. Bots on a bad network, with delays, cuts in the middle of messages and connections that
    overtake each other, play their matches to the end. Peers vanish, close half of a connection, connect twice at once,
    send byte by byte, do not speak HTTP, send no hello, never read, and flood, as bots and as spectators.
    """
    async with ledger.serving(*OPTIONS) as server:
        await server.ready()
        peers = Peers(server)
        await peers.register()
        await _network(ledger, server)
        async with playing(server, TABLES) as before:
            await asyncio.sleep(max(3.0, 15 * ledger.scale))
        memory, began = usage_of(server.pid), time.monotonic()
        async with playing(server, TABLES) as during:
            outcomes = await _misbehave(peers, ledger.times(ROUNDS, 1))
        after, seconds = usage_of(server.pid), time.monotonic() - began
    undisturbed(before)
    undisturbed(during)
    for what, ends in outcomes.items():
        ledger.note_counts(what, ends)
    ledger.note("moves of the matches beside", during.moves)
    ledger.note_latency("time from a move to the turn of the opponent, before", before.relay)
    ledger.note_latency("time from a move to the turn of the opponent, meanwhile", during.relay)
    if memory and after:
        ledger.note("memory that the server took meanwhile", f"{max(0, after.bytes - memory.bytes) / 1e6:,.0f} MB")
        assert after.bytes - memory.bytes < 200e6
        ledger.note("processors that it kept busy", (after.cpu - memory.cpu) / seconds)


async def _misbehave(peers: "Peers", rounds: int) -> dict[str, Counter[str]]:
    """Run each kind of misbehaving peer ``count`` times, all kinds at once."""
    outcomes: dict[str, Counter[str]] = {}

    async def repeat(what: str, act: Callable[[int], Awaitable[str]]) -> None:
        ends = outcomes[what] = Counter[str]()
        once = act in (peers.mute, peers.dead)
        for number in range(1 if once else rounds):
            async with asyncio.timeout(60):
                ends[await act(number)] += 1

    async with asyncio.TaskGroup() as group:
        for what, act in peers.kinds().items():
            if rounds > 1 or act != peers.dead:
                group.create_task(repeat(what, act))
    return outcomes


class Peers:
    """Peers that misbehave: each returns how the arena ended it, and fails if that is not documented."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._tokens: dict[str, str] = {}

    async def register(self) -> None:
        """Register the bots among them."""
        self._tokens = await self._server.register("half", "twice", "slow", "deaf", "flood", "gone")

    def kinds(self) -> dict[str, Callable[[int], Awaitable[str]]]:
        """Return all kinds, by description."""
        return {
            "say no hello, twenty at once": self.mute,
            "answer no ping, twenty at once": self.dead,
            "are no HTTP": self._noise,
            "vanish without a word, then come back": self._vanish,
            "hang up half": self._half,
            "connect twice at once": self._twice,
            "send byte by byte": self._slow,
            "send and never read, as bots": self._deaf,
            "send and never read, as spectators": self._blind,
            "flood, as bots": self._flood,
            "flood, as spectators": self._crowd,
        }

    async def _socket(self, name: str = "", path: str = PLAY_PATH, port: int = 0) -> RawSocket:
        socket = await RawSocket.open(port or self._server.port, path)
        if name:
            await socket.say(type="hello", protocol=1, token=self._tokens[name], games=["nim"], ladder=False)
        return socket

    async def mute(self, number: int) -> str:
        """All at once, as each waits for its time to be up."""
        sockets = [await self._socket() for _ in range(20)]
        codes = set(await asyncio.gather(*(socket.closed() for socket in sockets)))
        assert codes == {CloseCode.NO_HELLO}, codes
        return f"ended with {int(CloseCode.NO_HELLO)}"

    async def dead(self, number: int) -> str:
        """All at once; it takes as long as it takes the arena to notice."""
        sockets = [await self._socket(path=WATCH_PATH) for _ in range(20)]
        codes = await asyncio.gather(*(socket.closed() for socket in sockets))
        assert not set(codes) - {None, CloseCode.GOING_AWAY, 1006}, codes
        return "hung up on"

    async def _noise(self, number: int) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        writer.write(os.urandom(300) if number % 2 else b"\x16\x03\x01\x02\x00\x01\x00" + os.urandom(200))
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        assert not answer or b" 400 " in answer.partition(b"\r\n")[0], answer[:100]
        return "answered with 400" if answer else "hung up on"

    async def _vanish(self, number: int) -> str:
        """The first connection is half open, as far as the arena knows; the second takes its place."""
        async with Proxy(self._server.port, lambda _: Fault()) as proxy:
            socket = await self._socket("gone", port=proxy.port)
            await socket.hear("welcome")
            proxy.fall_silent()
            again = await self._socket("gone")
            await again.hear("welcome")
            await again.hang_up()
            socket.abort()
        return "accepted again at once"

    async def _half(self, number: int) -> str:
        socket = await self._socket("half")
        await socket.hear("welcome")
        socket.writer.write_eof()
        await socket.closed()
        return "closed"

    async def _twice(self, number: int) -> str:
        sockets = await asyncio.gather(*(self._socket("twice") for _ in range(3)))
        codes = [asyncio.create_task(socket.closed()) for socket in sockets]
        done, left = await asyncio.wait(codes, timeout=1.0)
        assert len(left) == 1, "one connection plays on"
        assert {task.result() for task in done} == {CloseCode.REPLACED}
        for socket in sockets:
            socket.abort()
        await asyncio.wait(left)
        return f"all but one ended with {int(CloseCode.REPLACED)}"

    async def _slow(self, number: int) -> str:
        async with Proxy(self._server.port, lambda _: Fault(piece=1)) as proxy:
            socket = await self._socket("slow", port=proxy.port)
            await socket.hear("welcome")
            await socket.hang_up()
        return "welcome"

    async def _deaf(self, number: int) -> str:
        """Ask for more than the arena holds back for one bot, and read none of it."""
        socket = await self._socket("deaf")
        await socket.hear("welcome")
        return await socket.press({"type": "challenge", "opponent": "ÿ" * 60, "game": "chess"}, reading=False)

    async def _blind(self, number: int) -> str:
        socket = await self._socket(path=WATCH_PATH)
        return await socket.press({"type": "follow-lobby", "boards": 50}, reading=False)

    async def _flood(self, number: int) -> str:
        socket = await self._socket("flood")
        await socket.hear("welcome")
        end = await socket.press({"type": "sync", "match": 1}, reading=True)
        assert end in (f"ended with {int(CloseCode.FLOODING)}", "reset"), end
        return end

    async def _crowd(self, number: int) -> str:
        socket = await self._socket(path=WATCH_PATH)
        end = await socket.press({"type": "unfollow", "match": 1}, reading=True)
        assert end in (f"ended with {int(CloseCode.FLOODING)}", "reset"), end
        return end


async def _network(ledger: Ledger, server: Server) -> None:
    """Let four bots play through a bad network: two of them through cuts, two through delays, all overtaking."""
    random = Random("network")

    def fault(number: int) -> Fault:
        return Fault(
            delay=0.005,
            jitter=0.02,
            cut_after=random.randrange(400, 6000),
            held=random.choice((0.0, 0.0, 0.3)),
        )

    goal = ledger.times(60, 2)
    tokens = await server.register("near", "far", "rough", "smooth")
    async with Proxy(server.port, fault) as proxy:
        witnesses = [Witness(name, token, ["tictactoe"]) for name, token in tokens.items()]
        url = server.play_url.replace(f":{server.port}/", f":{proxy.port}/")
        async with witnesses_play(witnesses, lambda: url) as players:
            await until(players, lambda: len(ended(witnesses)) >= goal and proxy.connections >= goal)
        await compare(server, witnesses)
    ledger.note("connections of bots through a bad network", proxy.connections)
    ledger.note("matches that they played to the end", len(ended(witnesses)))
    ledger.note("moves acknowledged, all found", moves(witnesses))
    endings = Counter(json.dumps(over["termination"]) for each in witnesses for over in each.over.values())
    assert not {"time", "disconnect", "void"} & set(endings), endings
