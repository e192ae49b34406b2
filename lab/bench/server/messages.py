# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of messages beside a bare aiohttp server: processor time of a move, and the delay of a thousand spectators.

A move is measured from its frame to the opponent's. It is checked, committed, acknowledged, sent to the opponent and to
spectators, and rated at the end; random openings and all other work of the server count too. Both servers run on
uvloop, with as many sockets and frames a second.

The delay of spectators ends when the last of them has the move. The bare server sends to one after the other. The
arena's delay starts when the bot sends the move, the bare server's at its first frame.
"""

import asyncio
import time
from collections.abc import Iterator
from functools import partial

import uvloop
from aiohttp import ClientSession, TCPConnector

from lab.bench.measurements import Measurement, in_turn
from lab.bench.processes import clients, cpu, line_of, loaded, running
from lab.load.jobs import WatchersJob

MOVE_SECONDS = 6.0

FRAME = '{"type":"move","match":12345,"ply":40,"move":"11-15"}'

FAST = 1000.0
"""Moves a second of a match that no server keeps up with: then both are busy all the time."""

PACES = ((250, 2.0, "at 500 a second"), (100, FAST, "as fast as they go"))
"""Matches, moves a second of each, and how to call that."""


async def _ping(http: ClientSession, url: str, rate: float | None, until: float) -> int:
    """Have a socket echo frames, at most so many a second, and at least one; return how many."""
    echoed, due = 0, time.monotonic()
    async with http.ws_connect(url, compress=0) as socket:
        while not echoed or time.monotonic() < until:
            if rate is not None:
                due += 1 / rate
                await asyncio.sleep(due - time.monotonic())
            await socket.send_str(FRAME)
            await socket.receive()
            echoed += 1
    return echoed


async def _echo(url: str, sockets: int, rate: float | None) -> int:
    async with ClientSession(connector=TCPConnector(limit=0)) as http:
        until = time.monotonic() + MOVE_SECONDS
        return sum(await asyncio.gather(*(_ping(http, url, rate, until) for _ in range(sockets))))


def echo_cpu(sockets: int, rate: float | None) -> float:
    """Return the microseconds of CPU that the bare server spends on a frame."""
    with running("lab.bench.server.bare") as server:
        url = f"ws://127.0.0.1:{line_of(server)}/echo"
        before = cpu(server.pid)
        echoed = uvloop.run(_echo(url, sockets, rate))
        return (cpu(server.pid) - before) / echoed * 1e6


def move_cpu(matches: int, rate: float) -> float:
    """Return the microseconds of CPU that the arena's server spends on a move."""
    outcome = loaded(f"--matches={matches}", f"--moves-per-second={rate}", f"--seconds={MOVE_SECONDS}")
    return float(outcome["server_cpu_per_move"])


def run_moves() -> Iterator[Measurement]:
    """Compare."""
    for matches, rate, name in PACES:
        each = None if rate == FAST else rate / 2
        ours, peer = in_turn(partial(move_cpu, matches, rate), partial(echo_cpu, 2 * matches, each))
        yield Measurement(
            what=f"CPU of a move, {name}",
            unit="µs",
            ours=ours,
            peer=peer,
            peer_name="bare aiohttp echo",
            target=3.0,
            of="ratio",
            bound="at most",
        )


# ---------------------------------------------------------------- spectators

BROADCAST_SECONDS = 8.0
SPECTATORS = 1000


def bare_broadcast() -> float:
    """Return the milliseconds of the bare server."""
    with running("lab.bench.server.bare") as server:
        address = f"127.0.0.1:{line_of(server)}"
        job = WatchersJob([f"ws://{address}/watch"], f"http://{address}/matches", SPECTATORS, watched=1)
        return 1000 * (clients(job, BROADCAST_SECONDS).everybody.percentile(50) or 0.0)


def arena_broadcast() -> float:
    """Return the milliseconds of the arena's server."""
    options = ["--matches=1", "--watched=1", "--moves-per-second=2", f"--seconds={BROADCAST_SECONDS}"]
    return float(loaded(*options, f"--spectators={SPECTATORS}")["everybody"]["50"])


def run_spectators() -> Iterator[Measurement]:
    """Compare."""
    ours, peer = in_turn(arena_broadcast, bare_broadcast)
    yield Measurement(
        what=f"until {SPECTATORS:,} spectators see a move",
        unit="ms",
        ours=ours,
        peer=peer,
        peer_name="bare aiohttp broadcast",
        target=1.5,
        of="ratio",
        bound="at most",
    )


BENCHMARKS = {"messages": run_moves, "broadcast": run_spectators}
