# SPDX-License-Identifier: GPL-3.0-or-later
"""A client with many connections exhausts only its own limits; trusted proxies have no limit."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.settings import Settings
from lab.proofs.attacks import slow_peers
from lab.proofs.attacks.bad_connections import RawSocket
from lab.proofs.attacks.slow_peers import HALF, NOTHING, WHOLE
from tests.arena.peers import PATIENCE, until
from tests.web.door import Door, opened, unhurried
from tests.web.players import connected, first_move, start_match
from web.intake.connection_limits import CONNECTION_LIMITS, ConnectionLimits

ELSEWHERE = "127.0.0.2"
"""The address of an attacker."""


class Wire:
    """A transport that notes whether it was closed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    def abort(self) -> None:
        self.closed = True

    def get_extra_info(self, name: str) -> Any:
        return {"peername": (self.address, 4711)}[name]


def make_limits(**settings: Any) -> ConnectionLimits:
    """Return what counts connections, with room for ten, six of an address."""
    return ConnectionLimits(Settings(http_connections=10, http_connections_each=6, **settings))


def opens(limits: ConnectionLimits, wire: Wire) -> bool:
    """Count a connection; returns whether it is taken on."""
    if not limits.admits(wire.get_extra_info("peername")):
        return False
    limits.opened(wire)
    return True


async def test_many_connections_of_one_address_close_only_its_own() -> None:
    limits = make_limits()
    honest = Wire("10.0.0.1")
    assert opens(limits, honest)
    crowd = [Wire("10.0.0.2") for _ in range(50)]
    assert all(opens(limits, each) for each in crowd)
    assert [each.closed for each in crowd] == [True] * 44 + [False] * 6
    others = [Wire(f"10.0.1.{number}") for number in range(5)]
    assert all(opens(limits, each) for each in others)
    assert not honest.closed
    assert [each.closed for each in crowd[-6:]] == [True] * 2 + [False] * 4
    assert len(limits) == 10


async def test_identified_connections_are_not_counted() -> None:
    limits = make_limits()
    bots = [Wire("10.0.0.1") for _ in range(60)]
    for each in bots:
        assert opens(limits, each)
        limits.identified(each)
    assert len(limits) == 0
    for each in bots:
        limits.unidentified(each)
    assert sum(not each.closed for each in bots) == 6
    for each in bots:
        limits.closed(each)
        limits.unidentified(each)
    assert len(limits) == 0


async def test_new_connections_of_an_address_are_rate_limited() -> None:
    limits = make_limits(connection_rate=0.001, connection_burst=5)
    crowd = [Wire("2001:db8::1" if number % 2 else "2001:db8::2") for number in range(20)]
    assert [opens(limits, each) for each in crowd] == [True] * 5 + [False] * 15
    assert opens(limits, Wire("2001:db8:0:1::1"))


async def test_a_trusted_proxy_has_no_connection_limit() -> None:
    limits = make_limits(connection_rate=0.001, connection_burst=2, trusted_proxies="10.0.0.1")
    crowd = [Wire("10.0.0.1") for _ in range(10)]
    assert all(opens(limits, each) for each in crowd)
    assert not any(each.closed for each in crowd)
    stranger = Wire("10.0.0.2")
    assert opens(limits, stranger)  # all together are still so many at most
    assert sum(each.closed for each in crowd) == 1


# ---------------------------------------------------------------- over real connections


def port_of(door: Door) -> int:
    """Return where an arena listens."""
    return int(door.address.rpartition(":")[2])


@asynccontextmanager
async def attacked(*attacks: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Attack meanwhile."""
    tasks = [asyncio.create_task(attack) for attack in attacks]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def asked(door: Door) -> bytes:
    """Return the beginning of an answer over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(door))
    try:
        writer.write(WHOLE)
        async with asyncio.timeout(PATIENCE):
            return await reader.readexactly(12)
    finally:
        writer.transport.abort()


async def test_incomplete_and_idle_requests_block_no_other_address(tmp_path: Path) -> None:
    rates = {"connection_rate": 30.0, "connection_burst": 600}
    settings = unhurried("nim", ladder=False, http_connections=60, http_connections_each=40, **rates)
    counts = Counter[str]()
    async with opened(tmp_path, settings) as door:
        connection_limits, port = door.application[CONNECTION_LIMITS], port_of(door)
        kinds = [slow_peers.idle_requests(port, counts, 40, said, ELSEWHERE) for said in (NOTHING, HALF, WHOLE)]
        kinds.append(slow_peers.silent_sockets(port, PLAY_PATH, counts, 40, ELSEWHERE))
        async with attacked(*kinds):
            await until(lambda: counts["opened"] > 300 and len(connection_limits) >= 40)
            for _ in range(20):
                assert await asked(door) == b"HTTP/1.1 200"
                assert len(connection_limits) <= 60
        await until(lambda: not len(connection_limits))


async def test_sixty_bots_and_pages_behind_one_address_are_unharmed(tmp_path: Path) -> None:
    """All at the same moment: bots, browsers with six connections each, and their sockets."""
    async with opened(tmp_path, unhurried("nim", ladder=False)) as door:
        port = port_of(door)
        bots = [await door.register() for _ in range(60)]
        pages = [await asyncio.open_connection("127.0.0.1", port) for _ in range(6 * 60)]
        for _, writer in pages:
            writer.write(WHOLE)

        async def opens(token: str) -> RawSocket:
            socket = await RawSocket.open(port, PLAY_PATH)
            await socket.say(type="hello", protocol=1, token=token, games=["nim"])
            await socket.hear("welcome")
            return socket

        async def look() -> RawSocket:
            socket = await RawSocket.open(port, WATCH_PATH)
            await socket.say(type="follow-lobby")
            await socket.hear("lobby")
            return socket

        async with asyncio.timeout(PATIENCE):
            sockets = await asyncio.gather(*(opens(token) for _, token in bots), *(look() for _ in range(60)))
            assert {await reader.readexactly(12) for reader, _ in pages} == {b"HTTP/1.1 200"}
        assert len(door.arena.roster) == 60
        assert door.arena.lobby().spectators == 60
        assert len(door.application[CONNECTION_LIMITS]) <= len(pages) + 1  # bots and spectators are known
        for _, writer in pages:
            assert not writer.is_closing()
            writer.transport.abort()
        for socket in sockets:
            socket.abort()


async def test_a_bot_comes_back_to_its_match_through_a_crowd_at_its_own_address(tmp_path: Path) -> None:
    """The crowd takes all the sockets that the address may open without a token that is known."""
    settings = unhurried(
        "tictactoe",
        ladder=False,
        silent_rate=0.001,
        silent_connections_each=20,
        connection_rate=100_000.0,
        connection_burst=100_000,
    )
    counts = Counter[str]()
    async with opened(tmp_path, settings) as door:
        (_, token), (name, other_token) = await door.register(), await door.register()
        await until(lambda: door.arena.ready)
        async with connected(door.play_url) as one, connected(door.play_url) as other:
            await one.hello(token, ["tictactoe"], ladder=False)
            await other.hello(other_token, ["tictactoe"], ladder=False)
            match, *_ = await start_match(one, other, name)
            async with attacked(slow_peers.silent_sockets(port_of(door), PLAY_PATH, counts, 50)):
                await until(lambda: counts["refused"] > 100)
                one.socket.transport.abort()
                async with asyncio.timeout(PATIENCE), connected(door.play_url, token) as again:
                    welcome = await again.hello(token, ["tictactoe"], ladder=False)
                    assert welcome["matches"] == [match]
                    await asyncio.gather(again.play(first_move), other.play(first_move))
        stored = await door.arena.store.matches.get(match)
        assert stored is not None
        assert stored.row.termination == "decided"
