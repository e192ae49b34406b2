# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of an honest ladder under attack: all attacks at once, and floods one after the other."""

import asyncio

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector

from arena.store import Store
from lab.processes import usage_of
from lab.proofs.attacks.attackers import ATTACKS, BOTS, FLOODS, PEEP, Field, attacking
from lab.proofs.attacks.peepers import EARLY
from lab.proofs.attacks.pumps import PUMPS, pumping, sink
from lab.proofs.attacks.slow_peers import big_match, legal_moves
from lab.proofs.clients import ClientCounts, LadderClients, honest_ladder
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server

SECONDS = 600.0
BESIDE = 120.0
"""Seconds of the floods into a sink, before and after the attack each for a half."""
BOTS_OF_THE_LADDER = 10
SHARE = 0.8
MEDIAN, LAST = 0.020, 0.250
"""Seconds in which half and 99 in 100 of the moves reach the opponent."""
MEMORY = 200_000_000
"""Bytes that the server may take for all attackers together."""
VISITOR = "127.0.0.9"
"""The address of a browser that looks at the lobby once a second."""

LARGE, LONG = 10, 300
"""Matches whose records are large, 10 MB each, and their moves."""

OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe,chess", "--ladder-interval", "0.1", "--ladder-pause", "0",
    "--rated-challenges-per-day", "10",
)  # fmt: skip


async def prove_hostile(ledger: Ledger) -> None:
    """All attacks at once

    For ten minutes strangers and the owners of a few bots attack in every way of the [threat
    model](../../explanation/threats.md), all at once, while ten honest bots play on the ladder. No honest bot loses a
    match by time, by its connection or by a failure of the arena, and none of its matches is void. Half of the moves
    reach the opponent within 20 ms, and 99 in 100 within 250 ms. The honest bots play at least 80 % of the matches that
    they play while the same floods go to a sink process. The attackers together cost the server at most 200 MB. Each
    flood comes from its own address; slow readers and the owners of bots share the address of the honest bots. The
    attackers share the processors with the arena, at a low priority: real attackers have machines of their own.
    """
    server = Server(ledger.place("server"), *OPTIONS)
    honest = await server.register(*(f"honest-{number}" for number in range(BOTS_OF_THE_LADDER)))
    owned = await server.register(*BOTS)
    async with await Store.open(server.database) as store:
        moves = legal_moves(LONG)
        large = [await big_match(store, LONG, name=f"big-{n}", played=moves) for n in range(ledger.times(LARGE))]
    async with ledger.running(server):
        await server.ready()
        async with honest_ladder(server, honest, ["tictactoe"]) as ladder:
            await ladder.play(2.0)
            beside = await _beside_a_sink(ladder, ledger)
            before = usage_of(server.pid)
            field = Field(server.port, list(ATTACKS), owned, large=large)
            async with attacking(field) as outcome, _Visitor(server) as visitor:
                under = await ladder.play(max(3.0, SECONDS * ledger.scale))
            after = usage_of(server.pid)
            again = await _beside_a_sink(ladder, ledger)
    rate = (beside.matches + again.matches) / (beside.seconds + again.seconds)
    _note(ledger, under, rate)
    for name, counts in outcome.items():
        ledger.note_counts(name, counts)
    ledger.note(
        "requests of the lobby from another address, one a second", f"answered {visitor.answered} of {visitor.asked}"
    )
    taken = after.bytes - before.bytes if before and after else 0
    ledger.note("memory that the server took meanwhile", f"{max(0, taken) / 1e6:,.0f} MB")
    assert not under.faults, under.faults
    assert not under.lost, "no honest bot loses its connection"
    assert not outcome[PEEP].get(EARLY), "search info is read when it is released"
    assert visitor.answered == visitor.asked
    assert taken <= MEMORY, taken
    if ledger.scale == 1:  # a few seconds say little about times
        assert under.rate >= SHARE * rate, (under.rate, rate)
        assert _percentile(under, 50) <= MEDIAN
        assert _percentile(under, 99) <= LAST


async def _beside_a_sink(ladder: LadderClients, ledger: Ledger) -> ClientCounts:
    """Let the honest bots play while the floods fill a sink."""
    async with sink() as port, attacking(Field(port, list(FLOODS))):
        return await ladder.play(max(2.0, BESIDE / 2 * ledger.scale))


def _note(ledger: Ledger, under: ClientCounts, rate: float) -> None:
    ledger.note("seconds", round(under.seconds))
    ledger.note("matches a second of the honest bots while the floods fill a sink", rate)
    ledger.note("matches a second of the honest bots under all attacks", f"{under.rate:,.1f} ({under.rate / rate:.0%})")
    ledger.note("their moves", under.moves)
    ledger.note_counts("how their matches ended", under.endings)
    ledger.note_counts("of these lost by time, connection or failure, or void", under.faults)
    ledger.note_latency("from a move sent until the opponent was asked", under.relay)


def _percentile(seen: ClientCounts, percent: float) -> float:
    found = seen.relay.percentile(percent)
    assert found is not None
    return found


class _Visitor:
    """A browser at another address that requests the lobby."""

    def __init__(self, server: Server) -> None:
        self.asked = self.answered = 0
        self._url = server.url
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "_Visitor":
        self._task = asyncio.create_task(self._look())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _look(self) -> None:
        connector = TCPConnector(local_addr=(VISITOR, 0), force_close=True)
        async with ClientSession(connector=connector, timeout=ClientTimeout(10)) as http:
            while True:
                answered = await self._ask(http)
                self.asked += 1
                self.answered += answered
                await asyncio.sleep(1)

    async def _ask(self, http: ClientSession) -> bool:
        try:
            async with http.get(self._url) as response:
                return response.status == 200 and bool(await response.read())
        except (ClientError, TimeoutError):
            return False


# ---------------------------------------------------------------- floods

FLOOD_SECONDS = 5.0
"""Of each flood, and of the same into the sink."""
AGAIN = 3
"""Where that shows too few matches it is measured again, so many times as long: the machine may have been busy."""
LADDER = 10
SOCKETS = (1, 4, 12)
FLOOD_SHARE = 0.8
"""Of the matches beside the sink that are played under a flood at least."""
FEW = ("pings", "fragments", "handshakes", "pages")
"""The floods of a short version."""
FLOOD_OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe", "--ladder-interval", "0.05", "--ladder-pause", "0",
    "--breeding", "none",
    "--learning", "no", "--log-level", "warning",
)  # fmt: skip


async def prove_pressure(ledger: Ledger) -> None:
    """Matches during floods of bytes

    A stranger floods the arena over 1, 4 and 12 connections and reopens them whenever they are closed: with pings,
    pongs, fragments, messages, invalid frames, handshakes, pipelined requests of existing and missing pages, bodies,
    and single bytes, one kind after the other. Ten ladder bots play meanwhile, as fast as they can. During each flood
    they finish at least 80 % of the matches that they finish while the same flood goes to a sink process. None of their
    matches is void or lost by time or by a connection, and none of their connections is lost.
    """
    async with ledger.serving(*FLOOD_OPTIONS) as server:
        bots = await server.register(*(f"honest-{number}" for number in range(LADDER)))
        await server.ready()
        whole = ledger.scale == 1
        async with honest_ladder(server, bots, ["tictactoe"]) as ladder, sink() as drain:
            await ladder.play(2.0)
            for name in PUMPS if whole else FEW:
                for sockets in SOCKETS if whole else SOCKETS[-1:]:
                    await _compare(ledger, ladder, server.port, drain, name, sockets)


async def _compare(ledger: Ledger, ladder: LadderClients, port: int, drain: int, name: str, sockets: int) -> None:
    """Measure one flood beside a sink, and note it."""
    seconds = max(0.5, FLOOD_SECONDS * ledger.scale)
    kept, shown = await _kept(ladder, port, drain, name, sockets, seconds)
    if kept < FLOOD_SHARE and ledger.scale == 1:
        kept, shown = await _kept(ladder, port, drain, name, sockets, seconds * AGAIN)
    ledger.note(f"{name}, {sockets} at once", shown)
    if ledger.scale == 1:  # a second says little
        assert kept >= FLOOD_SHARE, (name, sockets, shown)


async def _kept(
    ladder: LadderClients, port: int, drain: int, name: str, sockets: int, seconds: float
) -> tuple[float, str]:
    """Return the share of the matches that are kept under a flood, and how to tell it."""
    beside, _ = await _play_beside(ladder, drain, name, sockets, seconds)
    under, connections = await _play_beside(ladder, port, name, sockets, seconds)
    assert not under.faults, (name, under.faults)
    assert not under.lost, (name, "an honest bot lost its connection")
    kept = under.rate / beside.rate if beside.rate else 1.0
    shown = f"{under.rate:,.1f} matches a second, {beside.rate:,.1f} beside a sink ({kept:.0%})"
    return kept, f"{shown}; {connections:,} connections"


async def _play_beside(
    ladder: LadderClients, port: int, name: str, sockets: int, seconds: float
) -> tuple[ClientCounts, int]:
    """Let the bots play while a pump fills a port; returns their report, and its number of connections."""
    async with pumping(port, name, sockets) as pumped:
        seen = await ladder.play(seconds)
    return seen, pumped.connections
