# SPDX-License-Identifier: GPL-3.0-or-later
"""Play under floods of bytes

A stranger floods the arena over 1, 4 and 12 connections, which are opened again whenever they are closed: with pings,
pongs, fragments, messages, frames that break the protocol, handshakes, pipelined requests of pages and of what is not
there, bodies, and bytes that drip, one kind after the other. Ten bots on the ladder play meanwhile, as fast as they
can. Under each flood they finish at least 80 % of the matches that they finish while the same pump fills a sink; none
of their matches is void or lost by time or by a connection, and no connection of theirs is lost.
"""

from lab.proofs.honest import Ladder, Seen, honest_ladder
from lab.proofs.ledger import Ledger
from lab.proofs.pumps import PUMPS, pumping, sink
from tests.end_to_end.server import Server

SECONDS = 5.0
"""Of each flood, and of the same into the sink."""
AGAIN = 3
"""Where that shows too few matches it is measured again, so many times as long: the machine may have been busy."""
LADDER = 10
SOCKETS = (1, 4, 12)
SHARE = 0.8
"""Of the matches beside the sink that are played under a flood at least."""
FEW = ("pings", "fragments", "handshakes", "pages")
"""The floods of a short version."""
OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe", "--ladder-interval", "0.05", "--ladder-pause", "0",
    "--breeding", "none",
    "--learning", "no", "--log-level", "warning",
)  # fmt: skip


async def prove(ledger: Ledger) -> None:
    """Flood a server in every way, and compare with a sink."""
    server = Server(ledger.place("server"), *OPTIONS)
    bots = await server.register(*(f"honest-{number}" for number in range(LADDER)))
    await server.start()
    try:
        await server.ready()
        whole = ledger.scale == 1
        async with honest_ladder(server, bots, ["tictactoe"]) as ladder, sink() as drain:
            await ladder.play(2.0)
            for name in PUMPS if whole else FEW:
                for sockets in SOCKETS if whole else SOCKETS[-1:]:
                    await _compare(ledger, ladder, server.port, drain, name, sockets)
    finally:
        await server.stop()
    assert "Traceback" not in server.log, server.log[-3000:]
    await ledger.verify(server.database)


async def _compare(ledger: Ledger, ladder: Ladder, port: int, drain: int, name: str, sockets: int) -> None:
    """Measure one flood beside a sink, and note it."""
    seconds = max(0.5, SECONDS * ledger.scale)
    kept, shown = await _kept(ladder, port, drain, name, sockets, seconds)
    if kept < SHARE and ledger.scale == 1:
        kept, shown = await _kept(ladder, port, drain, name, sockets, seconds * AGAIN)
    ledger.note(f"{name}, {sockets} at once", shown)
    if ledger.scale == 1:  # what a second shows says little
        assert kept >= SHARE, (name, sockets, shown)


async def _kept(ladder: Ladder, port: int, drain: int, name: str, sockets: int, seconds: float) -> tuple[float, str]:
    """Return the share of the matches that are kept under a flood, and how to tell it."""
    beside, _ = await _play(ladder, drain, name, sockets, seconds)
    under, connections = await _play(ladder, port, name, sockets, seconds)
    assert not under.faults, (name, under.faults)
    assert not under.lost, (name, "an honest bot lost its connection")
    kept = under.rate / beside.rate if beside.rate else 1.0
    shown = f"{under.rate:,.1f} matches a second, {beside.rate:,.1f} beside a sink ({kept:.0%})"
    return kept, f"{shown}; {connections:,} connections"


async def _play(ladder: Ladder, port: int, name: str, sockets: int, seconds: float) -> tuple[Seen, int]:
    """Let the bots play while a pump fills a port; returns what they saw, and how many connections it opened."""
    async with pumping(port, name, sockets) as pumped:
        seen = await ladder.play(seconds)
    return seen, pumped.connections
